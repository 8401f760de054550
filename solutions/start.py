# %% [markdown]
# # Start here
#
# This course takes you from a single dot product to a Transformer, in NumPy, one function at a time.
# You write every building block yourself.
# Each one is checked as soon as you run it, and when something is wrong you are told what, and most often why.
#
# **You need** Python at the level of functions and loops, NumPy arrays, and what a matrix product is.
# No machine-learning library is used, and none is needed.

# %% [markdown]
# ## The notebooks
#
# {{units}}
#
# Take them in this order: each one builds on those before it.
#
# ## How far you are
#
# Run this cell whenever you come back.
# It shows your points, which mistakes you have met and overcome, how much time is left, and what is worth reading again.

# %%
from autograder import check, progress

progress()

# %% [markdown]
# ## How an exercise works
#
# 1. Read the section: why the function exists, its formula, the shapes that go in and come out, and a small example by hand.
# 2. Write the body of the function in place of the line `raise NotImplementedError  # YOUR CODE HERE`, and run the cell.
# 3. Run the figure below it. One side is drawn by *your* function, the other shows what it should look like.
# 4. Run the check.
#
# The function below is wrong on purpose.
# Run the two cells and read the report.

# %%
def softmax(x, axis=-1):
    """Turn the numbers along an axis into positive weights that sum to 1. (Not really.)"""
    return x / x.sum(axis=axis, keepdims=True)


# %%
check(softmax)

# %% [markdown]
# The report says what was asked, what came back, and which known mistake would give exactly the same numbers.
# A check has several **claims**, each with its own points, so a function that is right in the main thing keeps those points.
#
# * When every claim says PASS, all *visible* checks have passed. A teacher may run the same claims on other numbers.
# * A function that you have not written yet is reported as such. That is not an error: you can run a whole notebook at any time.
# * Every exercise is judged by itself. If your attention calls your softmax and the softmax is wrong, only the softmax loses points.
# * A function that runs for too long is stopped, and you are told. Only when the course runs inside your browser, without any installation, nothing can stop it: choose *Restart Kernel* (menu *Kernel*).

# %% [markdown]
# ## Your own library
#
# When a check passes, your function is kept in the folder `my_transformer`, beside the folders of the notebooks.
# Later notebooks begin by loading it from there, and say which functions are yours:
# *Yours: attention_scores, softmax. Lent by the course until you pass the check: causal_mask.*
#
# * There is one Python file per notebook. Read it, and change it if you like: later notebooks use what stands there.
# * Nothing is lost. When a check replaces something in a file, the file as it was stays in the folder `earlier`.
# * A function that no longer passes its check, and a file that cannot be imported, stop nothing. The course lends its own function, and the notebook says why.

# %% [markdown]
# ## Questions, hints and figures
#
# Some cells ask you to **predict** a result before you run it.
# Replace `None` by your answer and run the cell: every answer, right or wrong, gets its reason.
# Such questions have no points.
#
# Each exercise has three **hints**: a question, then the shapes, then the steps in words. Open one at a time.
# When three checks in a row fail for the same reason, the report opens the next hint by itself.
# You can also open them from code, and after the third one you may look at the solution:
#
# ```python
# from autograder import hint, solution
#
# hint(softmax)      # opens the next hint each time you run it
# solution(softmax)  # once all three are open
# ```
#
# Both are noted in your progress, for yourself only.
#
# <details><summary>In a notebook a hint looks like this</summary>
#
# What happens to a fraction when its upper and its lower part are multiplied by the same number?
#
# </details>
#
# Every **figure** has a text version below it, for screen readers and for anyone who prefers numbers.

# %% [markdown]
# ## When you are stuck
#
# * Read the report again from the top. The line *Called* gives the shapes of a call that fails: make such arrays and try it in a new cell.
# * `np.random.default_rng(0).standard_normal((2, 5, 4))` makes an array to play with. Use sizes that differ, so that a wrong axis cannot hide.
# * *Restart Kernel and Run All Cells* (menu *Kernel*) cures a notebook whose cells were run in a strange order.
