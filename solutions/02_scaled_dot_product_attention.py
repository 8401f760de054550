# %% [markdown]
# # 02 Scaled dot-product attention and the softmax Jacobian
#
# You write the operation at the centre of the Transformer and its derivatives, in plain NumPy.
# Then you use your own functions to find out what the square root in its formula is really for.
#
# **Time and points.** About 90 minutes; six exercises, 4 + 3 + 5 + 3 + 2 + 3 = 20 points.
#
# **You need** matrix products, partial derivatives and the chain rule, and NumPy's broadcasting. No earlier unit is
# used.
#
# **How this notebook works.** Run the cells from top to bottom, write your code where it says so, and run the check
# below it.
# **[START_HERE](../START_HERE.ipynb)** explains checks, hints and questions.

# %%
import tracemalloc

import numpy as np

from autograder import check, predict
from transformer_kit import plots, when_written
from transformer_kit.examples.attention import CATS, POEM, WIDE_CATS
from transformer_kit.numerical import numerical_gradient

# %% [markdown]
# ## A dictionary that blends its answers
#
# A Python dictionary compares a *query* with its *keys*. One is equal, and you get its *value*; or none is: an error.
#
# Attention also has queries, keys and values, but all of them are vectors.
# A query is compared with **every** key, and the answer is a weighted average of **all** the values: much of those
# whose keys match well, little of the others.
# Nothing is all or none, so everything can be differentiated, and therefore learned.
#
# $$\text{Attention}(Q, K, V) = \text{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V
# \qquad \text{(Vaswani et al. 2017, equation 1)}$$
#
# One vector is one **row**. Four names are kept apart from here on:
#
# | name | what it is | shape |
# |---|---|---|
# | `Q`, `K`, `V` | queries, keys, values | `(n_queries, d_k)`, `(n_keys, d_k)`, `(n_keys, d_v)` |
# | `scores` | how well a key matches a query: any number | `(n_queries, n_keys)` |
# | `weights` | a query's budget of 1, spread over the keys | `(n_queries, n_keys)` |
# | `output` | one average of the values for each query | `(n_queries, d_v)` |
#
# The running example is the sentence "write a poem": three words as rows of `X`, two numbers each.
# Three small matrices turn every word into a query, a key and a value.

# %%
words = POEM.tokens
Q, K, V = POEM.X @ POEM.W_Q, POEM.X @ POEM.W_K, POEM.X @ POEM.W_V
plots.beside(
    *(plots.heatmap(array, words, title=name, signed=True) for name, array in zip("QKV", (Q, K, V), strict=True)),
    same_limits=True, alt="Queries, keys and values of the three words; those of poem are the longest.",
)

# %% [markdown]
# ## Exercise 2.1: softmax
#
# 4 points, about 15 minutes, difficulty 2 of 5
#
# Scores can be any numbers, but an average needs positive weights that sum to 1.
# The softmax makes the numbers positive with the exponential and divides by their sum:
#
# $$p_i = \frac{e^{x_i}}{\sum_j e^{x_j}}$$
#
# A score that is higher by 1 gets a weight that is 2.718 times as large, wherever the two scores lie.
#
# | argument | shape | result |
# |---|---|---|
# | `x` | any, for example `(n_queries, n_keys)` | the shape of `x` |
# | `axis` | an integer | the axis that sums to 1 |
#
# **By hand.** For $x = (0, 1, 2)$ the exponentials are 1, 2.718 and 7.389, their sum is 11.107, and the weights are
# 0.090, 0.245 and 0.665.
#
# ### Numbers too large to exponentiate
#
# In float64, $e^{709}$ is a number and $e^{710}$ is `inf`; then `inf / inf` is NaN.
# The way out: adding the same $c$ to all scores changes nothing, because $e^{x + c} = e^{c} e^{x}$ and the factor
# $e^c$ cancels.
# So choose the $c$ that makes the largest exponent 0.
# A score of `-inf` must get weight 0; masks need that (unit 03).
#
# ### Along which axis?
#
# The maximum and the sum belong to **one** set of scores: those along `axis`.
# Other rows have their own.

# %% solution="softmax"
def softmax(x, axis=-1):
    """Turn the numbers along `axis` into positive weights that sum to 1.

    Parameters
    ----------
    x : ndarray of any shape
        Finite numbers of any size, or -inf for a weight of exactly 0.
    axis : int
        The axis that sums to 1.

    Returns
    -------
    ndarray of the shape of x
    """
    ### BEGIN SOLUTION
    largest = x.max(axis=axis, keepdims=True)
    exponentials = np.exp(x - largest)  # the largest exponent is 0: no overflow
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
    ### END SOLUTION

# %%
with when_written():
    print(softmax(np.array([0.0, 1.0, 2.0])).round(3))

# %%
plots.yours_and_target(
    softmax, POEM.scores, row_labels=words, column_labels=words, x_label="key", y_label="query",
    title="The weights of the poem", alt="Every row sums to 1.",
)

# %% check="softmax"
check(softmax)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Which number can you subtract from a whole row so that the largest exponent becomes 0? And how many such numbers
# does an array with two rows need?
#
# </details>
#
# <details><summary>Hint 2: shapes</summary>
#
# A sum over the last axis of an array of shape (2, 3) has shape (2,), which does not line up with (2, 3). A shape
# of (2, 1) does. Look up `keepdims`.
#
# </details>
#
# <details><summary>Hint 3: in words</summary>
#
# Find the largest number of each row. Subtract it from its row. Exponentiate. Add up each row. Divide each row by
# its sum.
#
# </details>
#
# ### Ten times the scores
#
# Predict before you run: all scores of a row are multiplied by 10. What happens to the weights?
#
# - **A.** Nothing; only the ratios of the scores count.
# - **B.** The largest weight comes close to 1, the others close to 0.
# - **C.** The weights become more alike.

# %% answer="ten-times-the-scores"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("ten-times-the-scores", answer)

# %%
with when_written():
    for factor in (0, 1, 10):
        print(f"{factor:>2} times the scores:", softmax(factor * np.array([0.0, 1.0, 2.0])).round(6))

# %% [markdown]
# ## Exercise 2.2: attention_scores
#
# 3 points, about 12 minutes, difficulty 2 of 5
#
# A dot product says how well two vectors match: the angle between them and both lengths enter.
# The scores are all the dot products of queries with keys, scaled:
#
# $$S = \frac{Q K^\top}{\sqrt{d_k}}$$
#
# | argument | shape |
# |---|---|
# | `Q` | `(..., n_queries, d_k)` |
# | `K` | `(..., n_keys, d_k)` |
# | result | `(..., n_queries, n_keys)` |
#
# The dots stand for any leading axes, such as batch and heads.
#
# **By hand.** The query of *write* is (0.7621, -0.0477) and the key of *a* is (0.1049, 0.3774).
# Their dot product is 0.0799 - 0.0180 = 0.0619, and divided by $\sqrt 2$ it is 0.0438.
#
# ### Every query meets every key
#
# Row $i$, column $j$ of the scores belongs to query $i$ and key $j$.
# The number of scores in a row is the number of **keys**. It has nothing to do with `d_k`, which is the number of
# terms in each dot product.
#
# ### Why the square root of d_k
#
# Suppose that the entries of $q$ and $k$ are independent, with mean 0 and variance 1.
# Then $q \cdot k$ is a sum of $d_k$ terms with mean 0 and variance 1 each: its mean is 0, its variance $d_k$
# (Vaswani et al. 2017, footnote 4).
# Divided by $\sqrt{d_k}$, the scores have standard deviation 1 whatever the width.
#
# The width that counts is that of the vectors which are multiplied, not the width $d_{\text{model}}$ of the whole
# model.
# The base model of the paper has $d_{\text{model}} = 512$ in 8 heads, so each query has 64 numbers and the divisor
# is 8, not 22.6.

# %% solution="attention_scores"
def attention_scores(Q, K):
    """Return the scaled dot product of every query with every key.

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d_k)
    K : ndarray of shape (..., n_keys, d_k)

    Returns
    -------
    ndarray of shape (..., n_queries, n_keys)
    """
    ### BEGIN SOLUTION
    d_k = Q.shape[-1]
    products = Q @ K.swapaxes(-1, -2)  # (..., n_queries, d_k) @ (..., d_k, n_keys)
    return products / d_k**0.5  # a Python float keeps float32 arrays float32
    ### END SOLUTION

# %%
plots.yours_and_target(
    attention_scores, Q, K, row_labels=words, column_labels=words, x_label="key", y_label="query",
    title="The scores of the poem", alt="Poem matches its own key by far the best.",
)

# %% check="attention_scores"
check(attention_scores)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# A matrix product pairs the rows of its left factor with the columns of its right one. The keys are rows. What has
# to happen to `K` first?
#
# </details>
#
# <details><summary>Hint 2: shapes</summary>
#
# You need (n_queries, d_k) times (d_k, n_keys). With leading axes only the last two axes of `K` may change places;
# `.T` reverses all of them.
#
# </details>
#
# <details><summary>Hint 3: in words</summary>
#
# Exchange the last two axes of the keys. Take the matrix product of the queries with that. Read the width of one
# query from the last axis, and divide by its square root.
#
# </details>
#
# ### Measure the variance
#
# The argument above is easy to test: the products of 2,000 random pairs, for six widths.

# %%
for d_k in 4 ** np.arange(6):
    queries, keys = np.random.default_rng(0).standard_normal((2, 2000, d_k))
    print(f"d_k = {d_k:4}: variance of q · k = {(queries * keys).sum(axis=-1).var():.1f}")

# %% [markdown]
# ### Move the width
#
# One query meets eight keys, all drawn at random. Move the slider: more and more coordinates are used.
# Without a scale, one key takes everything as the width grows.
# Divided by $\sqrt{d_k}$, the weights are spread about equally far at every width.
# Divided by $\sqrt{512}$, they are nearly equal at small widths: the query can hardly choose.

# %%
rng = np.random.default_rng(5)
long_query, long_keys = rng.standard_normal((1, 1024)), rng.standard_normal((8, 1024))

def weights_at(d_k):
    """Draw the weights at one width, with three divisors."""
    scores = attention_scores(long_query[:, :d_k], long_keys[:, :d_k])[0]
    factors = {"no scale": np.sqrt(d_k), "by √d_k": 1.0, "by √512": np.sqrt(d_k / 512)}
    bars = {name: softmax(factor * scores) for name, factor in factors.items()}
    return plots.bars(bars, x_label="key", y_label="weight", limits=(0, 1), title=f"d_k = {d_k}")

with when_written():
    display(plots.slider(weights_at, "d_k", [1, 4, 16, 64, 256, 1024], start=64))

# %% [markdown]
# ### The exponential of the cosine
#
# The dot product is $|q||k|\cos\theta$, so a key's weight goes like $e^{|q||k|\cos\theta}$.
# With unit vectors, turning a key from 0° to 180° lowers its weight by a factor of 7.4 only.
# Lengths sharpen the comparison: at $|q||k| = 4$ the factor is 2,981.

# %%
angles = np.linspace(0, 180, 61)
with when_written():
    weights_by_length = {f"|q||k| = {c}": softmax(c * np.cos(np.radians(angles))) for c in (1, 4, 16)}
    relative = {name: weights / weights.max() for name, weights in weights_by_length.items()}
    display(plots.curves(angles, relative, x_label="angle between query and key (degrees)",
                         y_label="weight, relative to 0°"))

# %% [markdown]
# ## Exercise 2.3: scaled_dot_product_attention
#
# 5 points, about 10 minutes, difficulty 2 of 5
#
# Now put the pieces together.
#
# $$A = \text{softmax}(S), \qquad \text{output} = A V$$
#
# | argument | shape | result | shape |
# |---|---|---|---|
# | `Q` | `(..., n_queries, d_k)` | `output` | `(..., n_queries, d_v)` |
# | `K` | `(..., n_keys, d_k)` | `weights` | `(..., n_queries, n_keys)` |
# | `V` | `(..., n_keys, d_v)` | | |
#
# ### An average of the values
#
# **By hand.** The weights of *write* are 0.356, 0.398 and 0.246. The first number of its output is
# 0.356 · 0.5996 + 0.398 · (-0.3538) + 0.246 · 3.8574 = 1.02.
#
# Two things follow without any arithmetic.
# An average lies between the smallest and the largest value of its column.
# And if keys and values are reordered together, the output stays the same: attention does not see the order.
#
# The whole operation has no parameter. What a model learns is in the matrices that make queries, keys and values.
#
# A weight of 0.36 does not mean "36 % similar". It is a share of this query's budget and depends on all the keys:
# *write* gives *a* 0.398, but *a* gives *write* 0.341.

# %% solution="scaled_dot_product_attention"
def scaled_dot_product_attention(Q, K, V):
    """Return, for every query, the average of the values weighted by how well their keys match.

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d_k)
    K : ndarray of shape (..., n_keys, d_k)
    V : ndarray of shape (..., n_keys, d_v)

    Returns
    -------
    output : ndarray of shape (..., n_queries, d_v)
    weights : ndarray of shape (..., n_queries, n_keys)
        Every row sums to 1.
    """
    ### BEGIN SOLUTION
    weights = softmax(attention_scores(Q, K), axis=-1)
    output = weights @ V  # (..., n_queries, n_keys) @ (..., n_keys, d_v)
    return output, weights
    ### END SOLUTION

# %%
plots.yours_and_target(
    scaled_dot_product_attention, Q, K, V, pick=0, row_labels=words, x_label="column", y_label="query",
    title="The output of the poem", alt="Poem attends mostly to itself: its output is close to its value.",
)

# %% check="scaled_dot_product_attention"
check(scaled_dot_product_attention)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# You have written two of the three steps. In which order are they applied, and along which axis must the weights
# sum to 1?
#
# </details>
#
# <details><summary>Hint 2: shapes</summary>
#
# The weights are (n_queries, n_keys), the values (n_keys, d_v). The product of the two has the shape of the output.
#
# </details>
#
# <details><summary>Hint 3: in words</summary>
#
# Compute the scores. Turn each query's scores into weights. Multiply the weights by the values. Return the output
# first, then the weights.
#
# </details>
#
# ### The dictionary made soft
#
# Three keys at right angles, three prices. The query is the key of *tea*, made longer and longer.
# At length 0 the answer is the mean of all prices; at length 50 it is the look-up of a dictionary.
# A query half way between *tea* and *cake* gets an answer half way between their prices.

# %%
prices = {"coffee": 3.0, "tea": 2.0, "cake": 5.0}
keys, values = np.eye(3), np.array([[price] for price in prices.values()])
tea, cake = keys[1], keys[2]
queries = {"0 · tea": 0 * tea, "3 · tea": 3 * tea, "50 · tea": 50 * tea, "50 · (tea + cake)": 50 * (tea + cake)}
with when_written():
    answers, shares = scaled_dot_product_attention(np.array(list(queries.values())), keys, values)
    rows = [f"{name} gives {answer:.2f}" for name, answer in zip(queries, answers[:, 0], strict=True)]
    display(plots.heatmap(shares, rows, list(prices), x_label="key", y_label="query",
                          alt="The weights go from equal to one-hot; the last query shares them between two keys."))

# %% [markdown]
# ## Find the error: two mistakes that cancel
#
# A set of lecture notes works out attention for "I like cats", with two queries, $d_k = 4$ and $K = V = E$.
# At least one of its printed lines is wrong.

# %%
for line, numbers in (
    ("Q =", CATS.Q), ("E =", CATS.E),
    ("1. Q Kᵀ", CATS.printed_products), ("2. divided by 2", CATS.printed_scores),
    ("3. softmax", CATS.printed_weights), ("4. times V", CATS.printed_output),
):
    print(f"{line:16}", numbers.tolist())

# %% [markdown]
# Which statement is true? Use your functions, in a new cell.
#
# - **A.** Only line 1 is wrong; the other lines follow from the lines before them.
# - **B.** Line 2 is wrong, because 4 should be the divisor.
# - **C.** Only line 3 is wrong.
# - **D.** Line 1 is scaled already, line 2 scales again, and line 3 does not follow from line 2.

# %% answer="printed-steps"
### BEGIN SOLUTION
answer = "D"
### END SOLUTION
predict("printed-steps", answer)

# %% [markdown]
# What should the **scores** have been? Give the two rows of three numbers, to two decimals or better.

# %% answer="right-scores"
### BEGIN SOLUTION
answer = [[0.30, 0.70, 1.10], [0.25, 0.57, 0.89]]
### END SOLUTION
predict("right-scores", answer)

# %%
with when_written():
    output, weights = scaled_dot_product_attention(CATS.Q, CATS.E, CATS.E)
    print("right weights:  ", weights.round(3).tolist())
    print("printed weights:", CATS.printed_weights.tolist())

# %% [markdown]
# ## Find the error: an output that cannot be
#
# Another printed example has 512 columns and shows four. Here you cannot recompute anything.

# %%
print("V, four of 512 columns:", WIDE_CATS.V.tolist())
print("printed output:        ", WIDE_CATS.printed_output.tolist())

# %% [markdown]
# Even so: which of the two printed output rows could come from *any* weights?
#
# - **A.** Both.
# - **B.** Only the second.
# - **C.** Only the first.
# - **D.** Neither.

# %% answer="impossible-rows"
### BEGIN SOLUTION
answer = "D"
### END SOLUTION
predict("impossible-rows", answer)

# %% [markdown]
# ## Exercise 2.4: softmax_jacobian
#
# 3 points, about 12 minutes, difficulty 3 of 5
#
# What happens to the weights $p$ when the scores $s$ of one query move a little?
# With $n$ scores and $n$ weights the answer is an $n \times n$ matrix, the Jacobian
# $J_{ij} = \partial p_i / \partial s_j$.
#
# ### Every weight depends on every score
#
# All scores meet in the sum below the fraction line. The quotient rule gives
#
# $$\frac{\partial p_i}{\partial s_j} = p_i\,(\delta_{ij} - p_j),
# \qquad\text{in matrices}\qquad J = \text{diag}(p) - p\,p^\top .$$
#
# On the diagonal stands $p_i(1 - p_i) \ge 0$, beside it $-p_i p_j \le 0$: what one weight gains, the others lose.
#
# **By hand.** For $p = (1, 2, 5)/8$, in 64ths:
#
# $$64\,J = \begin{pmatrix} 7 & -2 & -5 \\ -2 & 12 & -10 \\ -5 & -10 & 15 \end{pmatrix}$$
#
# ### The divisor and the chain rule
#
# Your function takes a divisor $C$ and differentiates $p = \text{softmax}(s / C)$ with respect to $s$.
# So $C$ enters twice: it changes the weights, and the chain rule through $s / C$ contributes a factor $1/C$.
#
# | argument | shape | result |
# |---|---|---|
# | `s` | `(n,)` | `J` of shape `(n, n)` |
# | `C` | a number | |

# %% solution="softmax_jacobian"
def softmax_jacobian(s, C=1.0):
    """Return the Jacobian of softmax(s / C) with respect to s.

    Parameters
    ----------
    s : ndarray of shape (n,)
    C : float
        The divisor; for attention the square root of d_k.

    Returns
    -------
    ndarray of shape (n, n)
        Entry (i, j) is the derivative of weight i with respect to s[j].
    """
    ### BEGIN SOLUTION
    p = softmax(s / C)
    return (np.diag(p) - np.outer(p, p)) / C  # 1 / C from the chain rule
    ### END SOLUTION

# %%
plots.yours_and_target(
    softmax_jacobian, np.log([1.0, 2.0, 5.0]), x_label="score", y_label="weight",
    title="The example by hand", alt="Positive on the diagonal, negative beside it.",
)

# %% [markdown]
# Derivatives can be tested without any formula: move one entry a little to both sides and see what changes.
# `numerical_gradient(function, x)` does that for every entry of `x`.

# %%
s = np.array([0.3, -1.2, 0.8, 0.1])
with when_written():
    by_differences = numerical_gradient(lambda s: softmax(s / 2), s)
    print("largest gap:", np.abs(softmax_jacobian(s, 2) - by_differences).max())

# %% check="softmax_jacobian"
check(softmax_jacobian)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# The Jacobian is the difference of two matrices. Which of them has zeros beside the diagonal, and which is a table
# of all products of two weights?
#
# </details>
#
# <details><summary>Hint 2: shapes</summary>
#
# Both matrices are (n, n). For an array with one axis, `p.T` is `p` itself, so `p @ p.T` is a single number. NumPy
# has a function for the *outer* product.
#
# </details>
#
# <details><summary>Hint 3: in words</summary>
#
# Compute the weights of the divided scores. Put them on the diagonal of a matrix. Subtract the table of all
# products of two weights. Divide by the divisor once more.
#
# </details>
#
# ## What a picture of Jacobians shows
#
# A popular way to explain the scale is to draw random scores of length $n$ with variance $n$, and to compare the
# Jacobian without scale with the one for $C = \sqrt n$.
# Each panel has its mean, standard deviation (SD) and range in the title.
# Before you draw it: what is the **mean of all entries** of such a Jacobian?
#
# - **A.** Positive, because the diagonal is positive.
# - **B.** 0, for all scores and every $C$.
# - **C.** Smaller with the scale than without.
# - **D.** Negative, because most entries are negative.

# %% answer="jacobian-mean"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("jacobian-mean", answer)

# %%
sizes = (4, 8, 16, 32, 64)

def draws(n, count, seed):
    """Return random score vectors as rows; every entry has variance n."""
    return np.sqrt(n) * np.random.default_rng(seed).standard_normal((count, n))

def jacobian_pair(s):
    """Return the Jacobian without scale and with the scale of the square root of the length."""
    return softmax_jacobian(s), softmax_jacobian(s, np.sqrt(len(s)))

def one_draw_each(seed):
    """Return a pair of Jacobians for every length."""
    return [jacobian_pair(draws(n, 1, seed)[0]) for n in sizes]

# %%
with when_written():
    display(plots.jacobian_grid(one_draw_each(seed=0), title="Softmax Jacobians of one draw for each length",
                                alt="White is zero; both panels of a column share a colour scale."))

# %% [markdown]
# White is 0, blue is positive, red is negative, and both panels of a column share one scale.
# Each unscaled panel looks stronger than the scaled one below it.
# Give every panel its own scale, and the other half of the story appears: without scale a few entries are left,
# with it the whole diagonal.

# %%
with when_written():
    display(plots.jacobian_grid(one_draw_each(seed=0), same_limits=False,
                                title="The same Jacobians, each on its own scale",
                                alt="Scaled: a full diagonal. Unscaled: a few entries among zeros."))

# %% [markdown]
# One draw is not evidence (try `seed=2` above). So here are 400 for each length, and only their SD.

# %%
def spreads(n):
    """Return every draw's SD: without scale, with it, and with it but without the factor 1/C."""
    pairs = [jacobian_pair(s) for s in draws(n, 400, seed=2017)]
    without, scaled = np.array([[J.std() for J in pair] for pair in pairs]).T
    return without, scaled, np.sqrt(n) * scaled

with when_written():
    print(" n   mean SD: without    scaled  scaled · C   without is larger than: scaled  scaled · C")
    for n in sizes:
        without, scaled, inner = spreads(n)
        print(f"{n:2}{without.mean():18.5f}{scaled.mean():10.5f}{inner.mean():12.5f}"
              f"{(without > scaled).mean():32.0%}{(without > inner).mean():12.0%}")

# %%
with when_written():
    names = ("without scale", "scaled", "scaled · C")
    display(plots.strip(dict(zip(names, spreads(64), strict=True)), y_label="SD of the entries, n = 64",
                        alt="Without scale the SD covers several powers of ten, with it hardly any."))

# %% [markdown]
# ### What it does not show
#
# - **The mean says nothing.** It is 0 for every input. The SD is then the root mean square of the entries, so "more
#   variance" and "larger entries" are the same statement here.
# - **Most of the difference is the factor $1/C$.** Without scale the SD is larger in about four of five draws.
#   Multiply $C$ back in, and from $n = 8$ on it is close to a coin toss.
# - **One draw is luck.** At $n = 64$, nine in ten unscaled SDs are spread over three powers of ten; nine in ten scaled
#   ones lie between 0.00031 and 0.00044.
# - **"Larger" depends on the statistic.** In SD the unscaled Jacobian is usually larger. In its *typical* entry
#   (the median of the sizes) it is smaller in every one of the 400 draws with $n = 64$: a few large entries stand
#   among many that are almost 0.
# - **The length of $s$ is not $d_k$.** It is the number of keys. A plot that ties the two together mixes two
#   effects.
# - **Random scores are a model of the beginning of training**, not of what comes later.
#
# ## What the scale is for
#
# So keep the number of keys fixed at 16 and vary $d_k$ alone. Draw queries and keys whose entries have variance 1.
# First the weights: their entropy, as a share of the largest one possible, and how often one key takes more than 0.99.

# %%
widths, n_keys, n_draws = 4 ** np.arange(6), 16, 600

def random_attention(d_k):
    """Return random keys (n_draws, n_keys, d_k) and the scores (n_draws, n_keys) of one query each."""
    rng = np.random.default_rng(2017)
    queries, keys = (rng.standard_normal((n_draws, n, d_k)) for n in (1, n_keys))
    return keys, attention_scores(queries, keys)[:, 0]

def entropy(weights):
    """Return the entropy of every row, 1 for equal weights."""
    return -(weights * np.log(np.maximum(weights, 1e-300))).sum(axis=-1) / np.log(n_keys)

# %%
with when_written():
    scores = {d_k: random_attention(d_k)[1] for d_k in widths}
    weights = {"scaled": [softmax(s) for s in scores.values()],
               "unscaled": [softmax(np.sqrt(d_k) * s) for d_k, s in scores.items()]}
    entropies = {name: [entropy(p).mean() for p in ps] for name, ps in weights.items()}
    saturated = {name: [(p.max(axis=-1) > 0.99).mean() for p in ps] for name, ps in weights.items()}
    axis = {"x_label": "d_k", "log_x": True, "limits": (0, 1)}
    display(plots.beside(
        plots.curves(widths, entropies, title="mean entropy", **axis),
        plots.curves(widths, saturated, title="share of saturated rows", **axis),
        alt="With the scale nothing depends on d_k; without it the weights collapse onto one key.",
    ))

# %% [markdown]
# Now the gradient. What reaches the query is the size of $\partial p / \partial q$, which is the Jacobian times the
# keys.
# Predict: **without** the scale, how does the **mean** of this size over many random rows change as $d_k$ grows
# from 1 to 1024?
#
# - **A.** It falls towards 0.
# - **B.** It stays the same.
# - **C.** It rises to several times its first value, although it nearly vanishes for most rows.

# %% answer="unscaled-gradient"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("unscaled-gradient", answer)

# %%
def gradient_sizes(d_k, C):
    """Return the size of the derivative of the weights with respect to the query, for every draw."""
    keys, scores = random_attention(d_k)
    pairs = zip(np.sqrt(d_k) * scores, keys, strict=True)  # the dot products, before any scale
    return np.array([np.linalg.norm(softmax_jacobian(s, C) @ K) for s, K in pairs])

with when_written():
    unscaled = [gradient_sizes(d_k, 1.0) for d_k in widths]
    scaled = [gradient_sizes(d_k, np.sqrt(d_k)) for d_k in widths]
    lines = {"unscaled, mean": np.mean(unscaled, axis=1), "unscaled, median": np.median(unscaled, axis=1),
             "scaled, mean": np.mean(scaled, axis=1), "scaled, median": np.median(scaled, axis=1)}
    display(plots.curves(widths, lines, x_label="d_k", y_label="size of ∂p/∂q", log_x=True, log_y=True,
                         alt="Scaled: one flat line. Unscaled: the mean rises, the median collapses."))

# %%
with when_written():
    widest = {"unscaled": gradient_sizes(1024, 1.0), "scaled": gradient_sizes(1024, 32.0)}
    for name, sizes_of_draws in widest.items():
        share = np.sort(sizes_of_draws)[-(n_draws // 10):].sum() / sizes_of_draws.sum()
        print(f"{name}: a tenth of the rows has {share:.0%} of all the gradient")
    display(plots.strip(widest, y_label="size of ∂p/∂q at d_k = 1024", limits=(1e-6, 40),
                        alt="Points below the lower limit are drawn on it."))

# %% [markdown]
# The usual one-line reason, "without the scale gradients vanish", is half of the truth.
# The scale does not raise the average: at $d_k = 1024$ the unscaled mean is 1.25, the scaled one 0.31.
# **It makes the gradient that reaches the query independent of $d_k$, and nearly the same for every row.**
# Without it most rows are saturated and pass on next to nothing (the median is 0.0001), while a few near-ties carry
# nearly everything: 83 % of it is in a tenth of the rows. (So the unscaled mean is noisy: it varies with the seed.)
# And the factor $1/C$ in the Jacobian? The keys make up for it: their length grows like $\sqrt{d_k}$.
#
# ## Exercise 2.5: softmax_backward
#
# 2 points, about 10 minutes, difficulty 3 of 5
#
# Training never needs the Jacobian itself.
# It gets the gradient of a loss $L$ with respect to the weights, $dp = \partial L / \partial p$, and needs the one
# with respect to the scores:
#
# $$ds = J^\top dp = \left(\text{diag}(p) - p\,p^\top\right) dp$$
#
# | argument | shape | result |
# |---|---|---|
# | `p` | `(..., n)`, what the softmax returned | `(..., n)` |
# | `d_p` | `(..., n)` | |
#
# **By hand.** For $p = (1, 2, 5)/8$ and $dp = (1, 0, 0)$ the result is the first column of $J$: $(7, -2, -5)/64$.
#
# ### Without building the matrix
#
# At $n = 4096$ one Jacobian has 16.8 million entries, 134 MB, for **each** query.
# Multiply the bracket out on paper, one term at a time. No matrix is left: the second term is $p$ times a single
# number.
# Your function must need memory that grows like $n$.

# %% solution="softmax_backward"
def softmax_backward(p, d_p, axis=-1):
    """Return the gradient before the softmax, given the gradient after it, without building a Jacobian.

    Parameters
    ----------
    p : ndarray of shape (..., n)
        What the softmax returned.
    d_p : ndarray of shape (..., n)
        Gradient of a loss with respect to p.
    axis : int
        The axis of the softmax.

    Returns
    -------
    ndarray of shape (..., n)
        Gradient of the loss with respect to the softmax's argument.
    """
    ### BEGIN SOLUTION
    mean = (p * d_p).sum(axis=axis, keepdims=True)  # the weighted mean of the gradient
    return p * (d_p - mean)
    ### END SOLUTION

# %%
def peak_memory(function, *args):
    """Return the bytes that a call needs at its peak."""
    tracemalloc.start()
    function(*args)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak

lengths = 2 ** np.arange(5, 12)
with when_written():
    with_matrix = [peak_memory(lambda s: softmax_jacobian(s) @ s, np.ones(n)) for n in lengths]
    yours = [peak_memory(softmax_backward, np.ones(n) / n, np.ones(n)) for n in lengths]
    display(plots.curves(lengths, {"with a Jacobian": with_matrix, "your function": yours},
                         x_label="n", y_label="bytes", log_x=True, log_y=True,
                         alt="At twice the length: four times the memory, or twice."))

# %% check="softmax_backward"
check(softmax_backward)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# What is $p\,p^\top dp$ if you multiply the last two factors first?
#
# </details>
#
# <details><summary>Hint 2: shapes</summary>
#
# The product of the last two is one number for each row. To subtract it from a row of length n it needs an axis of
# length 1.
#
# </details>
#
# <details><summary>Hint 3: in words</summary>
#
# Average the gradient of each row, using the weights of that row. Subtract this average from the gradient. Weight
# what is left.
#
# </details>
#
# ## Exercise 2.6: attention_backward
#
# 3 points, about 15 minutes, difficulty 4 of 5
#
# Last, the derivative of the whole operation: given the gradient of a loss with respect to the output, find those
# for `Q`, `K` and `V`.
#
# | argument | shape | result | shape |
# |---|---|---|---|
# | `d_output` | `(..., n_queries, d_v)` | `dQ` | that of `Q` |
# | `Q`, `K`, `V` | as before | `dK` | that of `K` |
# | `weights` | `(..., n_queries, n_keys)` | `dV` | that of `V` |
#
# ### Backwards, line by line
#
# Forward, there are four lines: $P = QK^\top$, then $S = P/\sqrt{d_k}$, then $A = \text{softmax}(S)$, then
# $O = AV$.
# Take them in the opposite order. You need three rules; $dX$ means the gradient with respect to $X$.
#
# | forward | backward |
# |---|---|
# | $Y = BC$ | $dB = dY\,C^\top$ and $dC = B^\top dY$ |
# | $Y = X/c$ | $dX = dY/c$ |
# | $A = \text{softmax}(S)$ | your `softmax_backward` |
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
# Use those that you are given, and neither compute nor normalise them again: a query from which everything is hidden
# has the weights 0, and so its gradient is 0.

# %% solution="attention_backward"
def attention_backward(d_output, Q, K, V, weights):
    """Return the gradients of a loss with respect to Q, K and V.

    Parameters
    ----------
    d_output : ndarray of shape (..., n_queries, d_v)
        Gradient of the loss with respect to the attention's output.
    Q : ndarray of shape (..., n_queries, d_k)
    K : ndarray of shape (..., n_keys, d_k)
    V : ndarray of shape (..., n_keys, d_v)
    weights : ndarray of shape (..., n_queries, n_keys)
        The weights of the forward pass, masked or not.

    Returns
    -------
    dQ, dK, dV : ndarrays of the shapes of Q, K and V
    """
    ### BEGIN SOLUTION
    dV = weights.swapaxes(-1, -2) @ d_output  # (..., n_keys, d_v)
    d_weights = d_output @ V.swapaxes(-1, -2)  # (..., n_queries, n_keys)
    d_scores = softmax_backward(weights, d_weights)
    d_products = d_scores / Q.shape[-1] ** 0.5
    return d_products @ K, d_products.swapaxes(-1, -2) @ Q, dV
    ### END SOLUTION

# %%
d_output = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
plots.yours_and_target(
    attention_backward, d_output, Q, K, V, POEM.weights, pick=0, signed=True,
    row_labels=words, x_label="column", y_label="query",
    title="dQ of the poem", alt="The gradient with respect to the three queries.",
)

# %%
def loss(Q, K, V):
    """Return a number whose gradient with respect to the output is d_output."""
    return (d_output * scaled_dot_product_attention(Q, K, V)[0]).sum()

with when_written():
    dQ, dK, dV = attention_backward(d_output, Q, K, V, scaled_dot_product_attention(Q, K, V)[1])
    print("gap in dQ:", np.abs(dQ - numerical_gradient(lambda Q: loss(Q, K, V), Q)).max())
    print("gap in dK:", np.abs(dK - numerical_gradient(lambda K: loss(Q, K, V), K)).max())
    print("gap in dV:", np.abs(dV - numerical_gradient(lambda V: loss(Q, K, V), V)).max())

# %% check="attention_backward"
check(attention_backward)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# The output is a product of two matrices. Which rule gives the gradient of each of them, and which of the two came
# out of the softmax?
#
# </details>
#
# <details><summary>Hint 2: shapes</summary>
#
# Every gradient has the shape of what it belongs to. With n_queries, n_keys, d_k and d_v all different, only one
# order of factors and one choice of transposes fits.
#
# </details>
#
# <details><summary>Hint 3: in words</summary>
#
# From the output's product get the gradients of values and weights. Send the latter through your softmax_backward.
# Apply the scale of the forward pass. From the product of queries and keys get the last two gradients.
#
# </details>
#
# ## What you have now
#
# You have the whole operation, forward and backward, for any leading axes: three functions that the later units
# build on, and three that train them.
# You have also seen a plot that is true and says little, and how to ask a better question.
#
# Two things are still missing. Attention does not see the order of the words; unit 01 adds it to the inputs.
# And every query sees every key, later words included.
#
# Next: **[03 Masking](../03_masking/03_masking.ipynb)** puts the masks in, between your scores and your softmax.
