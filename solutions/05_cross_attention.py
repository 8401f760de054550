# %% [markdown]
# # 05 Cross-attention
#
# A translation has to look at the sentence that it translates.
# In this notebook you let one sequence attend to another one, and you find out which masks that needs and what the
# weights do and do not tell.
#
# **20 points, about 60 minutes.**
# You need attention (02), masks (03) and heads (04).
# Your functions of these units are loaded, and the course lends those that you have not finished.
#
# **[START HERE](../START_HERE.ipynb)** says how checks, hints and predictions work.

# %%
import numpy as np

from autograder import check, load, predict
from transformer_kit import plots, when_written
from transformer_kit.examples.attention import CATS
from transformer_kit.examples.translation import TRANSLATION, TWO_HEADS
from transformer_kit.parameters import AttentionParams, init_attention

(
    softmax, attention_scores, causal_mask, padding_mask,
    combine_masks, masked_attention, split_heads, merge_heads,
) = load(
    "softmax", "attention_scores", "causal_mask", "padding_mask",
    "combine_masks", "masked_attention", "split_heads", "merge_heads",
)

# %% [markdown]
# ## Three attentions in one model
#
# A Transformer that translates has an *encoder*, which reads the source, and a *decoder*, which writes the target.
# Attention occurs in three places (Vaswani et al. 2017, section 3.2.3):
#
# | where | who asks (queries) | who answers (keys, values) |
# |---|---|---|
# | self-attention in the encoder | the source | the source |
# | self-attention in the decoder | the target | the target |
# | **cross-attention** | the target | the source |
#
# The encoder turns every source token into a vector that knows its context.
# Together these vectors are called the **memory**.
#
# A decoder layer works in three steps.
#
# 1. Masked self-attention among the target positions, then Add & Norm (unit 07). The result is the *decoder states*.
# 2. Cross-attention: **the decoder states of this same layer ask, the memory answers.** Then Add & Norm.
# 3. The feed-forward network (unit 06), and only after it the next layer.
#
# So the queries do not come straight from the layer below, although the paper's text can be read so, and the output
# does not go straight to the layer above. Figure 1 of the paper shows the way.
# All layers of the decoder read the same memory.
#
# Our example: a decoder is about to write five Spanish words, with four English words in its memory.
# The numbers are set by hand, so that you can read them.
# Columns 0 to 2 say what a word means. Columns 3 to 5 say what part it plays in the sentence: column 3 stands for the
# speaker, column 4 for the animals, column 5 for anything else.

# %%
source, target = TRANSLATION.source[0], TRANSLATION.target[0]
memory, X, params = TRANSLATION.memory[0], TRANSLATION.decoder[0], TRANSLATION.params
plots.beside(
    plots.heatmap(memory, source, x_label="column", title="Memory"),
    plots.heatmap(X, target, x_label="column", title="Decoder states"),
    same_limits=True,
    alt="Translations share columns 0 to 2. Columns 3 to 5 of all target words but the first point to the cats.",
)

# %% [markdown]
# Each decoder state is named after the word that it is about to write.
# (What goes into the decoder is the word *before* that, and a start symbol at the first position.)
#
# In column 4, "gustan" asks for the animals: it is plural because in Spanish it is the cats that please me.
# "los" means nothing of its own here, so its columns 0 to 2 are 0.

# %% [markdown]
# ## Exercise 5.1: context_vector
#
# *3 points, about 8 minutes, difficulty 1 of 5*
#
# Before there were Transformers, attention worked for one decoder step at a time (Bahdanau et al. 2015).
# A step has one query $q$. Source token $j$ has a key $k_j$ and a value $v_j$.
#
# $$s_j = \frac{q \cdot k_j}{\sqrt{d_k}} \qquad a = \operatorname{softmax}(s) \qquad c = \sum_j a_j\, v_j$$
#
# ### One decoder step
#
# - The query is made from the decoder state, $q = x\,W_Q$. Keys and values are made from the memory,
#   $k_j = m_j\,W_K$ and $v_j = m_j\,W_V$. Your function gets the results.
# - The weights $a$ are shares of a budget of 1, one share per source token.
# - The *context vector* $c$ has the width of a value, however long the source is.
#
# | name | shape | meaning |
# |---|---|---|
# | `query` | `(d_k,)` | one vector, no axis for queries |
# | `keys` | `(n, d_k)` | one row per source token |
# | `values` | `(n, d_v)` | one row per source token |
# | results | `context (d_v,)`, `weights (n,)` | what was found, and where |
#
# **By hand.** Let $d_k = 4$, so the divisor is 2. The query is (2, 0, 0, 0), and the keys are
# (0, 7, 7, 7), (ln 2, 7, 7, 7) and (ln 5, 7, 7, 7).
# The scores are 0, ln 2 and ln 5, their exponentials 1, 2 and 5, and the weights 1/8, 2/8 and 5/8.
# With the values (8, 0), (0, 4) and (8, -8) the context is (1 + 0 + 5, 0 + 1 - 5) = (6, -4).


# %% solution="context_vector"
def context_vector(query, keys, values):
    """Return what one decoder step takes from the source.

    Parameters
    ----------
    query : ndarray of shape (d_k,)
    keys : ndarray of shape (n, d_k)
    values : ndarray of shape (n, d_v)

    Returns
    -------
    context : ndarray of shape (d_v,)
    weights : ndarray of shape (n,)
    """
    ### BEGIN SOLUTION
    scores = keys @ query / len(query) ** 0.5  # (n,)
    weights = softmax(scores)
    return weights @ values, weights
    ### END SOLUTION


# %%
keys_by_hand = np.array([[0, 7, 7, 7], [np.log(2), 7, 7, 7], [np.log(5), 7, 7, 7]])
with when_written():
    context, weights = context_vector(np.array([2, 0, 0, 0]), keys_by_hand, np.array([[8, 0], [0, 4], [8, -8]]))
    print("context:", context.round(6), "weights:", weights.round(6))  # by hand: 6, -4 and 1/8, 2/8, 5/8

# %%
plots.yours_and_target(
    context_vector,
    X[1] @ params.W_Q,
    memory @ params.W_K,
    memory @ params.W_V,
    pick=1,
    draw=lambda weights: plots.bars(weights, source, y_label="weight", limits=(0, 1)),
    title="About to write “gustan”",
    alt="The largest weight is on “like”, the next on “cats”.",
)

# %% check="context_vector"
check(context_vector)

# %% [markdown]
# <details><summary>Hint 1: which numbers does the sum run over?</summary>
#
# A score is one number per source token. Over which axis of `keys` do you have to sum the products with the query?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `(n, d_k)` times `(d_k,)` gives `(n,)`. And `(n,)` times `(n, d_v)` gives `(d_v,)`.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Multiply every key with the query, and divide by the root of their common width.
# 2. Turn the scores into shares. The `softmax` of unit 02 is loaded, and safe for large scores.
# 3. Sum the values, each times its share. Return the sum first, then the shares.
#
# </details>

# %% [markdown]
# ### Step by step
#
# Move the slider along the translation. Every step has its own query, and so its own weights.


# %%
def at_step(word):
    """Draw the weights at the step that writes one word."""
    inputs = X[target.index(word)] @ params.W_Q, memory @ params.W_K, memory @ params.W_V

    def draw(weights):
        return plots.bars(weights, source, y_label="weight", limits=(0, 1))

    return plots.yours_and_target(context_vector, *inputs, pick=1, draw=draw, title=f"About to write “{word}”")


plots.slider(at_step, "word", target, start="los")

# %% [markdown]
# ### Find the error: the last line of “I like cats”
#
# In the printed example of unit 02, "Me gustan" attends to "I like cats", and scores and weights were wrong.
# Now look at its last line, weights times values.
# (It takes the encoder output `E` itself as keys and as values. A real layer projects it twice.)

# %%
print("E (keys and values):\n", CATS.E)
print("printed weights:\n", CATS.printed_weights)
print("printed contexts of “Me” and “gustan”:\n", CATS.printed_output)

# %% [markdown]
# Which of the printed contexts follows from the printed weights?
#
# - **A** Both.
# - **B** Only that of "Me".
# - **C** Only that of "gustan".
# - **D** Neither.

# %% answer="last-line"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("last-line", answer)

# %% [markdown]
# What should the two contexts have been, from the queries on?
# Set `answer` to two rows of four numbers, with three decimals. Your function may help.

# %%
print("Q =", CATS.Q.tolist())

# %% answer="repaired-contexts"
### BEGIN SOLUTION
answer = [[0.604, 0.704, 0.804, 0.904], [0.584, 0.684, 0.784, 0.884]]
### END SOLUTION
predict("repaired-contexts", answer)

# %% [markdown]
# ## Two ways to compare a query with a key
#
# The attention of Bahdanau et al. (2015) was **additive**: it adds query and key, each times a learned matrix, and
# weights the tanh of every entry with a learned vector:
#
# $$s_j = \tanh(q\,W_a + k_j\,U_a) \cdot v_a$$
#
# Luong et al. (2015) compared it with the dot product $q \cdot k_j$, and with a matrix in between, $q\,W\,k_j^\top$.
# The latter is what your projections come to:
# $(x\,W_Q)(m\,W_K)^\top = x\,(W_Q W_K^\top)\,m^\top$.
#
# | | additive | dot product |
# |---|---|---|
# | widths of query and key | may differ | must be equal |
# | parameters in the score | $W_a$, $U_a$, $v_a$ | none |
# | all pairs at once | one tanh per pair and entry of $v_a$ | one matrix product |
# | size of a score | at most the sum of the absolute entries of $v_a$ | grows with both lengths, and so with $d_k$ |
#
# The last row is why dot products get a divisor and additive scores do not.
# Move the slider: the query keeps its direction and changes its length, from 0 to 64 times what it was.

# %%
rng = np.random.default_rng(5)
query, keys = rng.standard_normal(4), rng.standard_normal((5, 6))
W_a, U_a, v_a = rng.standard_normal((4, 8)), rng.standard_normal((6, 8)), rng.standard_normal(8)


def additive_scores(query, keys):
    """Compare a query of width 4 with keys of width 6."""
    return np.tanh(query @ W_a + keys @ U_a) @ v_a


# %%
def at_length(factor):
    """Draw the weights that both scores give to five keys."""
    dot_products = attention_scores(factor * query[None], keys[:, :4])[0]  # equal widths, and divided by √4
    weights = {"additive": softmax(additive_scores(factor * query, keys)), "dot product": softmax(dot_products)}
    return plots.bars(weights, x_label="key", y_label="weight", limits=(0, 1.1), title=f"query times {factor:g}")


plots.slider(at_length, "length", [0, 0.5, 1, 2, 4, 16, 64])

# %% [markdown]
# A very long query makes the dot product choose one key.
# The additive score does the opposite: the query alone decides every tanh, the keys drop out, and all weights become
# equal.
# For large $d_k$ additive attention was better than dot products without a divisor, but dot products are much faster
# (Vaswani et al. 2017, section 3.2.1). Transformers use them with the divisor.

# %% [markdown]
# ## Exercise 5.2: project_memory
#
# *4 points, about 10 minutes, difficulty 2 of 5*
#
# Keys and values are made from the memory alone:
#
# $$K = M\,W_K \qquad V = M\,W_V \qquad \text{each split into } H \text{ heads}$$
#
# ### Same source, two projections
#
# Keys and values have the same source, the memory $M$, but each has its own learned matrix:
# by the key a token is found, the value is what it then tells.
# $W_Q$ and $W_O$ take no part.
#
# ### Where the heads go
#
# As in unit 04, heads are slices of neighbouring columns, and the head axis stands just before the tokens.
# A head is as wide as its share of the columns of $W_K$ or $W_V$. This need not be `d_model / n_heads`.
#
# | name | shape | meaning |
# |---|---|---|
# | `memory` | `(..., n_source, d_model)` | what the encoder returned |
# | `params.W_K` | `(d_model, n_heads * d_k)` | all heads side by side |
# | `params.W_V` | `(d_model, n_heads * d_v)` | all heads side by side |
# | results | `K (..., n_heads, n_source, d_k)`, `V (..., n_heads, n_source, d_v)` | in this order |
#
# **By hand.** A memory of three tokens (1, 2), (3, 4), (5, 6), and two heads of width 1.
# $W_K$ keeps the first column and triples the second; $W_V$ exchanges the columns.
#
# | | head 0 | head 1 |
# |---|---|---|
# | keys | 1, 3, 5 | 6, 12, 18 |
# | values | 2, 4, 6 | 1, 3, 5 |


# %% solution="project_memory"
def project_memory(memory, params, n_heads):
    """Compute the keys and values of a source sentence, for every head.

    Parameters
    ----------
    memory : ndarray of shape (..., n_source, d_model)
    params : AttentionParams
        With the attributes W_Q, W_K, W_V and W_O.
    n_heads : int

    Returns
    -------
    K : ndarray of shape (..., n_heads, n_source, d_k)
    V : ndarray of shape (..., n_heads, n_source, d_v)
    """
    ### BEGIN SOLUTION
    K = split_heads(memory @ params.W_K, n_heads)
    V = split_heads(memory @ params.W_V, n_heads)
    return K, V
    ### END SOLUTION


# %%
by_hand = AttentionParams(W_Q=np.eye(2), W_K=np.diag([1, 3]), W_V=np.array([[0, 1], [1, 0]]), W_O=np.eye(2))
with when_written():
    K, V = project_memory(np.array([[1, 2], [3, 4], [5, 6]]), by_hand, 2)
    print("keys:", K[..., 0].tolist(), "values:", V[..., 0].tolist())  # one list per head

# %%
plots.yours_and_target(
    project_memory,
    memory,
    params,
    2,
    pick=lambda result: result[0][1],
    row_labels=source,
    x_label="column of the head",
    title="Keys of head 1",
    alt="“like” and “black” have the same key in head 1, which looks at parts and not at meanings.",
)

# %% check="project_memory"
check(project_memory)

# %% [markdown]
# <details><summary>Hint 1: what is cut into heads?</summary>
#
# Is it the memory, or the result of a projection? Every head should see all columns of the memory.
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `(..., n_source, d_model)` times `(d_model, n_heads * d_k)`: which shape is that, and what did `split_heads` of unit
# 04 do with such an array?
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Project the memory with the matrix of the keys and split the result into heads. Do the same, from the memory again,
# with the matrix of the values. Return both, keys first.
#
# </details>

# %% [markdown]
# ### Predict: how often is the memory projected?
#
# A trained decoder writes our five words one after the other, one step per word.
# How many times must the memory be projected in one layer?
#
# - **A** Once.
# - **B** 5 times.
# - **C** 15 times, since 1 + 2 + 3 + 4 + 5 = 15.

# %% answer="memory-projections"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("memory-projections", answer)


# %%
def counted(function):
    """Return the function with a counter of its calls."""

    def counting(*args):
        counting.calls += 1
        return function(*args)

    counting.calls = 0
    return counting


# %%
with when_written():
    once, every_step = counted(project_memory), counted(project_memory)
    K, V = once(memory, params, 1)
    contexts = [context_vector(x @ params.W_Q, K[0], V[0])[0] for x in X]
    anew = []
    for x in X:
        K, V = every_step(memory, params, 1)
        anew.append(context_vector(x @ params.W_Q, K[0], V[0])[0])
    print("projections:", once.calls, "or", every_step.calls, "- same contexts:", np.allclose(contexts, anew))

# %% [markdown]
# Programs that translate keep K and V for as long as the sentence lasts.
# For one layer of the paper's base model and 20 source tokens that saves 2 · 20 · 512² = 10,485,760 multiplications at
# every further step.
# Each of the six decoder layers has its own $W_K$ and $W_V$, so it is one projection per layer, all of the same memory.

# %% [markdown]
# ## Exercise 5.3: cross_attention
#
# *6 points, about 16 minutes, difficulty 3 of 5*
#
# In training, the whole target is known, and all its positions ask at once.
# With several heads this is the multi-head attention of unit 04, with two different inputs.
#
# ### Who asks and who answers
#
# $$\text{head}_h = \operatorname{softmax}\!\left(\frac{Q_h K_h^\top}{\sqrt{d_k}}\right) V_h
# \qquad Q = X\,W_Q \quad K = M\,W_K \quad V = M\,W_V$$
#
# The result is all heads side by side, times $W_O$.
# The number of rows comes from the target $X$; how far one can look comes from the memory $M$.
#
# | name | shape | meaning |
# |---|---|---|
# | `X_decoder` | `(..., n_target, d_model)` | decoder states: they ask |
# | `memory` | `(..., n_source, d_model)` | encoder output: it answers |
# | `memory_is_token` | `(..., n_source)` bool, or None | False = padding; None = no padding |
# | `output` | `(..., n_target, d_model)` | fits the decoder states, to which it will be added |
# | `weights` | `(..., n_heads, n_target, n_source)` | one map per head |
#
# ### Predict: may “los” look ahead?
#
# "los" stands at target position 2, "cats" at source position 3.
# Should a causal mask hide "cats" from "los", as it hides later words in the decoder's self-attention?
#
# - **A** Yes: what is needed for "los" stands at the source positions 0 to 2.
# - **B** Yes: otherwise the decoder sees words too early.
# - **C** No: "los" may see the whole source.

# %% answer="look-ahead"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("look-ahead", answer)

# %%
_, weights = masked_attention(X @ params.W_Q, memory @ params.W_K, memory @ params.W_V)
print("“los” to", {word: round(float(weight), 2) for word, weight in zip(source, weights[2], strict=True)})

# %% [markdown]
# ### What is hidden and what is not
#
# - **No causal mask.** The source is complete before the first target word is written.
# - **The padding of the source is hidden**, in every head and from every target position.
#   The weights have the axes head, target, source, so `memory_is_token` needs two new axes of length 1.
# - **The padding of the target does not count here.** A target position is a query. What a padding position finds is
#   thrown away later.
# - As always, a query that may attend to nothing gets weights 0 and output 0.
#
# **By hand.** One head of width 1. Decoder states (1, 5) and (0, 5), memory (0, 8) and (ln 3, 4).
# $W_Q$ and $W_K$ take the first column, $W_V$ the second, and $W_O$ makes $v$ into $(v, -v)$.
# The scores are 0 and ln 3 for the first state, so its weights are 1/4 and 3/4 and it finds 8/4 + 12/4 = 5.
# The second has scores 0 and 0, and finds 6. The output is (5, -5), (6, -6).


# %% solution="cross_attention"
def cross_attention(X_decoder, memory, params, n_heads, memory_is_token=None):
    """Let every position of the target look at the source.

    Parameters
    ----------
    X_decoder : ndarray of shape (..., n_target, d_model)
    memory : ndarray of shape (..., n_source, d_model)
    params : AttentionParams
    n_heads : int
    memory_is_token : ndarray of shape (..., n_source), bool, optional
        False where the source is padding.

    Returns
    -------
    output : ndarray of shape (..., n_target, d_model)
    weights : ndarray of shape (..., n_heads, n_target, n_source)
    """
    ### BEGIN SOLUTION
    Q = split_heads(X_decoder @ params.W_Q, n_heads)
    K, V = project_memory(memory, params, n_heads)
    mask = None
    if memory_is_token is not None:
        mask = padding_mask(memory_is_token)[..., None, :, :]  # (..., 1, 1, n_source)
    heads, weights = masked_attention(Q, K, V, mask)
    return merge_heads(heads) @ params.W_O, weights
    ### END SOLUTION


# %%
first, second = np.array([[1], [0]]), np.array([[0], [1]])
one_head = AttentionParams(W_Q=first, W_K=first, W_V=second, W_O=np.array([[1, -1]]))
with when_written():
    output, _ = cross_attention(np.array([[1, 5], [0, 5]]), np.array([[0, 8], [np.log(3), 4]]), one_head, 1)
    print(output.round(6).tolist())  # by hand: 5, -5 and 6, -6

# %%
is_token = TRANSLATION.source_is_token[1]
plots.yours_and_target(
    cross_attention,
    TRANSLATION.decoder[1],
    TRANSLATION.memory[1],
    params,
    2,
    is_token,
    pick=lambda result: result[1][0],
    row_labels=TRANSLATION.target[1],
    column_labels=TRANSLATION.source[1],
    title="Head 0",
    x_label="source",
    y_label="target",
    alt="The column of the source padding is 0. The row of the target padding holds weights like any other.",
)

# %% check="cross_attention"
check(cross_attention)

# %% [markdown]
# <details><summary>Hint 1: which of your functions do most of the work?</summary>
#
# You have one for keys and values, one for attention with a mask, and two that split and merge heads. What is left?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Queries `(..., n_heads, n_target, d_k)` and keys `(..., n_heads, n_source, d_k)` give scores
# `(..., n_heads, n_target, n_source)`. `padding_mask` turns `(..., n_source)` into `(..., 1, n_source)`: one axis is
# still missing, before these two.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Project the decoder states with the matrix of the queries, and split the result into heads.
# 2. Get keys and values of the memory.
# 3. If there is a padding argument, make a mask of it, with axes of length 1 for heads and targets.
# 4. Let all heads attend, put them side by side again, and multiply by the output matrix. Return the weights, too.
#
# </details>

# %% [markdown]
# ### Step by step and all at once
#
# Five steps with one head give five contexts. Times $W_O$ they must be what you now compute in a single call, up to
# rounding:

# %%
with when_written():
    K, V = project_memory(memory, params, 1)
    contexts = [context_vector(x @ params.W_Q, K[0], V[0])[0] for x in X]
    output, _ = cross_attention(X, memory, params, 1)
    print("largest difference:", np.abs(np.array(contexts) @ params.W_O - output).max())

# %% [markdown]
# And this is what the source padding would take if you forgot to hide it:

# %%
plots.yours_and_target(
    cross_attention,
    TRANSLATION.decoder[1],
    TRANSLATION.memory[1],
    params,
    2,
    pick=lambda result: result[1][:, :, 3],  # of the weights, the column of the padding
    row_labels=["head 0", "head 1"],
    column_labels=TRANSLATION.target[1],
    limits=(0, 1),
    title="Weight of <pad>, not hidden",
    alt="In head 1, “gustan”, “los” and “gatos” give nearly half of their attention to the padding.",
)

# %% [markdown]
# ## Find the error: two printed heads
#
# A second printed example has two heads of width 2 and decoder states of width 3.
# You repaired its last line in unit 04. Here are the lines before it.
# It stores its matrices as `(d_k, d_model)`, so they have to be transposed before use.

# %%
for name, printed in TWO_HEADS.printed_transposes.items():
    print(f"{name} = {getattr(TWO_HEADS, name).tolist()}, printed transpose: {printed.tolist()}")

# %% [markdown]
# Which of the printed matrices really is a transpose?
#
# - **A** The one for the queries.
# - **B** The one for the keys.
# - **C** The one for the values.
# - **D** None.

# %% answer="printed-transposes"
### BEGIN SOLUTION
answer = "D"
### END SOLUTION
predict("printed-transposes", answer)

# %% [markdown]
# Here are the inputs of head 1 (keys and values from two arrays, not from one memory), and its printed output.

# %%
for name in ("decoder", "key_input", "value_input", "printed_head_1"):
    print(f"{name}:", getattr(TWO_HEADS, name).tolist())

# %% [markdown]
# Repair it: set `answer` to its weights times its values, two rows of two numbers, with three decimals.

# %% answer="repaired-head"
### BEGIN SOLUTION
answer = [[0.861, 1.032], [0.880, 1.047]]
### END SOLUTION
predict("repaired-head", answer)

# %% [markdown]
# In the last line the example puts both heads side by side and multiplies by a $W_O$ of shape (4, 2).
# What has to change before this can work in a decoder layer?
#
# - **A** Both heads must have width 3, like the decoder states.
# - **B** $W_O$ must have 3 columns.
# - **C** $W_O$ must have 2 rows, because there are 2 target positions.
# - **D** Nothing, because (2, 4) times (4, 2) is a matrix product.

# %% answer="width-of-output"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("width-of-output", answer)

# %%
printed_heads = np.concatenate([TWO_HEADS.printed_head_1, TWO_HEADS.head_2], axis=1)
print("printed last line:     ", TWO_HEADS.printed_output.tolist())
print("from the printed heads:", (printed_heads @ TWO_HEADS.W_O).round(3).tolist())
print("from the repaired head:", TWO_HEADS.output.round(3).tolist())

# %% [markdown]
# Source and target have two tokens each here, so nobody would notice a transposed score matrix.
# When you test your own code, make all sizes different.

# %% [markdown]
# ## Exercise 5.4: alignment
#
# *3 points, about 10 minutes, difficulty 2 of 5*
#
# Which source word does a target word look at?
# Bahdanau et al. (2015) drew the weights of a trained model as a table: large weights near the diagonal, and crossings
# where French puts words in another order than English.
# Such a table is called an *alignment*. Here are the two heads of our example:

# %%
head_0, head_1 = TRANSLATION.weights
maps = {"Head 0": head_0, "Head 1": head_1, "Mean of both": (head_0 + head_1) / 2}
plots.beside(
    *(plots.heatmap(a, target, source, title=name, x_label="source", y_label="target") for name, a in maps.items()),
    same_limits=True,
    alt="Head 0 pairs words of the same meaning and crosses at “gatos negros”. Head 1 pairs four words with “cats”.",
)

# %% [markdown]
# Head 0 compares meanings: "gatos negros" and "black cats" cross, and "los" is undecided.
# Head 1 asks which noun a word has to agree with, and finds the cats.
#
# ### Heads first
#
# To sum this up in one answer per target position, take the mean over the heads **first**. Of the mean take the best
# source position and the *entropy*, a measure of how widely a position looks:
#
# $$\bar a_{ts} = \frac1H \sum_h a_{hts} \qquad \text{best}_t = \arg\max_s \bar a_{ts} \qquad
# \text{entropy}_t = -\sum_s \bar a_{ts} \ln \bar a_{ts}$$
#
# Of several equal weights the first one is the best. The entropy is 0 when one word has all of the weight, and it grows
# as the weight is spread. Its unit is called the *nat*.
#
# ### Predict: two heads that are sure
#
# One head puts all of its weight on "like", another one all of its weight on "cats".
# What is the entropy of their mean?
#
# - **A** 0, because both heads are sure.
# - **B** ln 2, which is 0.693.
# - **C** ln 4, which is 1.386, because there are four source tokens.

# %% answer="two-sure-heads"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("two-sure-heads", answer)

# %%
print("ln 2 =", np.log(2).round(3), "and ln 4 =", np.log(4).round(3))

# %% [markdown]
# ### How undecided is it
#
# The entropy is 0 for a single word, and $\ln n$ when all $n$ words have equal weights.
# So its exponential can be read as a number of words.
#
# Hidden tokens have the weight 0. By convention **0 · ln 0 = 0**, since $a \ln a$ goes to 0 with $a$.
# NumPy does not know that: `0 * np.log(0)` warns and gives NaN.
#
# | name | shape | meaning |
# |---|---|---|
# | `weights` | `(..., n_heads, n_target, n_source)` | from Exercise 5.3 |
# | `best_source` | `(..., n_target)`, int | a source position for every target position |
# | `entropy` | `(..., n_target)` | in nats |
#
# **By hand.** One target position, two heads: (3/4, 1/4, 0) and (1/4, 1/4, 1/2).
# The mean is (1/2, 1/4, 1/4). The best source position is 0.
# The entropy is $\frac12 \ln 2 + \frac14 \ln 4 + \frac14 \ln 4 = 1.5 \ln 2 = 1.0397$.


# %% solution="alignment"
def alignment(weights):
    """Say where every target position looks, and how undecided it is.

    Parameters
    ----------
    weights : ndarray of shape (..., n_heads, n_target, n_source)

    Returns
    -------
    best_source : ndarray of shape (..., n_target), int
        Position of the largest mean weight; the first one on a tie.
    entropy : ndarray of shape (..., n_target)
        Of the mean weights, in nats.
    """
    ### BEGIN SOLUTION
    mean = weights.mean(axis=-3)  # (..., n_target, n_source)
    logs = np.log(np.where(mean > 0, mean, 1))  # 0 where the weight is 0
    return mean.argmax(axis=-1), -(mean * logs).sum(axis=-1)
    ### END SOLUTION


# %%
with when_written():
    print(alignment(np.array([[[0.75, 0.25, 0.0]], [[0.25, 0.25, 0.5]]])))  # by hand: 0 and 1.0397

# %%
plots.yours_and_target(
    alignment,
    TRANSLATION.weights,
    pick=1,
    draw=lambda entropy: plots.bars(entropy, target, y_label="entropy (nats)", limits=(0, np.log(4))),
    alt="“Me” and “gatos” are the most decided, “los” the least.",
)

# %% check="alignment"
check(alignment)

# %% [markdown]
# <details><summary>Hint 1: which axis goes first?</summary>
#
# There may be a batch in front. Where do the heads stand, counted from the end?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `(..., n_heads, n_target, n_source)` becomes `(..., n_target, n_source)`, and both results lose the last axis, too.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Average over the heads.
# 2. Find the place of the largest entry of every row. NumPy's function for this takes the first of equal ones.
# 3. Before you take logarithms, put a harmless number where the weight is 0. Which number has the logarithm 0?
# 4. Multiply weights and logarithms, sum over the source, change the sign.
#
# </details>

# %%
with when_written():
    best, _ = alignment(TRANSLATION.weights)
    print(", ".join(f"{word} ← {source[s]}" for word, s in zip(target, best, strict=True)))

# %% [markdown]
# ### What an alignment does not promise
#
# These heads align words because we set them so.
# In training, nothing but the loss of the translation acts on the weights: they *may* become an alignment.
# An untrained layer names a best source word as well:

# %%
untrained = init_attention(np.random.default_rng(2), d_model=6, n_heads=2)
with when_written():
    best, entropy = alignment(cross_attention(X, memory, untrained, 2)[1])
    print(", ".join(f"{word} ← {source[s]}" for word, s in zip(target, best, strict=True)))
    print("entropy:", entropy.round(3), "- equal weights have", np.log(4).round(3))

# %% [markdown]
# The entropy shows that this means little: the weights are nearly equal.
# But even a large weight does not say everything, because what arrives is weight times value.
# A weight of 0.9 on a value of length 0.1 brings 0.09; a weight of 0.1 on a value of length 5 brings 0.5.
# Whether weights explain what a model does is disputed (Jain and Wallace 2019; Kobayashi et al. 2020 on the lengths of
# values).
# Read such a picture as "looked at", not as "because of".

# %% [markdown]
# ## Exercise 5.5: translation_masks
#
# *4 points, about 12 minutes, difficulty 3 of 5*
#
# Now a whole batch, with padding in source and target. Three attentions need three masks. One in the wrong place
# causes no error if source and target happen to be padded to the same length.
#
# ### Which mask goes where
#
# With $p$ for `source_is_token`, $r$ for `target_is_token`, query $i$ and key $j$:
#
# $$\text{encoder}_{b1j} = p_{bj} \qquad \text{decoder}_{bij} = (j \le i) \wedge r_{bj} \qquad
# \text{cross}_{b1j} = p_{bj}$$
#
# A mask is about **keys**, so ask who answers. In cross-attention it is the source, and so the encoder mask and the
# cross mask are equal. Only the decoder has a future to hide.
#
# ### Keys are hidden, never queries
#
# A padding position of the target still asks, and sees the tokens before it.
# Its output is ignored by the loss (unit 10). To hide the keys from it would gain nothing and would make rows in
# which nothing is visible.
#
# | name | shape | for |
# |---|---|---|
# | `source_is_token` | `(B, n_source)` bool | False = padding |
# | `target_is_token` | `(B, n_target)` bool | False = padding |
# | `encoder` | `(B, 1, n_source)` bool | self-attention of the encoder |
# | `decoder` | `(B, n_target, n_target)` bool | self-attention of the decoder |
# | `cross` | `(B, 1, n_source)` bool | target to source |
#
# **By hand.** One source of two tokens and one padding, one target of one token and one padding.
# Encoder and cross: one row, ✓ ✓ hidden. Decoder: two rows, ✓ hidden and ✓ hidden.


# %% solution="translation_masks"
def translation_masks(source_is_token, target_is_token):
    """Return the three masks of an encoder-decoder Transformer; True = may attend.

    Parameters
    ----------
    source_is_token : ndarray of shape (B, n_source), bool
    target_is_token : ndarray of shape (B, n_target), bool

    Returns
    -------
    encoder : ndarray of shape (B, 1, n_source), bool
    decoder : ndarray of shape (B, n_target, n_target), bool
    cross : ndarray of shape (B, 1, n_source), bool
    """
    ### BEGIN SOLUTION
    n_target = target_is_token.shape[1]
    encoder = padding_mask(source_is_token)
    decoder = combine_masks(causal_mask(n_target), padding_mask(target_is_token))
    return encoder, decoder, encoder
    ### END SOLUTION


# %%
with when_written():
    for mask in translation_masks(np.array([[True, True, False]]), np.array([[True, False]])):
        print(mask.shape, mask.tolist())

# %%
plots.yours_and_target(
    translation_masks,
    TRANSLATION.source_is_token,
    TRANSLATION.target_is_token,
    pick=lambda masks: masks[1][1],
    draw=plots.mask_picture,
    row_labels=TRANSLATION.target[1],
    column_labels=TRANSLATION.target[1],
    title="Decoder mask of the second sentence",
    alt="A lower triangle whose last column, the padding, is hidden; the last row still sees the four tokens.",
)

# %% check="translation_masks"
check(translation_masks)

# %% [markdown]
# <details><summary>Hint 1: who are the keys?</summary>
#
# For each of the three attentions, say whether its keys are source or target tokens. Which of them has a future?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# A causal mask `(n_target, n_target)` and a padding mask `(B, 1, n_target)` broadcast to `(B, n_target, n_target)`.
# The other two masks keep an axis of length 1, because they are the same for every query.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Make the padding mask of the source. It serves in two places.
# 2. Make the causal mask of the target's length, and the padding mask of the target.
# 3. Combine these two: a pair is allowed if both allow it.
# 4. Return encoder, decoder, cross, in this order.
#
# </details>

# %% [markdown]
# The cross mask of the same sentence, "I like cats", is a single row for all positions of the target.
# The encoder mask is the same row:

# %%
plots.yours_and_target(
    translation_masks,
    TRANSLATION.source_is_token,
    TRANSLATION.target_is_token,
    pick=lambda masks: masks[2][1],
    draw=plots.mask_picture,
    row_labels=["every position"],
    column_labels=TRANSLATION.source[1],
    title="Cross mask of the second sentence",
    alt="The three English words are allowed, the padding is hidden.",
)

# %% [markdown]
# In the decoder mask, "gustan" may attend to itself. That is no leak: what goes in at that position is the word before.
#
# When padding stands at the end, the causal mask alone hides it from every real token.
# The padding part of the decoder mask matters when the padding stands in front, as in batches of texts that a model
# continues at their ends.

# %% [markdown]
# ## What you have now
#
# - `context_vector` is one step of attention, `cross_attention` all steps and all heads at once.
# - `project_memory` gives keys and values once per sentence and layer. The decoder changes, the memory does not.
# - Cross-attention hides the padding of the source, and nothing else. `translation_masks` puts every mask in its place.
# - `alignment` reads the maps, and you know how far to trust them.
# - You repaired two printed examples, and saw that a number that looks right says nothing about the others.
#
# ### Going further
#
# *Not graded.* Beam search (unit 08) keeps several beginnings of one translation. They share one source.
# Call your function with decoder states of shape (3, 5, 6) and a memory of shape (4, 6).
# Does it work without copying the memory three times? Why?
#
# Next: **[06 The position-wise feed-forward network](../06_feed_forward/06_feed_forward.ipynb)**, the third step of a decoder layer and the
# second of an encoder layer.
