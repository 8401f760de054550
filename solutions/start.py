# %% [markdown]
# # Start here
#
# Run the next cell: click into it and press Shift+Enter. Then put your own English sentence between the quotation marks,
# and run it again.

# %%
from transformer_kit import reference
from transformer_kit.pictures import finale
from transformer_kit.trained.model import load_model

sentence = "My sister wants to go to the beach."
finale(sentence, load_model(), reference.translate, reference)

# %% [markdown]
# That was a Transformer, small but complete, in NumPy and nothing else.
# The ribbons show where it looks while it writes each word. The note below them says whose functions computed all this:
# for now, the course's.
#
# **One day that cell will run on your code.** You write the functions one at a time, from a single dot product to the
# whole machine. Each comes with a check, and when something is wrong you are told what it is, and usually why. By unit
# 09 the note says that the functions are yours. Then you train such a model, take one apart,
# run GPT-2, and chat with a model of today.
#
# ## What you need
#
# | for | you need |
# |---|---|
# | all units | Python functions and loops, NumPy arrays and broadcasting, what a matrix product is |
# | 00 and 08 | probabilities and logarithms |
# | 01 | sine, cosine and the formulas for the sine and cosine of a sum |
# | 02 and 07 | mean and variance |
# | the second half of 02, parts of 06, 07 and 10 | partial derivatives and the chain rule |
#
# You need no machine learning, and no Spanish.
#
# ## How far you are
#
# Run this cell whenever you come back. It shows the machine with the parts that you have written filled in, your
# points, the time that is left, and what is worth reading again. Each unit builds on those before it.

# %%
from autograder import check, progress

progress()

# %% [markdown]
# {{units}}

# %% [markdown]
# ## How an exercise works
#
# 1. Read what the function is for, its formula, its shapes, and a small example worked by hand.
# 2. Write its body in place of the line `raise NotImplementedError  # YOUR CODE HERE`, and run the cell.
# 3. Run the picture, before or after the check: what *your* function returns, next to what it should return.
# 4. Run the check.
#
# The function below is wrong on purpose. Run the two cells and read the report.

# %%
def softmax(x, axis=-1):
    """Turn the numbers along an axis into positive weights that sum to 1. (Not really.)"""
    return x / x.sum(axis=axis, keepdims=True)


# %%
check(softmax)

# %% [markdown]
# The report says what was asked, what came back, and which known mistake would give exactly the same numbers.
# A check has several **claims**, each with its own points, so a function that gets the main thing right keeps the
# points for it.
#
# * When every claim says PASS, all *visible* checks have passed. A teacher may run the same claims on other numbers.
# * A function that you have not written yet is reported as such. That is not an error: you can run a whole notebook at any time.
# * Every exercise is judged on its own. If your attention calls your softmax and the softmax is wrong, only the softmax loses points.
# * A function that runs for too long is stopped, and you are told. The one exception is the course in your browser,
#   without any installation: nothing can stop a function there, so choose *Restart Kernel* (menu *Kernel*).

# %% [markdown]
# ## Your own library
#
# When a check passes, your function is kept in the folder `my_transformer`, next to the folders of the units.
# Later units load it from there, and say which functions are yours:
# *Yours: attention_scores, softmax. On loan from the course until yours passes: causal_mask.*
#
# * There is one Python file per unit. Read it, and change it if you like: later units use what is in it.
# * Nothing is lost. When a check replaces something in a file, the old file is kept in the folder `earlier`.
# * A function that no longer passes its check, or a file that cannot be imported, does not stop you. The course lends its own function and says why.

# %% [markdown]
# ## Questions, hints and pictures
#
# Some cells ask you to **predict** a result. Replace `None` with your answer and run the cell: every answer, right or
# wrong, is explained. Predictions carry no points, and you learn most from the ones you get wrong.
#
# Each exercise has three **hints**: a question, then the shapes or a smaller case, then a plan. Open one at a time.
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
# Below a check with all its points you may find a **colleague's version**, which looks right and is wrong.
# `tell_apart` tries on which input it differs from yours.
#
# <details><summary>In a notebook a hint looks like this</summary>
#
# What happens to a fraction when its numerator and its denominator are multiplied by the same number?
#
# </details>
#
# Many **pictures** respond to the pointer and the arrow keys. Each has a text version below it, for screen readers and
# for anyone who prefers numbers.

# %% [markdown]
# ## When you are stuck
#
# * Read the report again from the top. The line *Called* gives the shapes of a call that fails: make arrays of these
#   shapes and try the call in a new cell.
# * `np.random.default_rng(0).standard_normal((2, 5, 4))` makes an array to play with. Use sizes that differ, so that a wrong axis cannot hide.
# * *Restart Kernel and Run All Cells* (menu *Kernel*) cures a notebook whose cells were run out of order.
