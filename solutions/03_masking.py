# %% [markdown]
# # 03 Masking
#
# Some keys must stay invisible: the future, and the padding.
# You write the masks that hide them, an attention that respects them, and a test that proves that nothing leaks.
#
# **Time and points.** About 60 minutes; seven exercises, 3 + 2 + 2 + 2 + 5 + 4 + 2 = 20 points.
#
# **You need** attention as in unit 02 and NumPy's broadcasting.
# Your functions of unit 02 are loaded, and the course lends those that you have not finished.
#
# **How this notebook works.** Run the cells from top to bottom, write your code where it says so, and run the check
# below it.
# **[START HERE](../START_HERE.ipynb)** explains checks, hints and questions.

# %%
import numpy as np

from autograder import check, load, predict
from transformer_kit import plots, when_written
from transformer_kit.examples.attention import POEM
from transformer_kit.examples.masks import BATCH, MASKED_POEM, POEM_MASK, TWO_TOKENS, UNIFORM
from transformer_kit.leaks import leak_meter, mask_on_weights

attention_scores, softmax = load("attention_scores", "softmax")

np.set_printoptions(precision=6, suppress=True)  # 0.000037, not 3.7e-05

# %% [markdown]
# ## What a mask is for
#
# Attention lets every query look at every key.
# There are two reasons to forbid some of it.
#
# - **The future.** A decoder learns to predict the next token.
#   In training the whole target sentence goes in at once, so at every position the answer stands right there, one
#   place further on.
#   A model that can see it copies it, and has learned nothing for the day when there is no answer to copy.
# - **The padding.** Sentences in one batch have different lengths.
#   The short ones are filled up with a `<pad>` token that means nothing, and nothing should be taken from it.
#
# In both cases the inputs stay as they are.
# What is hidden are *pairs*: this query must not use that key.

# %% [markdown]
# ## The convention of this course
#
# A mask is an array of booleans, and **True means "may attend"**.
# Its last two axes are queries (rows) and keys (columns), like those of the scores, or it broadcasts to them.
#
# Others have decided otherwise.
# Before you hand a mask to a library, look at its table of arguments:
#
# | where | argument | True or 1 means |
# |---|---|---|
# | this course | `mask` | may attend |
# | PyTorch, `scaled_dot_product_attention` | `attn_mask` (boolean) | may attend |
# | PyTorch, `nn.MultiheadAttention` | `key_padding_mask` (boolean) | **ignored** |
# | Keras, `MultiHeadAttention` | `attention_mask` | may attend |
#
# ### Predict: the mask of one library in another
#
# The sentence is "write a poem" and one `<pad>`, so the house mask for its keys is True, True, True, False.
# You pass it, unchanged, as `key_padding_mask` to PyTorch's `nn.MultiheadAttention`.
# Which keys can be attended to?
#
# - **A** The three words.
# - **B** Only the padding.
# - **C** None, because there is an error.
# - **D** All four.

# %% answer="library-mask"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("library-mask", answer)

# %%
tokens = np.array(["write", "a", "poem", "<pad>"])
is_token = np.array([True, True, True, False])
print("True = may attend:", tokens[is_token])
print("True = ignored:   ", tokens[~is_token])

# %% [markdown]
# ## Exercise 3.1: causal_mask
#
# *3 points, about 8 minutes, difficulty 2 of 5*
#
# The causal mask hides the future: a query sees its own position and everything before it.
# So information flows from left to right, from earlier positions to later ones, and never back.
# Its own position is allowed, because in a decoder the target is shifted by one: "itself" is the token *before* the
# one to be predicted (Vaswani et al. 2017, section 3.1).
#
# With $n_q$ queries, $n_k$ keys, and rows $i$ and columns $j$ counted from 0,
#
# $$m_{ij} = \text{True} \iff j \le i + (n_k - n_q)$$
#
# | name | shape | meaning |
# |---|---|---|
# | `n_queries` | an int | rows of the mask |
# | `n_keys` | an int, or None for as many as queries | columns of the mask |
# | result | `(n_queries, n_keys)`, bool | True = may attend |
#
# ### When there are more keys than queries
#
# A model that writes a text token by token keeps the old keys and only makes queries for the new tokens.
# So **the queries are the last positions**, and the last query sees every key.
# That is the $n_k - n_q$ in the formula.
#
# Fewer keys than queries make no sense: some query would lack its own key.
# Then raise a `ValueError` whose message contains both numbers.
#
# **By hand.** Two queries and five keys: the queries stand at positions 3 and 4.
#
# | | key 0 | key 1 | key 2 | key 3 | key 4 |
# |---|---|---|---|---|---|
# | query at position 3 | ✓ | ✓ | ✓ | ✓ | hidden |
# | query at position 4 | ✓ | ✓ | ✓ | ✓ | ✓ |

# %% solution="causal_mask"
def causal_mask(n_queries, n_keys=None):
    """Return the mask that lets every position attend to itself and to what came before.

    Parameters
    ----------
    n_queries : int
    n_keys : int, optional
        As many as queries when left out. With more keys, the queries are the last positions.
        With fewer, raise a ValueError that mentions both numbers.

    Returns
    -------
    ndarray of shape (n_queries, n_keys), bool
        True = may attend.
    """
    ### BEGIN SOLUTION
    n_keys = n_queries if n_keys is None else n_keys
    if n_keys < n_queries:
        raise ValueError(f"every query needs its own key: got {n_queries} queries but only {n_keys} keys")
    key_positions = np.arange(n_keys)
    query_positions = key_positions[n_keys - n_queries :, None]  # (n_queries, 1)
    return key_positions <= query_positions
    ### END SOLUTION

# %%
with when_written():
    print(causal_mask(2, 5))

# %%
words = BATCH.tokens[0]
plots.yours_and_target(
    causal_mask, 5, draw=plots.mask_picture, row_labels=words, column_labels=words,
    alt="Every word may attend to itself and to the words on its left.",
)

# %% check="causal_mask"
check(causal_mask)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# At which position does the first query stand when there are 5 keys and 2 queries? And the last one?
#
# </details>
# <details><summary>Hint 2: shapes</summary>
#
# Positions of queries as a column, of shape (n_queries, 1), and positions of keys as a row, of shape (n_keys,), can
# be compared with each other. The comparison broadcasts to (n_queries, n_keys) and is boolean.
#
# </details>
# <details><summary>Hint 3: steps in words</summary>
#
# Replace a missing number of keys. Refuse too few keys. Number the keys from 0, and the queries so that the last one
# has the number of the last key. A pair is allowed when the key does not come after the query.
#
# </details>

# %% [markdown]
# ## Exercise 3.2: padding_mask
#
# *2 points, about 4 minutes, difficulty 1 of 5*
#
# In a batch, `is_token` says for every sentence which places hold real tokens.
# The padding is to be hidden **as a key, from every query**.
# What a padding token computes for itself as a query does not matter: that row is thrown away later.
#
# So one row per sentence is enough, and an axis of length 1 stands for all of its queries.
# For sentence $b$ and key $j$, with $t$ for `is_token`,
#
# $$m_{b1j} = t_{bj}$$
#
# | name | shape | meaning |
# |---|---|---|
# | `is_token` | `(..., n_keys)`, bool | False = padding |
# | result | `(..., 1, n_keys)`, bool | broadcasts to `(..., n_queries, n_keys)` |
#
# **By hand.** For one sentence, `[True, True, False]` of shape (3,) becomes `[[True, True, False]]` of shape (1, 3).
# For three sentences of five tokens, (3, 5) becomes (3, 1, 5).
# Without the new axis, NumPy would line up the 3 sentences with the queries.

# %% solution="padding_mask"
def padding_mask(is_token):
    """Return the mask that hides the padding among the keys from every query.

    Parameters
    ----------
    is_token : ndarray of shape (..., n_keys), bool

    Returns
    -------
    ndarray of shape (..., 1, n_keys), bool
        True = may attend.
    """
    ### BEGIN SOLUTION
    return is_token[..., None, :]
    ### END SOLUTION

# %%
with when_written():
    print(padding_mask(np.array([True, True, False])))
    print(padding_mask(BATCH.is_token).shape)

# %%
plots.yours_and_target(
    padding_mask, BATCH.is_token, draw=plots.mask_picture, y_label="sentence",
    alt="One row per sentence: its padding is hidden, its tokens are allowed.",
)

# %% check="padding_mask"
check(padding_mask)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Which axis of the scores counts the queries, counted from the end?
#
# </details>
# <details><summary>Hint 2: shapes</summary>
#
# (5,) becomes (1, 5); (3, 5) becomes (3, 1, 5); (2, 3, 5) becomes (2, 3, 1, 5). The values stay as they are.
#
# </details>
# <details><summary>Hint 3: steps in words</summary>
#
# Insert one new axis just before the last one, however many axes stand in front. Indexing with an ellipsis, or
# `np.expand_dims` with a negative axis, can do that.
#
# </details>

# %% [markdown]
# ## Exercise 3.3: combine_masks
#
# *2 points, about 5 minutes, difficulty 2 of 5*
#
# A decoder hides the future *and* the padding.
# A pair is allowed only if **every** mask allows it:
#
# $$m_{ij} = m^{(1)}_{ij} \wedge m^{(2)}_{ij} \wedge \dots$$
#
# | name | shape | meaning |
# |---|---|---|
# | `*masks` | any number of masks that broadcast against each other | None = no mask |
# | result | the broadcast shape, bool | or None when no mask is left |
#
# ### What None stands for
#
# `None` in place of a mask means that nothing is hidden, so it is left out.
# If there is no mask at all, or only `None`, the result is `None` too.
# Otherwise return a **new** array, even when a single mask is left: whoever changes it later must not change yours.
#
# **By hand.** Causal mask of three positions, and a sentence with padding at the end:
#
# | | causal | padding | both |
# |---|---|---|---|
# | query 0 | ✓ hidden hidden | ✓ ✓ hidden | ✓ hidden hidden |
# | query 1 | ✓ ✓ hidden | ✓ ✓ hidden | ✓ ✓ hidden |
# | query 2 | ✓ ✓ ✓ | ✓ ✓ hidden | ✓ ✓ hidden |

# %% solution="combine_masks"
def combine_masks(*masks):
    """Return the mask that allows only what every given mask allows.

    Parameters
    ----------
    *masks : ndarray of bool or None
        Masks that broadcast against each other; None allows everything.

    Returns
    -------
    ndarray of bool, or None
        None if no mask is left.
    """
    ### BEGIN SOLUTION
    combined = None
    for mask in masks:
        if mask is not None:
            combined = mask.copy() if combined is None else combined & mask
    return combined
    ### END SOLUTION

# %%
with when_written():
    print(combine_masks(POEM_MASK, np.array([[True, True, False]])))
    print(combine_masks(None, None))

# %%
words = BATCH.tokens[1]
plots.yours_and_target(
    combine_masks, BATCH.causal, BATCH.padding, pick=lambda mask: mask[1],
    draw=plots.mask_picture, row_labels=words, column_labels=words,
    title="Causal and padding mask together, sentence 1",
    alt="A lower triangle whose last two columns, the padding, are hidden.",
)

# %% check="combine_masks"
check(combine_masks)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# What would happen to the padding if a pair were allowed as soon as *one* mask allows it?
#
# </details>
# <details><summary>Hint 2: shapes</summary>
#
# A causal mask (5, 5) and a padding mask (3, 1, 5) give (3, 5, 5). They cannot be stacked into one array, but two
# arrays can always be combined with each other.
#
# </details>
# <details><summary>Hint 3: steps in words</summary>
#
# Start with nothing. Go through the masks and skip those that are None. Take the first one as it is, and combine what
# you have so far with each further one. Do not write into a mask that you were given.
#
# </details>

# %% [markdown]
# ## Exercise 3.4: additive_mask
#
# *2 points, about 4 minutes, difficulty 1 of 5*
#
# A mask acts on the **scores**, before the softmax.
# Vaswani et al. (2017, section 3.2.3) set the scores of forbidden pairs to $-\infty$.
# One way to do so is to add a matrix $M$:
#
# $$M_{ij} = \begin{cases} 0 & \text{if the pair is allowed} \\ -\infty & \text{if it is hidden} \end{cases}$$
#
# Adding 0 changes nothing.
# A score of $-\infty$ gets the weight $e^{-\infty} = 0$: not a small number, but exactly 0.
#
# | name | shape | meaning |
# |---|---|---|
# | `mask` | any, bool | True = may attend |
# | result | the shape of `mask`, float64 | 0 or `-np.inf` |
#
# **By hand.** The causal mask of two tokens becomes $M$, and $M$ is added to scores:
#
# $$M = \begin{pmatrix} 0 & -\infty \\ 0 & 0 \end{pmatrix} \qquad
# \begin{pmatrix} 1.0 & 0.8 \\ 0.9 & 1.1 \end{pmatrix} + M =
# \begin{pmatrix} 1.0 & -\infty \\ 0.9 & 1.1 \end{pmatrix}$$
#
# Beware of products: $0 \cdot \infty$ is NaN.

# %% solution="additive_mask"
def additive_mask(mask):
    """Return the mask in the form that is added to the scores.

    Parameters
    ----------
    mask : ndarray of any shape, bool
        True = may attend.

    Returns
    -------
    ndarray of the shape of mask, float64
        0 where the mask is True, -inf where it is False.
    """
    ### BEGIN SOLUTION
    return np.where(mask, 0.0, -np.inf)
    ### END SOLUTION

# %%
with when_written():
    print(TWO_TOKENS.scores + additive_mask(TWO_TOKENS.mask))

# %%
plots.yours_and_target(
    additive_mask, POEM_MASK, row_labels=POEM.tokens, column_labels=POEM.tokens,
    x_label="key", y_label="query", alt="Minus infinity above the diagonal, 0 on it and below it.",
)

# %% check="additive_mask"
check(additive_mask)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Which NumPy function chooses, entry by entry, between two values?
#
# </details>
# <details><summary>Hint 2: shapes</summary>
#
# The result has the shape of the mask, but another dtype: a boolean array has no room for infinity.
#
# </details>
# <details><summary>Hint 3: steps in words</summary>
#
# Where the mask is True choose zero, elsewhere choose minus infinity. Do not multiply anything.
#
# </details>

# %% [markdown]
# ### Why not simply a large negative number
#
# Much code uses $-10^9$ in place of $-\infty$.
# Let us see when that is the same.

# %%
print("hidden by -10:     ", softmax(np.array([1.0, 0.8 - 10])))
print("hidden by -1e9:    ", softmax(np.array([1.0, 0.8 - 1e9])))
print("all hidden by -1e9:", softmax(np.array([-1e9, -1e9, -1e9])))
print("largest float16:   ", int(np.finfo(np.float16).max))

# %% [markdown]
# A modest number lets something through.
# $-10^9$ works, with two exceptions: a number of 16 bits cannot be that large, and a row in which **everything** is
# hidden gets equal weights.
# That row then attends to everything it must not see.

# %% [markdown]
# ## Exercise 3.5: masked_softmax
#
# *5 points, about 14 minutes, difficulty 4 of 5*
#
# Now the core of this unit: a softmax that shares out its budget of 1 among the visible keys only.
# With $m_{ij} = 1$ where the mask is True and 0 where it is False,
#
# $$w_{ij} = \frac{m_{ij}\, e^{s_{ij}}}{\sum_k m_{ik}\, e^{s_{ik}}}$$
#
# Hidden keys are missing **above and below the fraction bar**.
# Remember the sum below the bar: it comes back at the end of this notebook.
#
# | name | shape | meaning |
# |---|---|---|
# | `scores` | `(..., n_queries, n_keys)` | any finite numbers, also whole ones |
# | `mask` | broadcasts to the shape of `scores`, or None | True = may attend |
# | `axis` | an int | the axis that sums to 1 |
# | result | the shape of `scores` | weights |
#
# **By hand.** Scores $\ln 1, \ln 2, \ln 5$ have the exponentials 1, 2, 5.
# Hide the last key: 1 and 2 are left, and the weights are 1/3, 2/3 and 0.
# And if all scores are equal, the causal mask gives (1, 0, 0), (1/2, 1/2, 0) and (1/3, 1/3, 1/3): every position
# takes the mean of what it sees.
#
# ### How large scores stay harmless
#
# As in unit 02, shift a row by its largest score before you take exponentials.
# But which largest score?
# Here the third key is to be hidden, and its score is high:

# %%
print(softmax(np.array([0.9, 1.1, 1000.0])))

# %% [markdown]
# The two visible weights are already 0, and no mask can bring them back.
# A hidden key must have no say in the shift either.
#
# ### A row with nothing to see
#
# Masks can combine so that a query may attend to no key at all.
# What does the ordinary softmax say about a row of nothing but $-\infty$?
#
# ### Predict: the softmax of three times minus infinity
#
# - **A** Three zeros.
# - **B** Three thirds.
# - **C** NaN three times.

# %% answer="empty-row"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("empty-row", answer)

# %%
with np.errstate(invalid="ignore"):  # NumPy would warn here
    print(softmax(np.full(3, -np.inf)))

# %% [markdown]
# One NaN in a batch spoils the loss, and with it the whole training step.
# So the rule of this course is: **a row in which nothing is visible gets weights 0**, without NaN and without a
# warning.
# Its output will be 0, "nothing found".

# %% solution="masked_softmax"
def masked_softmax(scores, mask=None, axis=-1):
    """Return the softmax over what the mask lets through, and exactly 0 elsewhere.

    Parameters
    ----------
    scores : ndarray of shape (..., n_queries, n_keys)
    mask : ndarray of bool, optional
        Broadcastable to the shape of scores; True = may attend.
    axis : int
        The axis that sums to 1.

    Returns
    -------
    ndarray of the shape of scores
        All 0 along axis where nothing is visible.
    """
    ### BEGIN SOLUTION
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    largest = scores.max(axis=axis, keepdims=True)  # of the visible scores
    largest = np.where(np.isneginf(largest), 0, largest)  # nothing visible: -inf - (-inf) would be NaN
    exponentials = np.exp(scores - largest)
    total = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / np.where(total == 0, 1, total)  # nothing visible: 0 / 1
    ### END SOLUTION

# %%
with when_written():
    print(masked_softmax(np.log([1.0, 2.0, 5.0]), np.array([True, True, False])).round(3))
    print(masked_softmax(UNIFORM.scores, POEM_MASK).round(3))

# %%
plots.yours_and_target(
    masked_softmax, POEM.scores, POEM_MASK, row_labels=POEM.tokens, column_labels=POEM.tokens,
    x_label="key", y_label="query", title="Masked weights of the poem",
    alt="Zeros above the diagonal; every row sums to 1.",
)

# %% check="masked_softmax"
check(masked_softmax)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# If every hidden score is replaced by minus infinity first, what is the largest score of a row? And what is it in a row
# in which everything is hidden?
#
# </details>
# <details><summary>Hint 2: shapes</summary>
#
# The largest score and the sum keep their axis with length 1 (`keepdims=True`), so that they broadcast against the
# scores for any `axis`. Whether a row is empty is a question about an array of that same shape.
#
# </details>
# <details><summary>Hint 3: steps in words</summary>
#
# If there is a mask, make a new array: the score where visible, minus infinity where hidden. Find the largest entry
# along the axis; where it is minus infinity, use zero. Shift, and take exponentials. Add them up along the axis; where
# the sum is zero, use one. Divide.
#
# </details>

# %% [markdown]
# ## Find the error: the mask on the weights
#
# A printed worked example goes from these scores to these weights and outputs:
#
# $$S = \begin{pmatrix} 1.0 & 0.8 \\ 0.9 & 1.1 \end{pmatrix} \qquad
# W = \begin{pmatrix} 1.0 & 0.0 \\ 0.4 & 0.6 \end{pmatrix} \qquad
# V = \begin{pmatrix} 0.1 & 0.2 & 0.3 & 0.4 \\ 0.5 & 0.6 & 0.7 & 0.8 \end{pmatrix} \qquad
# WV = \begin{pmatrix} 0.1 & 0.2 & 0.3 & 0.4 \\ 0.34 & 0.44 & 0.54 & 0.64 \end{pmatrix}$$
#
# The scores are already scaled, and the mask is causal.
# **One step is wrong.**
# Give the right weights, as two rows of two numbers with three or four decimals.

# %% answer="masked-weights"
### BEGIN SOLUTION
answer = [[1.0, 0.0], [0.4502, 0.5498]]
### END SOLUTION
predict("masked-weights", answer)

# %%
with when_written():
    print(masked_softmax(TWO_TOKENS.scores, TWO_TOKENS.mask).round(4))

# %% [markdown]
# Other lecture notes say that the mask is put *on the attention weights*, or that the mask of ones and zeros is
# *multiplied in*.
# Four recipes for the same scores:
#
# - **A** Multiply the scores by the mask of ones and zeros, then take the softmax.
# - **B** Take the softmax, then multiply the weights by the mask.
# - **C** Take the softmax, write $-\infty$ over the hidden weights, and take the softmax again.
# - **D** Write $-\infty$ over the hidden scores, take the softmax, and round.
#
# Which of them gives the rows (1, 0) and (0.475, 0.525)?

# %% answer="softmax-twice"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("softmax-twice", answer)

# %%
print("A", TWO_TOKENS.weights_of_scores_times_mask.round(3).tolist())
print("B", TWO_TOKENS.weights_times_mask.round(3).tolist())
print("C", TWO_TOKENS.weights_of_masked_weights.round(3).tolist())
print("D", TWO_TOKENS.weights.round(3).tolist())

# %% [markdown]
# Only D is right.
#
# - A leaks: a hidden score of 0 still earns $e^0 = 1$, here a weight of 0.269.
# - B has a first row that sums to 0.550.
# - C looks right in its first row, because one key that is left alone gets weight 1 whatever the scores are.
#   The error shows in the row where **nothing** is hidden.
#
# So test a mask on more than its first row.

# %% [markdown]
# ## Exercise 3.6: masked_attention
#
# *4 points, about 7 minutes, difficulty 2 of 5*
#
# With all the parts in hand, masked attention is unit 02's attention with another softmax.
#
# ### Where the mask stands in the formula
#
# $$\text{MaskedAttention}(Q, K, V, M) = \text{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}} + M\right) V$$
#
# First the scale, then the mask, then the softmax, then the values.
#
# | name | shape | meaning |
# |---|---|---|
# | `Q`, `K`, `V` | `(..., n_queries, d_k)`, `(..., n_keys, d_k)`, `(..., n_keys, d_v)` | as in unit 02 |
# | `mask` | broadcasts to `(..., n_queries, n_keys)`, or None | True = may attend |
# | `output` | `(..., n_queries, d_v)` | 0 for a query that sees nothing |
# | `weights` | `(..., n_queries, n_keys)` | 0 for a query that sees nothing |
#
# **By hand.** In the poem of unit 02 the query *a* has the weights 0.34136, 0.60328 and 0.05536.
# A causal mask hides *poem*.
# What is left is 0.34136 and 0.60328, of sum 0.94464; divided by that sum they are 0.36136 and 0.63864.
# The output of *a* is the average of the first two values with these weights:
#
# $$0.36136 \begin{pmatrix} 0.5996 & 0.7375 \end{pmatrix} + 0.63864 \begin{pmatrix} -0.3538 & 0.5245 \end{pmatrix}
# = \begin{pmatrix} -0.0093 & 0.6015 \end{pmatrix}$$
#
# You may use `attention_scores` of unit 02, which is loaded, and your own `masked_softmax`.

# %% solution="masked_attention"
def masked_attention(Q, K, V, mask=None):
    """Return attention in which a query sees only what the mask lets through.

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d_k)
    K : ndarray of shape (..., n_keys, d_k)
    V : ndarray of shape (..., n_keys, d_v)
    mask : ndarray of bool, optional
        Broadcastable to (..., n_queries, n_keys); True = may attend.

    Returns
    -------
    output : ndarray of shape (..., n_queries, d_v)
    weights : ndarray of shape (..., n_queries, n_keys)
    """
    ### BEGIN SOLUTION
    weights = masked_softmax(attention_scores(Q, K), mask)
    return weights @ V, weights
    ### END SOLUTION

# %%
with when_written():
    output, weights = masked_attention(POEM.Q, POEM.K, POEM.V, POEM_MASK)
    print("yours:", output[1].round(4), "by hand:", MASKED_POEM.output[1].round(4))

# %%
plots.yours_and_target(
    masked_attention, POEM.Q, POEM.K, POEM.V, POEM_MASK, pick=0,
    row_labels=POEM.tokens, y_label="query", title="Masked output of the poem",
    alt="The first output is the first value itself; the last one is the same as without a mask.",
)

# %% check="masked_attention"
check(masked_attention)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Which single step of unit 02's attention has to change?
#
# </details>
# <details><summary>Hint 2: shapes</summary>
#
# Scores and weights are (..., n_queries, n_keys). The weights times V give (..., n_queries, d_v). Transposing K means
# exchanging its last two axes only.
#
# </details>
# <details><summary>Hint 3: steps in words</summary>
#
# Scaled scores from queries and keys. Weights from scores and mask, along the keys. Output from weights and values.
# Return the output first.
#
# </details>

# %% [markdown]
# ## Find the error: where the mask is added
#
# A set of lecture notes prints the formula with the mask *inside* the fraction:
#
# $$\text{softmax}\!\left(\frac{Q K^\top + M}{\sqrt{d_k}}\right) V$$
#
# For which $M$ is this the same as adding $M$ after the division?
#
# - **A** For no mask.
# - **B** For every $M$.
# - **C** When all entries of $M$ are 0 or $-\infty$, but not in general.

# %% answer="where-added"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("where-added", answer)

# %%
products, scale = POEM.Q @ POEM.K.T, np.sqrt(2)
M = -10.0 * ~POEM_MASK  # a finite mask
print("inside: ", softmax((products + M) / scale)[0])
print("outside:", softmax(products / scale + M)[0])

# %% [markdown]
# The first word should have weight 1 on itself.
# Inside, the finite mask shrinks to $-10 / \sqrt 2$, and the leak is almost twenty times as large: 0.0015 against
# 0.00008.
# With $d_k = 512$ and the same $M$, a hidden key whose score equals that of the only visible one would even get a weight
# of 0.39.
# With your own $M$ the two are the same:

# %%
with when_written():
    M = additive_mask(POEM_MASK)
    print(np.array_equal((products + M) / scale, products / scale + M))

# %% [markdown]
# ## Exercise 3.7: first_leak
#
# *2 points, about 10 minutes, difficulty 3 of 5*
#
# How do you know that nothing leaks?
# Looking at the weights is not enough, as recipe B will show.
# There is a test that needs no knowledge of the inside: **change what should be invisible, and see whether anything
# moves.**
#
# You get a function `attend` that turns tokens `X` of shape `(n, d)` into outputs of the same shape.
# Find the first position whose output depends on a later token.
#
# ### What counts as a leak
#
# Take a position $p$.
# Change **all tokens after** $p$ by amounts of order 1, and leave the others as they are.
# Position $p$ leaks if an entry of its own output moves by more than $10^{-9}$:
#
# $$\max_c \bigl|\, \text{attend}(X')_{pc} - \text{attend}(X)_{pc} \bigr| > 10^{-9}$$
#
# Smaller movements are rounding.
# Movements of later outputs do not count: those tokens were changed on purpose.
# The last position has no later token.
#
# | name | shape | meaning |
# |---|---|---|
# | `attend` | from `(n, d)` to `(n, d)` | the function to be judged |
# | `X` | `(n, d)` | tokens; leave them as they are |
# | `seed` | an int | for the amounts, so that a result can be repeated |
# | result | an int or None | first leaking position, None if there is none |
#
# **By hand.** Let the tokens be single numbers, 1, 2, 6, and let the last one become 9.
#
# | `attend` | before | after | position 0 |
# |---|---|---|---|
# | mean of all tokens | 3, 3, 3 | 4, 4, 4 | moved: the result is 0 |
# | mean of the tokens so far | 1, 1.5, 3 | 1, 1.5, 4 | did not move |
#
# In the second case position 1 does not move either, so the result is None.

# %% solution="first_leak"
def first_leak(attend, X, seed=0):
    """Return the first position whose output depends on a later token.

    Parameters
    ----------
    attend : callable
        Takes an array of shape (n, d) and returns one of shape (n, d).
    X : ndarray of shape (n, d)
    seed : int
        Seed of the amounts, of order 1, by which later tokens are changed.

    Returns
    -------
    int or None
        None if no output moves by more than 1e-9.
    """
    ### BEGIN SOLUTION
    amounts = np.random.default_rng(seed).standard_normal(X.shape)
    before = attend(X)
    for position in range(len(X) - 1):
        changed = X.copy()
        changed[position + 1 :] += amounts[position + 1 :]
        if np.abs(attend(changed)[position] - before[position]).max() > 1e-9:
            return position
    return None
    ### END SOLUTION

# %%
def mean_of_all(X):
    return np.tile(X.mean(axis=0), (len(X), 1))


def mean_so_far(X):
    return X.cumsum(axis=0) / np.arange(1, len(X) + 1)[:, None]


# %%
numbers = np.array([[1.0], [2.0], [6.0]])
with when_written():
    print("mean of all:", first_leak(mean_of_all, numbers))
    print("mean so far:", first_leak(mean_so_far, numbers))

# %% check="first_leak"
check(first_leak)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# To test position 2, which rows of X may you change, and which row of the output do you compare?
#
# </details>
# <details><summary>Hint 2: shapes</summary>
#
# The changed tokens have the shape (n, d) of X. One row of the output has shape (d,), and its largest movement is one
# number.
#
# </details>
# <details><summary>Hint 3: steps in words</summary>
#
# Keep the outputs for the unchanged tokens. For every position but the last: copy the tokens, add random numbers to
# the rows after the position, call the function, and compare the row of this position with the kept one. Return the
# position at the first movement that is too large. After the loop, return None.
#
# </details>

# %% [markdown]
# ## The leak meter
#
# Now for the question that has been waiting: what is wrong with putting the mask on the weights?
# There are two ways to do it.
#
# - **On the weights:** softmax over everything, then hidden weights are set to 0 (recipe B).
# - **On the weights, renormalised:** the same, and then every row is divided by its sum.
#
# ### Predict: does the future still leak?
#
# Take the first way, without renormalising, and a causal mask.
# You change the last token of five.
# Does the output of the first position move?
#
# - **A** No: the weight of the last token is 0.
# - **B** Yes.
# - **C** No: only the output of the last position moves.

# %% answer="denominator"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("denominator", answer)

# %% [markdown]
# The meter changes one token at a time and shows how far the outputs move that must not see it.
# The left table is your own `masked_attention`; `mask_on_weights` is given.
# Five words with random vectors serve as input.

# %%
rng = np.random.default_rng(5)
X = rng.standard_normal((5, 4))
W_Q, W_K, W_V = rng.standard_normal((3, 4, 4)) / 2


def self_attention(attention, mask, **options):
    """Return a function of the tokens alone: project, attend, keep the output."""
    return lambda X: attention(X @ W_Q, X @ W_K, X @ W_V, mask, **options)[0]


# %%
places = {
    "before the softmax": self_attention(masked_attention, BATCH.causal),
    "on the weights": self_attention(mask_on_weights, BATCH.causal),
    "renormalised": self_attention(mask_on_weights, BATCH.causal, renormalise=True),
}
with when_written():
    display(leak_meter(places, X, BATCH.causal, BATCH.tokens[0], title="Leak meter: where is the mask put?"))

# %% [markdown]
# Two facts to take away.
#
# 1. **Without renormalising, the future leaks through the denominator.**
#    The hidden value is gone, but the softmax has divided by a sum that contains the hidden score.
#    A training procedure will find and use such a hint.
# 2. **With renormalising, nothing leaks: the sum over all keys cancels.**
#    Mathematically this *is* masking before the softmax, as in the poem above.
#    It fails only where numbers end: when a high hidden score has pushed the visible weights to 0, or when nothing is
#    visible, there is no sum to divide by.
#    So the checks accept this way if the shift takes the largest *visible* score and empty rows are cared for.
#
# Your own `first_leak` finds the same, and it also finds other broken masks:

# %%
with when_written():
    causal = causal_mask(5)
    suspects = places | {
        "mask one position too far": self_attention(masked_attention, causal_mask(6)[1:, :5]),
        "mask inverted": self_attention(masked_attention, ~causal),
        "no mask": self_attention(masked_attention, None),
    }
    for name, attend in suspects.items():
        print(f"{name}: {first_leak(attend, X)}")

# %% [markdown]
# `None` stands for "no leak found".
# Try it on every causal layer that you ever write: it needs nothing but the function and some tokens.
#
# ### Why a mask imitates writing word by word
#
# Cut the sentence after its first n words and run the part alone.
# Under a causal mask it gives the very rows that it had inside the whole sentence: there was no future for it anyway.

# %%
with when_written():
    whole = self_attention(masked_attention, causal_mask(5))(X)
    for n in range(1, 6):
        part = self_attention(masked_attention, causal_mask(n))(X[:n])
        print(f"first {n} words alone: largest difference {np.abs(part - whole[:n]).max():.1e}")

# %% [markdown]
# So one pass over a whole sentence trains all the steps that will later be taken one by one.

# %% [markdown]
# ## What you have now
#
# - `causal_mask` and `padding_mask` say what is hidden, `combine_masks` joins them, and True always means "may attend".
# - `masked_softmax` puts the mask where it belongs: on the scores, after the scale, before the softmax.
# - `masked_attention` gives exactly 0 to what is hidden, and 0 to a query that sees nothing.
# - `first_leak` is a test that you can trust more than a look at the weights.
#
# ### Going further (no points)
#
# - A *sliding window* lets every position see itself and the two positions before it.
#   Build its mask from causal masks only.
# - In a *prefix* model the first words, a question, may see each other in both directions, and the rest is causal.
#   What does `first_leak` say about it, and is it right?
#
# Next: **[04 Multi-head attention](../04_multi_head_attention/04_multi_head_attention.ipynb)**, where several attentions
# run side by side as *heads*. All heads of a layer share one mask: one more axis of length 1, and broadcasting does
# the rest.
