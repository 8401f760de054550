# %% [markdown]
# # 02 Scaled dot-product attention and the softmax Jacobian
#
# *The table is red and it is big.* You know at once what *it* is. So, apparently, does the translator that comes with
# this course. Here is one of the eight *heads* of its encoder, the parts that attend: how much attention does *it* pay
# to each word?

# %%
import numpy as np

from autograder import check, predict, progress
from transformer_kit import plots, skip_if_unimplemented
from transformer_kit.examples.attention import CATS, POEM, WIDE_CATS
from transformer_kit.experiments.memory import memory_of
from transformer_kit.experiments.whole_model.one_head import one_head
from transformer_kit.experiments.widths import WIDTHS, gradient_sizes, jacobians, weights_at_width
from transformer_kit.numerical import numerical_gradient
from transformer_kit.pictures import attention_steps, looks, query_turner
from transformer_kit.reference import scaled_dot_product_attention as lent  # until you have your own

# %%
looks(lent, "The table is red and it is big.")

# %% [markdown]
# Nobody taught it that: the model has never read a sentence in which *it* stands for an earlier noun.
# The bars come from a few lines of NumPy, which you are about to write. Then you try harder sentences.
#
# **{{points}}, {{time}}.** The second sitting, on how attention learns ({{softmax_jacobian}} to {{attention_backward}}), can wait until unit 10.
# You need matrix products, broadcasting, mean and variance, and for the second sitting partial derivatives and the
# chain rule. **[START HERE](../START_HERE.ipynb)** says how checks, hints and predictions work.

# %%
progress("02")

# %% [markdown]
# ## A dictionary that blends its answers
#
# A Python dictionary compares a *query* with its *keys* and returns the *value* of the one that is equal to it.
# In attention all three are vectors. A query is compared with **every** key, and the answer is a weighted average of
# **all** the values: much of those whose keys match well, little of the others. Matches are never all-or-nothing,
# so the whole thing is differentiable and can be trained.
#
# $$\text{Attention}(Q, K, V) = \text{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V
# \qquad \text{(Vaswani et al. 2017, equation 1)}$$
#
# One vector is one **row**: $Q$ is `(n_queries, d_k)`, $K$ `(n_keys, d_k)`, $V$ `(n_keys, d_v)`, and the **output**, one
# average of the values for each query, is `(n_queries, d_v)`. On the way to it come the **scores**, how well each key
# matches a query, and the **weights**, a query's budget of 1 spread over the keys, both `(n_queries, n_keys)`.
#
# An example to check by hand is "write a poem": three rows of `X`, each an embedding plus its position, two numbers
# wide. Three small matrices turn every row into a query, a key and a value. Side by side:

# %%
words = POEM.tokens
Q, K, V = POEM.X @ POEM.W_Q, POEM.X @ POEM.W_K, POEM.X @ POEM.W_V
print(np.hstack([Q, K, V]).round(4))

# %% [markdown]
# ## Exercise {{softmax}}: softmax
#
# *{{points softmax}}, about 15 minutes, difficulty 2 of 5*
#
# Scores can be any numbers, but an average needs positive weights that sum to 1.
# The exponential makes them positive, and dividing by the sum does the rest:
#
# $$p_i = \frac{e^{x_i}}{\sum_j e^{x_j}}$$
#
# | name | shape | meaning |
# |---|---|---|
# | `x` | any, for example `(n_queries, n_keys)` | scores; -inf gives weight 0 (for masks, unit 03) |
# | `axis` | an int | the axis that sums to 1 |
# | result | the shape of `x` | weights |
#
# **By hand.** For $x = (0, 1, 2)$ the exponentials are 1, 2.718 and 7.389, their sum is 11.107, and the weights are
# 0.090, 0.245 and 0.665. A gap of 1 between two scores is a factor of 2.7 between their weights; a gap of 10 is a
# factor of 22,026.
#
# ### Numbers too large to exponentiate
#
# In float64, $e^{709}$ is a number and $e^{710}$ is `inf`; then `inf / inf` is NaN.
# But you may add the same $c$ to all scores: $e^{x + c} = e^{c} e^{x}$, and the factor $e^c$ cancels. Choose $c$ well,
# and nothing overflows.
#
# ### Along which axis?
#
# The maximum and the sum belong to **one** set of scores: those along `axis`. Other rows have their own.

# %% solution="softmax"
def softmax(x, axis=-1):
    """Turn the numbers along `axis` into positive weights that sum to 1.

    x of any shape, finite or -inf -> the same shape.
    """
    ### BEGIN SOLUTION
    largest = x.max(axis=axis, keepdims=True)
    exponentials = np.exp(x - largest)  # the largest exponent is 0: no overflow
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    print(softmax(np.array([0.0, 1.0, 2.0])).round(3))

# %% check="softmax"
check(softmax)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Which number can you subtract from a whole row so that no exponent is above 0? And how many such numbers does an
# array with two rows need?
#
# </details>
# <details><summary>Hint 2: shapes</summary>
#
# A sum over the last axis of an array of shape (2, 3) has shape (2,), which does not line up with (2, 3). A shape
# of (2, 1) does. Look up `keepdims`.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# First make the exponents harmless, then exponentiate, then normalise. Two of these steps need one number for each
# row, a maximum or a sum; keep the axis over which you take it, so that rows do not mix.
#
# </details>
#
# ## Exercise {{attention_scores}}: attention_scores
#
# *{{points attention_scores}}, about 12 minutes, difficulty 2 of 5*
#
# A dot product says how well two vectors match: the angle between them counts, and so do their lengths.
# The scores are the dot products of all queries with all keys, scaled: $S = Q K^\top / \sqrt{d_k}$.
#
# | name | shape | meaning |
# |---|---|---|
# | `Q` | `(..., n_queries, d_k)` | queries; any leading axes, such as batch and heads; may hold whole numbers |
# | `K` | `(..., n_keys, d_k)` | keys, likewise |
# | result | `(..., n_queries, n_keys)` | in row $i$ and column $j$, the score of query $i$ and key $j$ |
#
# **By hand.** The query of *write* is (0.7621, -0.0477) and the key of *a* is (0.1049, 0.3774).
# Their dot product is 0.0799 - 0.0180 = 0.0619, and divided by $\sqrt 2$ it is 0.0438.
#
# ### Every query meets every key
#
# Each row has one score per **key**; `d_k` is only the number of terms in each dot product.
#
# ### Why the square root of d_k
#
# Suppose that the entries of $q$ and $k$ are independent, with mean 0 and variance 1, which layer norm (unit 07) makes
# plausible. Then $q \cdot k$ is a sum of $d_k$ terms of variance 1, and has variance $d_k$ (Vaswani et al. 2017,
# footnote 4). Divided by $\sqrt{d_k}$, the scores have standard deviation 1 whatever the width. And the width that
# counts is that of the vectors being multiplied: 64 in each of the 8 heads of the
# paper's base model, although the model is 512 wide.

# %% solution="attention_scores"
def attention_scores(Q, K):
    """Return the scaled dot product of every query with every key.

    Q (..., n_queries, d_k), K (..., n_keys, d_k) -> (..., n_queries, n_keys).
    """
    ### BEGIN SOLUTION
    d_k = Q.shape[-1]
    products = Q @ K.swapaxes(-1, -2)  # (..., n_queries, d_k) @ (..., d_k, n_keys)
    return products / d_k**0.5  # a Python float keeps float32 arrays float32
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    print(attention_scores(Q, K)[0].round(4))  # by hand: 0.0438 for "a"

# %% check="attention_scores"
check(attention_scores)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# A matrix product pairs the rows of its left factor with the columns of its right one. The keys are rows. What has
# to happen to `K` first?
#
# </details>
# <details><summary>Hint 2: shapes</summary>
#
# You need (n_queries, d_k) times (d_k, n_keys). With leading axes only the last two axes of `K` may change places;
# `.T` reverses all of them.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# One matrix product gives every dot product at once, if the keys are turned the right way. The divisor comes from the
# shape of what you were given, so that it is right for every width.
#
# </details>
#
# ### Move the width
#
# One query meets eight random keys. Move the slider to use more of their coordinates. From which width on does one key
# take nearly everything when there is no divisor? And what is wrong with dividing by $\sqrt{512}$ at every width?

# %%
def draw(d_k):
    weights = weights_at_width(d_k, attention_scores, softmax)
    return plots.bars(weights, x_label="key", y_label="weight", limits=(0, 1))

with skip_if_unimplemented():
    display(plots.slider(draw, "d_k", WIDTHS.tolist(), start=64))

# %% [markdown]
# <details><summary>And the answers?</summary>
#
# Without a divisor, this query gives one key nearly everything from 16 on, and most others do from 64 on.
# Divided by $\sqrt{512}$, all keys get nearly the same weight while the width is small.
#
# </details>
#
# ## Exercise {{scaled_dot_product_attention}}: scaled_dot_product_attention
#
# *{{points scaled_dot_product_attention}}, about 10 minutes, difficulty 2 of 5*
#
# The weights are $A = \text{softmax}(S)$, and the output is $A V$.
#
# | name | shape | meaning |
# |---|---|---|
# | `Q`, `K` | `(..., n_queries, d_k)`, `(..., n_keys, d_k)` | as before |
# | `V` | `(..., n_keys, d_v)` | a value for each key; may hold whole numbers, too |
# | `output` | `(..., n_queries, d_v)` | an average for each query; returned first |
# | `weights` | `(..., n_queries, n_keys)` | the $A$ of the formula |
#
# ### An average of the values
#
# **By hand.** *write* has the weights 0.356, 0.398 and 0.246, so its output begins with
# 0.356 · 0.5996 + 0.398 · (-0.3538) + 0.246 · 3.8574 = 1.02.
#
# An average lies between the smallest and the largest value of its column.
# If keys and values are reordered together, it stays the same: attention does not see the order.
# The operation has no parameters; what a model learns is in the matrices that make queries, keys and values.
# A weight does not measure similarity; it is a share of one query's budget: *write* gives *a* more than *a* gives
# *write*.

# %% solution="scaled_dot_product_attention"
def scaled_dot_product_attention(Q, K, V):
    """Return, for every query, the average of the values weighted by how well their keys match.

    Q (..., n_queries, d_k), K (..., n_keys, d_k), V (..., n_keys, d_v)
    -> output (..., n_queries, d_v), weights (..., n_queries, n_keys).
    """
    ### BEGIN SOLUTION
    weights = softmax(attention_scores(Q, K), axis=-1)
    output = weights @ V  # (..., n_queries, n_keys) @ (..., n_keys, d_v)
    return output, weights
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    print(scaled_dot_product_attention(Q, K, V)[0][0].round(2))  # by hand: 1.02 comes first

# %% check="scaled_dot_product_attention"
check(scaled_dot_product_attention)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# You have written two of the three steps. In which order do they come, and along which axis must the weights sum
# to 1?
#
# </details>
# <details><summary>Hint 2: shapes</summary>
#
# The weights are (n_queries, n_keys), the values (n_keys, d_v). The product of the two has the shape of the output.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# Read the formula at the top of the unit from the inside out: each of its three operations is one line. Mind which of
# the two results is returned first.
#
# </details>
#
# ### One query, step by step
#
# Walk through your three functions for *write*, then for *poem*. At which step does one word take nearly everything?

# %%
attention_steps(attention_scores, softmax, scaled_dot_product_attention, Q, K, V, words)

# %% [markdown]
# ### The soft dictionary
#
# Three keys and three values in the plane. Turn the query: drag its arrow, or move the first slider.
# When is the answer the mean of all the values, and when a plain look-up? Can any query push it out of the triangle?

# %%
query_turner(scaled_dot_product_attention)

# %% [markdown]
# Since $q \cdot k = |q||k|\cos\theta$, turning a key from 0° to 180° lowers its unscaled weight, relative to any
# other key's, by the factor $e^{2|q||k|}$: only 7.4 for unit vectors, but 2,981 for $|q||k| = 4$.
#
# ## Exercise {{one_word_back}}: one_word_back
#
# *{{points one_word_back}}, about 15 minutes, difficulty 4 of 5*
#
# In trained models some heads look one word back, whatever the words are. Make one: **queries and keys
# with which every word gives at least 0.99 of its weight to the word before it.** Word 0 may look anywhere.
#
# Here is no formula, and many answers are right. Only where the words look counts, in sentences of 2 to 60 words.
#
# | name | shape | meaning |
# |---|---|---|
# | `n` | an int | number of words |
# | results `Q`, `K` | `(n, d_k)` each | you choose `d_k`, at most 8 for any `n`; numbers up to a million |
#
# **Example.** For two words Q = (0), (10) and K = (1), (0) will do: 10 is much more than 0.

# %% solution="one_word_back"
def one_word_back(n):
    """Return queries and keys with which every word looks at the word before it.

    n int -> Q (n, d_k), K (n, d_k).
    """
    ### BEGIN SOLUTION
    angle = 2 * np.pi * np.arange(n) / max(n, 3)
    K = 10 * n * np.stack([np.cos(angle), np.sin(angle)], axis=-1)  # hands of a clock, long enough to be told apart
    Q = np.roll(K, 1, axis=0)  # the query of a word is the key of the word before
    return Q, K
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    looks_where = scaled_dot_product_attention(*one_word_back(8), np.eye(8))[1].round(2)
    display(plots.heatmap(looks_where, x_label="looked at", y_label="word", alt="One row for each word that looks."))

# %% check="one_word_back"
check(one_word_back)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# If every word had a key of its own that nobody else comes close to, what would you take as the query of word 5? And of
# all other vectors of one length, which has the largest product with a key?
#
# </details>
# <details><summary>Hint 2: many words, few features</summary>
#
# Sixty keys in a plane: where do you put them so that none lies in the shadow of another one? Draw the product of one query
# with all keys. By how much does the largest exceed the next?
#
# </details>
# <details><summary>Hint 3: nearly all the weight</summary>
#
# Where do the scores of neighbours come close, and what happens to differences of scores if all queries are ten times as long? How
# large must a difference be for a share of 0.99 against two neighbours, after the division by the root of d_k?
#
# </details>
#
# ## Where does "it" look?
#
# Back to the trained head of the opening. The model makes its queries, keys and values; the weights are now yours.
#
# ### Predict: an "it" that is nothing
#
# Now the sentence is *The table is red and it is late.* This *it* stands for nothing at all. Where does the head look?
#
# - **A** mostly at *table*
# - **B** mostly at *it* itself
# - **C** mostly at *late*
# - **D** about equally at all words

# %% answer="it-is-late"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("it-is-late", answer)

# %% [markdown]
# ### Predict: two candidates
#
# And in *The cat sees the dog and it is small*?
#
# - **A** mostly at *cat*
# - **B** equally at *cat* and *dog*
# - **C** mostly at *dog*

# %% answer="cat-or-dog"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("cat-or-dog", answer)

# %% [markdown]
# Swap cat and dog, or type your own. Any word can be the query: `looks(..., "red")`.

# %%
looks(scaled_dot_product_attention, "The table is red and it is late.")

# %% [markdown]
# ## Find the error: four printed lines
#
# A set of lecture notes works out attention for "I like cats", with two queries, $d_k = 4$ and $K = V = E$, the word
# vectors. At least one of its printed lines is wrong.

# %%
print(CATS.printed)

# %% [markdown]
# Which statement is true? Use your functions on `CATS.Q` and `CATS.E`, in a new cell.
#
# - **A** Line 1 has a slip in it, and lines 2 and 3 follow from the lines before them.
# - **B** Line 2 divides by 2, and should have divided by the width of the keys, 4.
# - **C** Line 3 has the wrong weights, and lines 1 and 2 are as they should be.
# - **D** Line 1 has already been divided, and line 3 does not follow from line 2.

# %% answer="printed-steps"
### BEGIN SOLUTION
answer = "D"
### END SOLUTION
predict("printed-steps", answer)

# %% [markdown]
# What should the **scores** have been? Give two rows of three numbers, to two decimals or better.

# %% answer="right-scores"
### BEGIN SOLUTION
answer = [[0.30, 0.70, 1.10], [0.25, 0.57, 0.89]]
### END SOLUTION
predict("right-scores", answer)

# %% [markdown]
# ## Find the error: an output that cannot be
#
# Another printed example has 512 columns but shows only four.

# %%
print("V, four of 512 columns:", WIDE_CATS.V.tolist())
print("printed output:        ", WIDE_CATS.printed_output.tolist())

# %% [markdown]
# Which of the two printed output rows could any set of weights produce?
#
# - **A** for both rows
# - **B** for the second row only
# - **C** for the first row only
# - **D** for neither row

# %% answer="impossible-rows"
### BEGIN SOLUTION
answer = "D"
### END SOLUTION
predict("impossible-rows", answer)

# %% [markdown]
# **A good place to stop.** **[Unit 03](../03_masking/03_masking.ipynb)** builds on what you have.
#
# ## Second sitting: what moves when a score moves
#
# When one of $n$ scores $s$ moves, all $n$ weights $p$ move. Their derivatives form an $n \times n$ matrix, the
# Jacobian $J_{ij} = \partial p_i / \partial s_j$. Before you read its formula, derive a row of it on paper.
#
# Write $p_i = e^{s_i} / Z$ with $Z = \sum_j e^{s_j}$, and use the quotient rule, once for $j = i$ and once for
# $j \ne i$. Then take $p = (1, 2, 5)/8$.
# How fast does $p_1$ change with $s_1$, $s_2$ and $s_3$? Give three numbers, **in 64ths**.

# %% answer="first-row"
### BEGIN SOLUTION
answer = [7, -2, -5]
### END SOLUTION
predict("first-row", answer)

# %% [markdown]
# ## Exercise {{softmax_jacobian}}: softmax_jacobian
#
# *{{points softmax_jacobian}}, about 12 minutes, difficulty 3 of 5*
#
# ### Every weight depends on every score
#
# Both cases in one formula, with $\delta_{ij} = 1$ for $i = j$ and 0 otherwise:
#
# $$\frac{\partial p_i}{\partial s_j} = p_i\,(\delta_{ij} - p_j),
# \qquad\text{in matrices}\qquad J = \text{diag}(p) - p\,p^\top .$$
#
# The diagonal is never negative, and everything off it is never positive: what one weight gains, the others lose.
#
# **By hand.** For $p = (1, 3)/4$ all four entries are $\pm\tfrac{3}{16}$, positive on the diagonal.
#
# ### The divisor and the chain rule
#
# Differentiate $p = \text{softmax}(s / C)$ with respect to $s$.
# So $C$ enters twice: it changes the weights, and the chain rule through $s / C$ contributes a factor $1/C$.
#
# | name | shape | meaning |
# |---|---|---|
# | `s` | `(n,)` | scores |
# | `C` | a float | the divisor |
# | result `J` | `(n, n)` | row $i$: how weight $i$ changes with each score |

# %% solution="softmax_jacobian"
def softmax_jacobian(s, C=1.0):
    """Return the Jacobian of softmax(s / C) with respect to s.

    s (n,), C is a number -> (n, n): entry (i, j) is the derivative of weight i with respect to s[j].
    """
    ### BEGIN SOLUTION
    p = softmax(s / C)
    return (np.diag(p) - np.outer(p, p)) / C  # 1 / C from the chain rule
    ### END SOLUTION

# %%
s = np.array([0.3, -1.2, 0.8, 0.1])
with skip_if_unimplemented():
    print(64 * softmax_jacobian(np.log([1.0, 2.0, 5.0])).round(6))  # row 0: as on paper
    # without any formula: nudge every entry of s up, then down, and see what changes
    by_differences = numerical_gradient(lambda s: softmax(s / 2), s)
    print("largest gap:", np.abs(softmax_jacobian(s, 2) - by_differences).max())

# %% check="softmax_jacobian"
check(softmax_jacobian)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# The Jacobian is the difference of two matrices. Which of them has zeros off the diagonal, and which is a table of
# all products of two weights?
#
# </details>
# <details><summary>Hint 2: shapes</summary>
#
# Both matrices are (n, n). For an array with one axis, `p.T` is `p` itself, so `p @ p.T` is a single number. NumPy
# has a function for the *outer* product.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# The weights come first, with the divisor inside the softmax. The matrix formula needs nothing else. Then remember
# where the divisor enters a second time.
#
# </details>
#
# ## What a picture of Jacobians shows
#
# To explain the scale, a popular picture draws $n$ random scores of variance $n$ and plots their Jacobian twice: above
# without the scale, below with $C = \sqrt n$. In yours, both panels of a column share their colours, and zero is white.

# %%
with skip_if_unimplemented():
    display(plots.jacobian_grid(jacobians(softmax_jacobian), alt="Both panels of a column share a colour scale."))

# %% [markdown]
# The upper panels look stronger. But that is mostly the factor $1/C$: multiply $C$ back in, and from $n = 8$ on it is
# almost a coin toss which of the two has the larger entries. And the length of $s$ is the number of keys, not $d_k$: the
# picture mixes two effects.
#
# ## What the scale is for
#
# So keep the number of keys at 16 and vary $d_k$ alone, with entries of variance 1. You have seen that without the scale
# one key soon takes nearly everything. What does that do to learning?
#
# ### Predict: the gradient without the scale
#
# How strong a gradient reaches the query depends on the size of $\partial p / \partial q$, the Jacobian times the
# keys. **Without** the scale, how does its **mean** over many random rows change as $d_k$ grows from 1 to 1024?
#
# - **A** It falls towards 0.
# - **B** It stays the same.
# - **C** It rises several times over.

# %% answer="unscaled-gradient"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("unscaled-gradient", answer)

# %%
with skip_if_unimplemented():
    lines = gradient_sizes(attention_scores, softmax_jacobian)
    display(plots.curves(WIDTHS, lines, x_label="d_k", y_label="size of ∂p/∂q", log_x=True,
                         alt="Mean and median over 3,000 random rows, with the scale and without it."))

# %% [markdown]
# "Without the scale, gradients vanish", the usual one-line reason, is only half the truth.
# **The scale makes the gradient that reaches the query independent of $d_k$, and nearly the same for every row.**
#
# ### On paper: no matrix
#
# Training never needs the Jacobian itself. It gets the gradient of a loss $L$ with respect to the weights,
# $dp = \partial L / \partial p$, and needs the one with respect to the scores,
# $ds = J^\top dp = \left(\text{diag}(p) - p\,p^\top\right) dp$. Multiply out the bracket. In the second term, $p\,(p^\top dp)$, what is $p^\top dp$?
#
# - **A** the matrix of all products $p_i\,dp_j$
# - **B** the row of the products $p_i\,dp_i$
# - **C** the mean of $dp$, weighted by $p$
# - **D** the sum of $dp$, which is always $0$

# %% answer="one-number"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("one-number", answer)

# %% [markdown]
# ## Exercise {{softmax_backward}}: softmax_backward
#
# *{{points softmax_backward}}, about 10 minutes, difficulty 3 of 5*
#
# | name | shape | meaning |
# |---|---|---|
# | `p` | `(..., n)` | what the softmax returned |
# | `d_p` | `(..., n)` | the gradient with respect to `p` |
# | result | `(..., n)` | the gradient with respect to the scores |
#
# **By hand.** For $p = (1, 2, 5)/8$ and $dp = (1, 0, 0)$ the result is the first column of $J$: $(7, -2, -5)/64$.
#
# ### Without building the matrix
#
# At $n = 4096$ one Jacobian has 16.8 million entries, 134 MB, for **each** query.
# Your function may use only memory that grows like $n$; the check measures it.

# %% solution="softmax_backward"
def softmax_backward(p, d_p, axis=-1):
    """Return the gradient before the softmax, given the gradient after it, without building a Jacobian.

    p (..., n), what the softmax returned, d_p (..., n), the gradient with respect to p -> (..., n).
    """
    ### BEGIN SOLUTION
    mean = (p * d_p).sum(axis=axis, keepdims=True)  # the weighted mean of the gradient
    return p * (d_p - mean)
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    print(64 * softmax_backward(np.array([1.0, 2.0, 5.0]) / 8, np.array([1.0, 0.0, 0.0])))

# %% check="softmax_backward"
check(softmax_backward)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# What is $p\,p^\top dp$ if you multiply the last two factors first?
#
# </details>
# <details><summary>Hint 2: shapes</summary>
#
# The product of the last two is one number for each row. To subtract it from a row of length n it needs an axis of
# length 1.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# Both terms of the bracket have the factor $p$ in front: take it out. What remains inside is each gradient's distance
# from an average that you can compute row by row.
#
# </details>
#
# ### On paper: one product backwards
#
# The output is $O = A V$. A loss hands back $dO$, its gradient with respect to the output.
# Which product is its gradient with respect to the **weights** $A$? Write one entry of $O$ as a sum, or let the shapes
# decide: `(n_queries, n_keys)` must come out.
#
# - **A** $V^\top dO$
# - **B** $dO\,V^\top$
# - **C** $A^\top dO$
# - **D** $dO\,V$

# %% answer="gradient-of-the-weights"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("gradient-of-the-weights", answer)

# %% [markdown]
# ## Exercise {{attention_backward}}: attention_backward
#
# *{{points attention_backward}}, about 15 minutes, difficulty 4 of 5*
#
# | name | shape | meaning |
# |---|---|---|
# | `d_output` | `(..., n_queries, d_v)` | gradient of a loss with respect to the output |
# | `weights` | `(..., n_queries, n_keys)` | what the forward pass used |
# | `dQ`, `dK`, `dV` | those of `Q`, `K`, `V` | gradients with respect to these |
#
# ### Backwards, line by line
#
# Forward, there are four lines: $P = QK^\top$, $S = P/\sqrt{d_k}$, $A = \text{softmax}(S)$ and $O = AV$.
# Take them in reverse, with your `softmax_backward` and two rules:
#
# $$Y = BC:\quad dB = dY\,C^\top,\quad dC = B^\top dY \qquad\qquad Y = X/c:\quad dX = dY/c$$
#
# **By hand.** One query $q = 0$, keys 1 and -1, values 1 and 3, all of width 1.
# Both scores are 0, the weights $\tfrac12$ and $\tfrac12$, the output 2.
# Let $dO = 1$. Then $dV = (\tfrac12, \tfrac12)$, $dA = (1, 3)$, $dS = (-\tfrac12, \tfrac12)$, and
# $dq = -\tfrac12 \cdot 1 + \tfrac12 \cdot (-1) = -1$: a smaller $q$ gives more weight to the second, larger value.
# And $dK = (0, 0)$, because $q = 0$.
#
# ### The weights that were used
#
# The weights are an argument because a mask (unit 03) may have changed them on the way forward.
# Do not compute or normalise them again: a query that sees nothing has only weights of 0, and so a gradient of 0.

# %% solution="attention_backward"
def attention_backward(d_output, Q, K, V, weights):
    """Return the gradients of a loss with respect to Q, K and V.

    d_output (..., n_queries, d_v), Q (..., n_queries, d_k), K (..., n_keys, d_k), V (..., n_keys, d_v),
    weights (..., n_queries, n_keys) -> dQ, dK, dV of the shapes of Q, K, V.
    """
    ### BEGIN SOLUTION
    dV = weights.swapaxes(-1, -2) @ d_output  # (..., n_keys, d_v)
    d_weights = d_output @ V.swapaxes(-1, -2)  # (..., n_queries, n_keys)
    d_scores = softmax_backward(weights, d_weights)
    d_products = d_scores / Q.shape[-1] ** 0.5
    return d_products @ K, d_products.swapaxes(-1, -2) @ Q, dV
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    example = np.zeros((1, 1)), np.array([[1.0], [-1.0]]), np.array([[1.0], [3.0]]), np.full((1, 2), 0.5)
    print(*(gradient.ravel() for gradient in attention_backward(np.ones((1, 1)), *example)))  # by hand

# %% check="attention_backward"
check(attention_backward)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# The output is a product of two matrices. Which of the two came out of the softmax, and what does the first of the two
# rules give for each?
#
# </details>
# <details><summary>Hint 2: shapes</summary>
#
# Every gradient has the shape of what it belongs to. With n_queries, n_keys, d_k and d_v all different, only one
# order of factors and one choice of transposes fits.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# Write the four forward lines in reverse order, and beside each the rule that undoes it. Two of the lines are products
# and give two gradients each; the gradient of the weights is the one you carry on with.
#
# </details>
#
# ## Teach a query
#
# In the trained head *it* looks at *table*. Take the squared distance between the output of *it* and the value of *red*
# as a loss, and let your functions move that one query downhill. How many steps does it need?

# %%
table = one_head("The table is red and it is big.")
it, red = table.words.index("it"), table.words.index("red")
query = table.Q[[it]]
with skip_if_unimplemented():
    for step in range(31):
        output, weights = scaled_dot_product_attention(query, table.K, table.V)
        if step in (0, 10, 30):
            print(f"step {step:2}: red {weights[0, red]:.0%}, most at {table.words[weights[0].argmax()]}")
        dQ, _, _ = attention_backward(output - table.V[[red]], query, table.K, table.V, weights)
        query = query - dQ

# %% [markdown]
# That is training in miniature. Unit 10 does it to every number of a model at once.
#
# ## Since 2017: attention without its table
#
# *Not graded.* Queries times keys numbers fill the table of weights. Softmax can also be computed one block of keys after another: keep the largest score,
# the sum and the output so far, and whenever a larger score turns up, shrink both (Milakov and Gimelshein 2018).
# *FlashAttention* (Dao et al. 2022) does this in the fast memory of a graphics card.

# %%
def attention_in_blocks(Q, K, V, size=64):
    """Return the output of attention; no more than `size` scores of a query are there at a time."""
    largest, total, output = np.full((len(Q), 1), -np.inf), np.zeros((len(Q), 1)), np.zeros((len(Q), V.shape[1]))
    for start in range(0, len(K), size):
        scores = attention_scores(Q, K[start : start + size])
        larger = np.maximum(largest, scores.max(axis=1, keepdims=True))
        e, shrink = np.exp(scores - larger), np.exp(largest - larger)
        total = total * shrink + e.sum(axis=1, keepdims=True)
        output = output * shrink + e @ V[start : start + size]
        largest = larger
    return output / total


rng = np.random.default_rng(2)
with skip_if_unimplemented():
    for n_keys in (1024, 4096, 16384):
        Q, K, V = (rng.standard_normal((n, 64)) for n in (64, n_keys, n_keys))
        (whole, _), large = memory_of(scaled_dot_product_attention, Q, K, V)
        output, small = memory_of(attention_in_blocks, Q, K, V)
        print(f"{n_keys:6,} keys: {large:4.1f} and {small:.1f} MB, largest difference {np.abs(whole - output).max():.0e}")

# %% [markdown]
# The same numbers, and memory that no longer grows with the text.
#
# ## What you have now
#
# The whole operation, forward and backward. But every query sees every key, even words that are not written yet.
# Next: **[03 Masking](../03_masking/03_masking.ipynb)** puts masks between your scores and your softmax.
