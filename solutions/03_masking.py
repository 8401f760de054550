# %% [markdown]
# # 03 Masking
#
# Two things must stay hidden from attention: the future and the padding.
# You write the masks that hide them, an attention that obeys them, and a test that finds a leak.
#
# **{{points}}, {{time}}.**
# You need attention (02) and NumPy's broadcasting. Your functions of unit 02 are loaded, or lent by the course.
# **[START HERE](../START_HERE.ipynb)** says how checks, hints and predictions work.

# %%
import numpy as np

from autograder import check, load, predict, progress
from transformer_kit import plots, skip_if_unimplemented
from transformer_kit.examples.attention import POEM
from transformer_kit.examples.masks import BATCH, FOUR_TOKENS, MASKED_POEM, POEM_MASK, TWO_TOKENS
from transformer_kit.experiments.leaks import random_attentions
from transformer_kit.experiments.open_tasks import moved_outputs
from transformer_kit.experiments.whole_model.one_change import count_right, cross_attention_to_padding
from transformer_kit.experiments.whole_model.one_sentence import decoder_at_work
from transformer_kit.pictures import leak_meter, leaking_runs
from transformer_kit.trained.model import load_model
from transformer_kit.trained.recorded import load_recording

attention_scores, softmax = load("attention_scores", "softmax")

np.set_printoptions(precision=6, suppress=True)  # 0.000037, not 3.7e-05

# %%
progress("03")

# %% [markdown]
# ## Two training runs
#
# Two small translation models start from the same random numbers and see the same sentences in the same order.
# They differ in one thing, the mask in the decoder, which says what each position may see.
# After 1000 steps the first has a loss of 0.287 on sentences that it has never seen, and the second a loss of 0.017.
# The lower the loss, the more probability a model gives to the right next word.
#
# ### Predict: which one translates better?
#
# Now both have to translate 200 new sentences, word by word. Which one is better, and by how much?
#
# - **A** the second, by far
# - **B** the second, by a little
# - **C** the first, by a little
# - **D** the first, by far

# %% answer="better-loss"
### BEGIN SOLUTION
answer = "D"
### END SOLUTION
predict("better-loss", answer)

# %%
leaking_runs(load_recording("leaking"))

# %% [markdown]
# The picture calls the first run *causal* and the second *one ahead*. Press *Play*: the gap opens within the first 200
# steps, in both charts. At the end of this unit you will find such a fault in a trained model, with a function of your own.
#
# ## What a mask is for
#
# Attention lets every query look at every key. There are two reasons to hide some of them.
#
# - **The future.** A decoder learns to predict the next token.
#   In training the whole target sentence goes in at once, so the answer for each position sits one
#   place to the right.
# - **The padding.** Sentences in one batch have different lengths.
#   The short ones are filled up with a `<pad>` token that means nothing, and no query should take anything from it.
#
# The inputs stay as they are. What a mask hides is *pairs*: this query must not use that key.
#
# ### The convention of this course
#
# A mask is an array of booleans, and **True means "may attend"**.
# Its last two axes are queries (rows) and keys (columns), like those of the scores, or broadcast to them.
#
# ## Exercise {{causal_mask}}: causal_mask
#
# *{{points causal_mask}}, about 8 minutes, difficulty 2 of 5*
#
# The causal mask hides the future: a query sees its own position and everything before it.
# Its own position gives nothing away: the decoder's input is shifted by one, so it holds the token *before* the one to
# be predicted (Vaswani et al. 2017, section 3.1).
#
# With $n_q$ queries (rows $i$) and $n_k$ keys (columns $j$), counted from 0,
#
# $$m_{ij} = \text{True} \iff j \le i + (n_k - n_q)$$
#
# ### When there are more keys than queries
#
# A model that writes a text token by token keeps the old keys and makes queries for the new tokens only.
# So **the queries are the last positions**, and the last query sees every key.
#
# Having fewer keys than queries makes no sense: some query would lack its own key. Raise a `ValueError` whose message contains
# both numbers. Every other call makes a new mask.
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

    Two ints, n_keys=None for as many keys as queries -> (n_queries, n_keys), bool, True = may attend.
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
words = BATCH.tokens[0]
plots.yours_and_target(causal_mask, 2, 5, draw=plots.mask_picture, row_labels=words[3:], column_labels=words,
                       alt="The fourth word may attend to itself and the three before it, the fifth word to all.")

# %% check="causal_mask"
check(causal_mask)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# At which position does the first query stand when there are 5 keys and 2 queries? And the last one?
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# Take 3 keys and 2 queries. The keys stand at positions 0, 1 and 2: a row, of shape (3,). The queries stand at 1 and 2:
# write them as a column, of shape (2, 1). What shape does a comparison of the two have?
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# 1. Replace a missing number of keys, and refuse too few of them.
# 2. Number the keys from 0. The queries get the last of these numbers.
# 3. Compare: a pair is allowed when the key does not come after the query.
#
# </details>
#
# ## Exercise {{padding_mask}}: padding_mask
#
# *{{points padding_mask}}, about 4 minutes, difficulty 1 of 5*
#
# In a batch, `is_token` says for every sentence which places hold real tokens.
# The padding is hidden **as a key, from every query**.
# What a padding token computes for itself as a query does not matter: that row is thrown away later.
#
# So one row per sentence is enough, and the axis of the queries has length 1.
#
# **By hand.** For one sentence, `[True, True, False]` of shape (3,) becomes `[[True, True, False]]` of shape (1, 3).
# For three sentences of five tokens, (3, 5) becomes (3, 1, 5).
# Without the new axis, NumPy would line up the 3 sentences with the queries.
#
# Elsewhere, too, True mostly means "may attend": in PyTorch's `scaled_dot_product_attention` and in Keras. But in the
# `key_padding_mask` of PyTorch's `nn.MultiheadAttention` it means **ignored**.

# %% solution="padding_mask"
def padding_mask(is_token):
    """Return the mask that hides the padding among the keys from every query.

    is_token (..., n_keys), bool -> (..., 1, n_keys), bool, True = may attend.
    """
    ### BEGIN SOLUTION
    return is_token[..., None, :]
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    print(padding_mask(np.array([True, True, False])))
    print(padding_mask(BATCH.is_token).shape)

# %% check="padding_mask"
check(padding_mask)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Which axis of the scores counts the queries, counted from the end?
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# (5,) becomes (1, 5); (3, 5) becomes (3, 1, 5); (2, 3, 5) becomes (2, 3, 1, 5). The values stay as they are.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# Insert one new axis just before the last one, however many axes stand in front. Indexing with an ellipsis can do
# that, or a function of NumPy that takes the place of the axis, counted from the end.
#
# </details>
#
# ### Predict: the padding, forgotten once
#
# The course's trained translator gets 39 of 40 new sentences right. They go in as one batch, half of which is padding.
# The padding has to be hidden in two places: in the encoder, where the English words look at one another, and in the
# decoder, where the Spanish words look at the English ones. Somebody forgets one of the two masks. Which one costs more?
#
# - **A** neither costs much
# - **B** either ruins everything
# - **C** the encoder's, by far
# - **D** the decoder's, by far

# %% answer="padding-forgotten"
### BEGIN SOLUTION
answer = "D"
### END SOLUTION
predict("padding-forgotten", answer)

# %%
with skip_if_unimplemented():
    print("your padding_mask:", count_right(padding_mask=padding_mask), "of 40")
    print("none in the encoder:", count_right(padding_mask=lambda is_token: None))
    print("none in the decoder:", count_right(padding_mask=padding_mask, cross_attention=cross_attention_to_padding))

# %% [markdown]
# ## Exercise {{combine_masks}}: combine_masks
#
# *{{points combine_masks}}, about 5 minutes, difficulty 2 of 5*
#
# A decoder hides the future *and* the padding.
# A pair is allowed only if **every** mask allows it:
#
# $$m_{ij} = m^{(1)}_{ij} \wedge m^{(2)}_{ij} \wedge \dots$$
#
# ### What None stands for
#
# `None` hides nothing, so leave it out. If no mask is left, the result is `None` too.
# Otherwise return a **new** array, even for a single mask, so that changing the result never changes a mask.
#
# **By hand.** The causal mask of three positions, and a sentence with padding at the end, in ones and zeros:
#
# $$\begin{pmatrix} 1 & 0 & 0 \\ 1 & 1 & 0 \\ 1 & 1 & 1 \end{pmatrix} \wedge
# \begin{pmatrix} 1 & 1 & 0 \end{pmatrix} =
# \begin{pmatrix} 1 & 0 & 0 \\ 1 & 1 & 0 \\ 1 & 1 & 0 \end{pmatrix}$$

# %% solution="combine_masks"
def combine_masks(*masks):
    """Return the mask that allows only what every given mask allows.

    Any number of boolean masks that broadcast, or None -> a new mask of the broadcast shape, or None.
    """
    ### BEGIN SOLUTION
    combined = None
    for mask in masks:
        if mask is not None:
            combined = mask.copy() if combined is None else combined & mask
    return combined
    ### END SOLUTION

# %%
words = BATCH.tokens[1]
plots.yours_and_target(combine_masks, BATCH.causal, BATCH.padding[1], draw=plots.mask_picture,
                       row_labels=words, column_labels=words, title="Causal and padding mask of sentence 1",
                       alt="A lower triangle whose last two columns, the padding, are hidden.")

# %% check="combine_masks"
check(combine_masks)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# What would happen to the padding if a pair were allowed as soon as *one* mask allows it?
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# A causal mask (5, 5) and a padding mask (3, 1, 5) give (3, 5, 5). They cannot be stacked into one array, but any two
# of them can be combined.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# Loop over the masks, skipping None. Begin with a copy of the first one left, and
# combine what you have so far with each one after it. Never write into a mask that you were given.
#
# </details>
#
# ## Exercise {{additive_mask}}: additive_mask
#
# *{{points additive_mask}}, about 4 minutes, difficulty 1 of 5*
#
# A mask acts on the **scores**, before the softmax.
# Vaswani et al. (2017, section 3.2.3) set the scores of forbidden pairs to $-\infty$.
# One way to do so is to add a matrix $M$, a form in which PyTorch takes masks, too:
#
# $$M_{ij} = \begin{cases} 0 & \text{if the pair is allowed} \\ -\infty & \text{if it is hidden} \end{cases}$$
#
# Adding 0 changes nothing.
# A score of $-\infty$ gets the weight $e^{-\infty} = 0$: not a small number, but exactly 0.
# Beware of products: $0 \cdot \infty$ is NaN.
#
# **By hand.** The causal mask of two tokens becomes $M$, and $M$ is added to scores:
#
# $$M = \begin{pmatrix} 0 & -\infty \\ 0 & 0 \end{pmatrix} \qquad
# \begin{pmatrix} 1.0 & 0.8 \\ 0.9 & 1.1 \end{pmatrix} + M =
# \begin{pmatrix} 1.0 & -\infty \\ 0.9 & 1.1 \end{pmatrix}$$

# %% solution="additive_mask"
def additive_mask(mask):
    """Return the mask in the form that is added to the scores.

    mask of any shape, bool -> the same shape, float64: 0 where True, -inf where False.
    """
    ### BEGIN SOLUTION
    return np.where(mask, 0.0, -np.inf)
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    print(TWO_TOKENS.scores + additive_mask(TWO_TOKENS.mask))

# %% check="additive_mask"
check(additive_mask)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Which NumPy function chooses, entry by entry, between two values?
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# The result has the shape of the mask, but another dtype: a boolean array has no room for infinity. A mask of one
# True and one False becomes a zero and a minus infinity.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# Zero where the mask is True, minus infinity elsewhere: choose, and multiply nothing.
#
# </details>
#
# ### Predict: a large negative number instead
#
# A lot of code adds $-10^9$ instead of $-\infty$, and in most rows it makes no difference.
# Take a row in which **everything** is hidden: the scores are 1, 2 and 5, and $-10^9$ is added to each of them.
#
# What are the weights, in float64?
#
# - **A** 0.017, 0.047 and 0.936
# - **B** 0.333, 0.333 and 0.333
# - **C** 0.000, 0.000 and 0.000
# - **D** NaN, NaN and NaN

# %% answer="all-hidden"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("all-hidden", answer)

# %%
with np.errstate(over="ignore", invalid="ignore"):
    for dtype in (np.float64, np.float32, np.float16):
        row = np.array([1, 2, 5], dtype)
        print(f"{dtype.__name__}: added {softmax(row + dtype(-1e9))}, in their place {softmax(0 * row + dtype(-1e9))}")

# %% [markdown]
# What a mask does should not depend on the number type. With $-\infty$ it does not.
#
# ## Exercise {{masked_softmax}}: masked_softmax
#
# *{{points masked_softmax}}, about 14 minutes, difficulty 4 of 5*
#
# Now the core of this unit: a softmax that spreads its budget of 1 over the visible keys only.
# With $m_{ij} = 1$ where the mask is True and 0 where it is False,
#
# $$w_{ij} = \frac{m_{ij}\, e^{s_{ij}}}{\sum_k m_{ik}\, e^{s_{ik}}}$$
#
# Hidden keys drop out of **numerator and denominator**.
#
# | name | shape | meaning |
# |---|---|---|
# | `scores` | `(..., n_queries, n_keys)` | any finite numbers, integers included |
# | `mask` | broadcasts to the shape of `scores`, or None | True = may attend |
# | `axis` | an int | the axis that sums to 1 |
# | result | the shape of `scores` | weights |
#
# **By hand.** Scores $\ln 1, \ln 2, \ln 5$ have the exponentials 1, 2, 5.
# Hide the last key: 1 and 2 are left, and the weights are 1/3, 2/3 and 0.
#
# ### How large scores stay harmless
#
# As in unit 02, shift a row by its largest score before you take exponentials. But which largest score?
# Let the scores be 0.9, 1.1 and 1000, the third key hidden. Shift by 1000, and the two visible exponentials are 0: no
# mask can bring them back. The shift must ignore hidden keys, too.
#
# ### Predict: a row with nothing to see
#
# Combined masks can leave a query with no key at all.
# What does the ordinary softmax make of a row that is all $-\infty$?
#
# - **A** three zeros
# - **B** three times NaN
# - **C** three thirds

# %% answer="empty-row"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("empty-row", answer)

# %% [markdown]
# The rule of this course is: **a row in which nothing is visible gets weights of 0**, without a warning, however low or
# high its scores are. Its output will be 0, "nothing found".

# %% solution="masked_softmax"
def masked_softmax(scores, mask=None, axis=-1):
    """Return the softmax over what the mask lets through, and exactly 0 elsewhere.

    scores (..., n_queries, n_keys), mask broadcasts to them or is None -> weights of the shape of scores.
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
plots.yours_and_target(masked_softmax, POEM.scores, POEM_MASK, row_labels=POEM.tokens, column_labels=POEM.tokens,
                       x_label="key", y_label="query", title="Masked weights of the poem",
                       alt="Zeros above the diagonal; every row sums to 1.")

# %% check="masked_softmax"
check(masked_softmax)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# If every hidden score is replaced by minus infinity first, what is the largest score of a row? And what is it in a row
# in which everything is hidden?
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# The largest score and the sum keep their axis with length 1 (`keepdims=True`), so that they broadcast against the
# scores for any `axis`. Whether a row is empty is a question about an array of that same shape.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# 1. If there is a mask, make a new array: the score where visible, minus infinity where hidden.
# 2. Find the largest entry along the axis. Where it is minus infinity, shift by zero instead.
# 3. Shift, take exponentials, add them up along the axis.
# 4. Divide. Where the sum is zero, divide by something harmless.
#
# </details>
#
# ## Find the error: the mask on the weights
#
# Some lecture notes say that the mask is put *on the attention weights*, or that a mask of ones and zeros is
# *multiplied in*.
# Here are four recipes for the scores (1.0, 0.8) and (0.9, 1.1) with a causal mask:
#
# - **A** Multiply the scores by the mask of ones and zeros, then take the softmax.
# - **B** Take the softmax, write $-\infty$ over hidden weights, take it again.
# - **C** Take the softmax of the scores, then multiply the weights by the mask.
# - **D** Write $-\infty$ over the hidden scores, then take the softmax of the rest.
#
# Somebody gets the weights (1, 0) and (0.475, 0.525). Which recipe was it?

# %% answer="softmax-twice"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("softmax-twice", answer)

# %%
print("A", TWO_TOKENS.weights_of_scores_times_mask.round(3).tolist())
print("B", TWO_TOKENS.weights_of_masked_weights.round(3).tolist())
print("C", TWO_TOKENS.weights_times_mask.round(3).tolist())
print("D", TWO_TOKENS.weights.round(3).tolist())

# %% [markdown]
# Only one recipe is right, and another one looks right in the first row: always test a mask on more than one row.
#
# ## Exercise {{masked_attention}}: masked_attention
#
# *{{points masked_attention}}, about 7 minutes, difficulty 2 of 5*
#
# Masked attention is unit 02's attention with another softmax.
#
# ### Where the mask stands in the formula
#
# $$\text{MaskedAttention}(Q, K, V, M) = \text{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}} + M\right) V$$
#
# In order: scale, mask, softmax, values. Inside the fraction, a finite $M$ would be scaled as well.
#
# | name | shape | meaning |
# |---|---|---|
# | `Q`, `K`, `V` | `(..., n_queries, d_k)`, `(..., n_keys, d_k)`, `(..., n_keys, d_v)` | as in unit 02 |
# | `mask` | broadcasts to `(..., n_queries, n_keys)`, or None | True = may attend |
# | `output` | `(..., n_queries, d_v)` | 0 for a query that sees nothing |
# | `weights` | `(..., n_queries, n_keys)` | 0 for a query that sees nothing |
#
# **By hand.** In the poem of unit 02 the query *a* has the weights 0.34136, 0.60328 and 0.05536.
# A causal mask hides *poem*. What is left, 0.34136 and 0.60328, is divided by its sum, 0.94464: that makes 0.36136 and
# 0.63864. With these weights the values (0.5996, 0.7375) and (-0.3538, 0.5245) average to (-0.0093, 0.6015).
#
# Your `attention_scores` of unit 02 is loaded.

# %% solution="masked_attention"
def masked_attention(Q, K, V, mask=None):
    """Return attention in which a query sees only what the mask lets through.

    Q (..., n_queries, d_k), K (..., n_keys, d_k), V (..., n_keys, d_v), mask (..., n_queries, n_keys) or None
    -> output (..., n_queries, d_v), weights (..., n_queries, n_keys).
    """
    ### BEGIN SOLUTION
    weights = masked_softmax(attention_scores(Q, K), mask)
    return weights @ V, weights
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    output, weights = masked_attention(POEM.Q, POEM.K, POEM.V, POEM_MASK)
    print("yours:", output[1].round(4), "by hand:", MASKED_POEM.output[1].round(4))

# %% check="masked_attention"
check(masked_attention)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Which single step of unit 02's attention has to change?
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# Scores and weights are (..., n_queries, n_keys). The weights times V give (..., n_queries, d_v). Transposing K means
# exchanging its last two axes only.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# Scaled scores from queries and keys. Weights from scores and mask, along the keys. Output from weights and values.
# Return the output first.
#
# </details>
#
# ### Predict: an encoder that may not look ahead
#
# In the same trained model, put your causal mask over the *encoder* as well: no English word sees those after it.
# How many of the 40 sentences are still right?
#
# - **A** about 3
# - **B** about 20
# - **C** about 35

# %% answer="encoder-looks-back"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("encoder-looks-back", answer)

# %%
def looking_back(is_token):
    return combine_masks(padding_mask(is_token), causal_mask(is_token.shape[-1]))


with skip_if_unimplemented():
    print(count_right(padding_mask=looking_back), "of 40 are right")

# %% [markdown]
# ### Find the error: four tokens
#
# A well-known walk-through masks four tokens. It uses one matrix for queries, keys and values, so $Q = K = V$.
# On the left is this matrix, on the right the product $Q K^\top$ as it is printed there:

# %%
P = FOUR_TOKENS.printed_projections
print(np.hstack([P, FOUR_TOKENS.printed_products]))

# %% [markdown]
# One look is enough to see that this product cannot be right. What should you look for?
#
# - **A** The diagonal should be 1.
# - **B** No entry should be above 1.
# - **C** Every row should sum to 1.
# - **D** It should be symmetric.

# %% answer="tied-scores"
### BEGIN SOLUTION
answer = "D"
### END SOLUTION
predict("tied-scores", answer)

# %% [markdown]
# Your functions fix the rest. On the left is your output, on the right the printed one. Its third row claims to average
# 0.41, 0.85 and 0.73, the values it can see in the second column, and arrives at 0.38: less than any of them.

# %%
with skip_if_unimplemented():
    output, _ = masked_attention(P, P, P, causal_mask(4))
    print(np.hstack([output.round(2), FOUR_TOKENS.printed_output]))

# %% [markdown]
# ## Exercise {{first_leak}}: first_leak
#
# *{{points first_leak}}, about 10 minutes, difficulty 3 of 5*
#
# How do you know that nothing leaks? Here is a test that needs no knowledge of the inside: **change what should be
# invisible, and see whether anything moves.**
#
# ### What counts as a leak
#
# Take a position $p$.
# Change **all tokens after** $p$ by random amounts of order 1, and leave the others as they are.
# Position $p$ leaks if an entry of its own output moves by more than $10^{-9}$; less is rounding:
#
# $$\max_c \bigl|\, \text{attend}(X')_{pc} - \text{attend}(X)_{pc} \bigr| > 10^{-9}$$
#
# Movements of later outputs do not count: those tokens were changed on purpose.
# The last position has no later token.
#
# | name | shape | meaning |
# |---|---|---|
# | `attend` | from `(n, d)` to `(n, d)` | the function to be judged |
# | `X` | `(n, d)` | tokens; leave them as they are |
# | `seed` | an int | for the random amounts, so that a result can be repeated |
# | result | an int or None | first leaking position, None if there is none |
#
# **By hand.** Let the tokens be single numbers, 1, 2, 6, and let the last one become 9. If `attend` returns the mean of
# all tokens, three times, every 3 becomes a 4: position 0 has moved, and the result is 0. If it returns the mean of the
# tokens so far, 1, 1.5, 3 becomes 1, 1.5, 4: neither position 0 nor position 1 has moved, and the result is None.

# %% solution="first_leak"
def first_leak(attend, X, seed=0):
    """Return the first position whose output depends on a later token.

    attend takes (n, d) and returns (n, d), X (n, d) -> an int, or None if no output moves by more than 1e-9.
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


with skip_if_unimplemented():
    print(first_leak(mean_of_all, np.array([[1.0], [2.0], [6.0]])))  # by hand: 0

# %% check="first_leak"
check(first_leak)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# To test position 2, which rows of X may you change, and which row of the output do you compare?
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# Take three tokens. Position 0 is tested by changing rows 1 and 2, position 1 by changing row 2, and position 2 cannot
# leak. One row of the output has shape (d,), and its largest movement is one number.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# Keep the outputs for the unchanged tokens. For every position but the last: copy the tokens, add random numbers to
# the rows after the position, call the function, and compare the row of this position with the kept one. Return the
# position at the first movement that is too large. After the loop, return None.
#
# </details>
#
# ## The leak meter
#
# ### Predict: does the future still leak?
#
# Back to recipe C, the mask on the weights, here a causal one. You change the last token of five.
# Does the output of the first position move?
#
# - **A** Yes: the last token has left a trace.
# - **B** No: the last token has the weight 0.
# - **C** No: the last output alone can move.

# %% answer="denominator"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("denominator", answer)

# %% [markdown]
# The meter changes one word and shows which outputs move. Recipe C is there twice; *renormalised*, every row is divided
# by what remains of its sum. Under which masks does the first output notice a change of the last word?

# %%
X, attends = random_attentions(masked_attention, causal_mask)
leak_meter(attends, X, BATCH.tokens[0], choice=1, word=4)

# %% [markdown]
# Without any mask, and with recipe C as it is.
# Renormalised, nothing leaks: the sum over all keys cancels, so mathematically this *is* masking before the softmax.
# It fails only where nothing is left to renormalise: when a high hidden score has pushed all the visible weights to 0,
# or when nothing is visible.
#
# ### Many steps in one pass
#
# Run the first n words alone. Under a causal mask they give the same rows as inside the whole sentence, because they
# could not see the rest anyway. So one pass over a sentence trains all the steps that will later be taken one by one.

# %%
with skip_if_unimplemented():
    attend = attends["your causal_mask"]
    for n in (1, 3, 5):
        print(f"first {n} words alone: largest difference {np.abs(attend(X[:n]) - attend(X)[:n]).max():.1e}")

# %% [markdown]
# ## Exercise {{show_leak}}: show_leak
#
# *{{points show_leak}}, about 12 minutes, difficulty 3 of 5*
#
# A colleague does not believe that a mask leaks. Show it. Their self-attention takes the tokens themselves as queries, keys and values.
# **Return two arrays of tokens, X and Y, that begin alike; and before the first token that differs, an output shall move by 0.1 or more.**
# Under the right mask nothing could move there.
#
# There are two kinds of fault. Either the mask shows something of the future, be it a single entry anywhere. Or, with
# `too_late=True`, it is causal, but multiplies the weights, as in recipe C. Many pairs are right. Only what moves counts.
#
# | name | shape | meaning |
# |---|---|---|
# | `mask` | `(n, n)` | True = may attend |
# | `too_late` | a bool | which kind of fault |
# | results `X`, `Y` | `(n, d)` each | numbers from -1000 to 1000; you choose `d`, up to 64 |
#
# **Example.** Two tokens that see each other: X = (1), (1) and Y = (1), (4). The first output is 1 for X and 3.86 for Y.

# %% solution="show_leak"
def show_leak(mask, too_late=False):
    """Return two arrays of tokens whose outputs differ before the tokens do.

    mask (n, n) bool -> X (n, d), Y (n, d).
    """
    ### BEGIN SOLUTION
    n = len(mask)
    seen = np.ones((n, n), dtype=bool) if too_late else mask  # too late, the softmax sees every key
    leak = np.argwhere(seen & ~np.tri(n, dtype=bool))[-1]
    X = np.ones((n, 1))
    Y = X.copy()
    Y[leak[1]] = 10.0  # leak[0], which comes before it, sees it
    return X, Y
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    one_wrong = causal_mask(6)
    one_wrong[1, 3] = True
    display(moved_outputs(show_leak, masked_attention, one_wrong))

# %% check="show_leak"
check(show_leak)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the mask of the cell above, who sees whom too early? So which token has to change, and which must not?
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# Three tokens of width 1, and only entry [0, 2] of the mask is wrong. Compute the first output before and after a change of
# the last token. What has to be true of the tokens for it to move a lot?
#
# </details>
# <details><summary>Hint 3: too late</summary>
#
# The later token's weight is set to 0, so its value cannot arrive. What else did the softmax make of its score? What
# does a query have to be, so that a change of the key changes the score?
#
# </details>
#
# ## A fault without an error
#
# The translator was trained with the right mask. Now somebody edits the program that *runs* it, and the decoder's mask
# is off by one: every position also sees the next. All shapes fit.
#
# ### Predict: how many translations are still right?
#
# - **A** 3
# - **B** 17
# - **C** 31
# - **D** 39

# %% answer="mask-off-by-one"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("mask-off-by-one", answer)

# %%
def one_too_far(n):
    return causal_mask(n + 1)[1:, :n]

with skip_if_unimplemented():
    for name, mask in {"your causal_mask": causal_mask, "one position too far": one_too_far}.items():
        X, decoder = decoder_at_work("The red car is new.", load_model(dtype=np.float64), mask)
        print(f"{name}: {count_right(causal_mask=mask)} of 40 are right, first leak: {first_leak(decoder, X)}")

# %% [markdown]
# The model of the opening was *trained* with that mask and relied on it; this one was not.
# `first_leak` finds the fault in one sentence, without any Spanish. Try it on every causal layer that you write.
#
# ## What you have now
#
# Masks that say what is hidden, an attention that gives it a weight of exactly 0, and `first_leak`, which finds what
# neither a loss nor a few translations show.
#
# Next: **[04 Multi-head attention](../04_multi_head_attention/04_multi_head_attention.ipynb)**, where several attentions
# run side by side as *heads*.
