# %% [markdown]
# # 05 Cross-attention
#
# A translation has to look at the sentence that it translates.
# In this unit you let one sequence attend to another, and find out what the weights tell you and what they do not.
#
# **{{points}}, {{time}}.**
# You need attention (02), masks (03) and heads (04).
#
# **[START HERE](../START_HERE.ipynb)** says how checks, hints and predictions work.

# %%
import numpy as np

from autograder import check, load, predict, progress
from transformer_kit import plots, reference, skip_if_unimplemented
from transformer_kit.examples.translation import TRANSLATION
from transformer_kit.experiments.open_tasks import weight_and_effect
from transformer_kit.experiments.whole_model.ablations import with_attention, without_head
from transformer_kit.experiments.whole_model.batches import forgetful, translated_together, weight_where_hidden
from transformer_kit.experiments.whole_model.one_sentence import watched
from transformer_kit.parameters import AttentionParams, init_attention
from transformer_kit.pictures import cross_ribbons, ribbons
from transformer_kit.trained.model import load_model

softmax, attention_scores, causal_mask, padding_mask, combine_masks, split_heads, multi_head_attention = load(
    "softmax", "attention_scores", "causal_mask", "padding_mask", "combine_masks", "split_heads", "multi_head_attention"
)

# %%
progress("05")

# %% [markdown]
# ## Where does a translation look?
#
# A trained model translates *The red car is new.* It is about to write *el* rather than *la*, because *coche* is
# masculine. But *coche* is not written yet. All the model has is the English sentence.
#
# ### Predict: where does it look?
#
# Take the last layer that attends to the source, and the mean over its heads.
#
# - **A** mainly at *car*
# - **B** mainly at *the*
# - **C** mainly at *red*
# - **D** equally at all words

# %% answer="where-el-looks"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("where-el-looks", answer)

# %%
cross_ribbons("The red car is new.")

# %% [markdown]
# Point at *el*, then at *coche* and *rojo*, whose order is not the English one.
# At the end, your own function draws this picture.
#
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
# Together these vectors are called the **memory**, and all layers of the decoder read the same one.
#
# A decoder layer works in three steps.
#
# 1. Masked self-attention among the target positions, then Add & Norm (unit 07). The result is the *decoder states*.
# 2. Cross-attention: **the decoder states of this same layer ask, the memory answers.** Then Add & Norm.
# 3. The feed-forward network (unit 06), and only after it the next layer.
#
# Here are the memory and the decoder states of the sentence above, in the last layer of the trained model.
# Each decoder state is named after the word that it is about to write.

# %%
model = load_model()
seen = watched("The red car is new.", model, reference)
memory, states = seen.parts["encoder.1.norm_2"][0], seen.parts["decoder.1.norm_1"][0]
params = model.decoder[1].cross_attention  # of four heads, each 16 columns wide
print("memory:", memory.shape, seen.source)
print("decoder states:", states.shape, seen.written)

# %% [markdown]
# ## Exercise {{context_vector}}: context_vector
#
# *{{points context_vector}}, about 8 minutes, difficulty 1 of 5*
#
# Before there were Transformers, attention was computed for one decoder step at a time (Bahdanau et al. 2015).
# A step has one query $q$. Source token $j$ has a key $k_j$ and a value $v_j$.
#
# $$s_j = \frac{q \cdot k_j}{\sqrt{d_k}} \qquad a = \operatorname{softmax}(s) \qquad c = \sum_j a_j\, v_j$$
#
# ### One decoder step
#
# - The query is made from the decoder state, $q = x\,W_Q$. Keys and values are made from the memory,
#   $k_j = m_j\,W_K$ and $v_j = m_j\,W_V$. Your function is given the results.
# - The weights $a$ are shares of a budget of 1, one share per source token.
# - The *context vector* $c$ is as wide as a value, however long the source is.
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

    query (d_k,), keys (n, d_k), values (n, d_v) -> context (d_v,), weights (n,).
    """
    ### BEGIN SOLUTION
    scores = keys @ query / len(query) ** 0.5  # (n,)
    weights = softmax(scores)
    return weights @ values, weights
    ### END SOLUTION

# %%
keys_by_hand = np.array([[0, 7, 7, 7], [np.log(2), 7, 7, 7], [np.log(5), 7, 7, 7]])
with skip_if_unimplemented():
    context, weights = context_vector(np.array([2, 0, 0, 0]), keys_by_hand, np.array([[8, 0], [0, 4], [8, -8]]))
    print("context:", context.round(6), "weights:", weights.round(6))  # by hand: 6, -4 and 1/8, 2/8, 5/8

# %% check="context_vector"
check(context_vector)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# A score is one number per source token. Over which axis of `keys` do you have to sum the products with the query?
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# `(n, d_k)` times `(d_k,)` gives `(n,)`. And `(n,)` times `(n, d_v)` gives `(d_v,)`.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# 1. Multiply every key by the query, and divide by the square root of their common width.
# 2. Turn the scores into weights. The `softmax` of unit 02 is loaded, and safe for large scores.
# 3. Sum the values, each times its weight. Return the sum first, then the weights.
#
# </details>

# %% [markdown]
# ### Step by step
#
# Every step has its own query, and so its own weights. Here your function runs step by step for one head, head 2.
# Compare *el* with the picture above.

# %%
own = slice(32, 48)  # the columns of head 2
Q, K, V = states @ params.W_Q[:, own], memory @ params.W_K[:, own], memory @ params.W_V[:, own]
with skip_if_unimplemented():
    steps = [context_vector(query, K, V) for query in Q]
    display(ribbons([weights for _, weights in steps], seen.written, seen.source, "Where head 2 looks, step by step: “The red car is new.”"))

# %% [markdown]
# ## Two ways to compare a query with a key
#
# The attention of Bahdanau et al. (2015) was **additive**: query and key are each multiplied by a learned matrix and
# added up, and the tanh of the sum is multiplied by a learned vector:
#
# $$s_j = \tanh(q\,W_a + k_j\,U_a) \cdot v_a$$
#
# Luong et al. (2015) compared it with the dot product $q \cdot k_j$, and with a matrix in between, $q\,W\,k_j^\top$.
# The latter is what your projections amount to:
# $(x\,W_Q)(m\,W_K)^\top = x\,(W_Q W_K^\top)\,m^\top$.
#
# | | additive | dot product |
# |---|---|---|
# | widths of query and key | may differ | must be equal |
# | parameters in the score | $W_a$, $U_a$, $v_a$ | none |
# | all pairs at once | one tanh per pair and entry of $v_a$ | one matrix product |
#
# ### Predict: a very long query
#
# A query becomes 64 times as long and keeps its direction. With dot products, one key then takes all of the weight.
# What happens with additive scores?
#
# - **A** One key takes nearly all.
# - **B** They stay as they were.
# - **C** They become equal.

# %% answer="long-query"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("long-query", answer)

# %%
rng = np.random.default_rng(5)
query, keys = rng.standard_normal(4), rng.standard_normal((5, 6))
W_a, U_a, v_a = rng.standard_normal((4, 8)), rng.standard_normal((6, 8)), rng.standard_normal(8)


def at_length(factor):
    """Draw the weights that both scores give to five keys."""
    additive = np.tanh(factor * query @ W_a + keys @ U_a) @ v_a
    dot_products = attention_scores(factor * query[None], keys[:, :4])[0]  # equal widths, and divided by √4
    weights = {"additive": softmax(additive), "dot product": softmax(dot_products)}
    return plots.bars(weights, x_label="key", y_label="weight", limits=(0, 1.1))


plots.slider(at_length, "query times", [0, 0.5, 1, 2, 4, 16, 64], start=1)

# %% [markdown]
# For large $d_k$ additive attention was better than dot products without a divisor, but dot products are much faster
# (Vaswani et al. 2017, section 3.2.1). Transformers use them with the divisor.
#
# ## Exercise {{project_memory}}: project_memory
#
# *{{points project_memory}}, about 10 minutes, difficulty 2 of 5*
#
# Keys and values are made from the memory alone:
#
# $$K = M\,W_K \qquad V = M\,W_V \qquad \text{each split into } H \text{ heads}$$
#
# ### Same source, two projections
#
# Keys and values have the same source, the memory $M$, but each has its own learned matrix:
# the key is what a token is found by, the value is what it then has to say.
# $W_Q$ and $W_O$ play no part here.
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
# $W_K$ keeps the first column and triples the second; $W_V$ swaps the columns.
#
# | | head 0 | head 1 |
# |---|---|---|
# | keys | 1, 3, 5 | 6, 12, 18 |
# | values | 2, 4, 6 | 1, 3, 5 |

# %% solution="project_memory"
def project_memory(memory, params, n_heads):
    """Compute the keys and values of a source sentence, for every head.

    memory (..., n_source, d_model), params: AttentionParams with W_Q, W_K, W_V, W_O
    -> K (..., n_heads, n_source, d_k), V (..., n_heads, n_source, d_v).
    """
    ### BEGIN SOLUTION
    K = split_heads(memory @ params.W_K, n_heads)
    V = split_heads(memory @ params.W_V, n_heads)
    return K, V
    ### END SOLUTION

# %%
by_hand = AttentionParams(W_Q=np.eye(2), W_K=np.diag([1, 3]), W_V=np.array([[0, 1], [1, 0]]), W_O=np.eye(2))
with skip_if_unimplemented():
    K, V = project_memory(np.array([[1, 2], [3, 4], [5, 6]]), by_hand, 2)
    print("keys:", K[..., 0].tolist(), "values:", V[..., 0].tolist())  # one list per head

# %% check="project_memory"
check(project_memory)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# What is cut into heads: the memory, or the result of a projection? Every head should see all columns of the memory.
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# `(..., n_source, d_model)` times `(d_model, n_heads * d_k)`: which shape is that, and what did `split_heads` of unit 04 do with such an array?
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# Project the memory with the matrix of the keys and split the result into heads. Do the same, from the memory again, with the matrix of the values. Return both, keys first.
#
# </details>

# %% [markdown]
# ### Predict: how often is the memory projected?
#
# A trained decoder writes five words one after the other, one step per word.
# How many times must the memory be projected in one layer?
#
# - **A** 1
# - **B** 5
# - **C** 15

# %% answer="memory-projections"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("memory-projections", answer)

# %% [markdown]
# ## Exercise {{cross_attention}}: cross_attention
#
# *{{points cross_attention}}, about 10 minutes, difficulty 2 of 5*
#
# In training, the whole target is known, and all its positions ask at once, with all heads.
# You have written that already: it is the `multi_head_attention` of unit 04, with two different inputs.
# All that is new is who plays which part, and what is hidden from whom. **Two lines will do.**
#
# ### Who asks and who answers
#
# $$\text{head}_h = \operatorname{softmax}\!\left(\frac{Q_h K_h^\top}{\sqrt{d_k}}\right) V_h
# \qquad Q = X\,W_Q \quad K = M\,W_K \quad V = M\,W_V$$
#
# The result is all heads side by side, times $W_O$.
# The number of rows comes from the target $X$; the number of tokens to look at comes from the memory $M$.
#
# | name | shape | meaning |
# |---|---|---|
# | `X_decoder` | `(..., n_target, d_model)` | decoder states: they ask |
# | `memory` | `(..., n_source, d_model)` | encoder output: it answers |
# | `memory_is_token` | `(..., n_source)` bool, or None | False = padding; None = no padding |
# | `output` | `(..., n_target, d_model)` | fits the decoder states, to which it will be added |
# | `weights` | `(..., n_heads, n_target, n_source)` | one map per head |
#
# ### Predict: may a word look ahead?
#
# *el* stands at target position 0, *car* at source position 2.
# Should a causal mask hide *car* from *el*, as it hides later words in the decoder's self-attention?
#
# - **A** No: *el* may see every word of the source.
# - **B** Yes: otherwise *el* sees a later word too early.
# - **C** Yes: what *el* needs stands at source position 0.

# %% answer="look-ahead"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("look-ahead", answer)

# %% [markdown]
# ### What is hidden and what is not
#
# - **The padding of the source is hidden**, in every head and from every target position.
# - **The padding of the target does not count here.** A target position is a query. What a padding position finds is
#   thrown away later.
# - As always, a query that may attend to nothing gets weights 0 and output 0.
#
# **By hand.** One head of width 1. Decoder states (1, 5) and (0, 5), memory (0, 8) and (ln 3, 4).
# $W_Q$ and $W_K$ take the first column, $W_V$ the second, and $W_O$ turns $v$ into $(v, -v)$.
# The scores are 0 and ln 3 for the first state, so its weights are 1/4 and 3/4 and it finds 8/4 + 12/4 = 5.
# The second has scores 0 and 0, and finds 6. The output is (5, -5), (6, -6).

# %% solution="cross_attention"
def cross_attention(X_decoder, memory, params, n_heads, memory_is_token=None):
    """Let every position of the target look at the source.

    X_decoder (..., n_target, d_model), memory (..., n_source, d_model), memory_is_token (..., n_source), bool, or None
    -> output (..., n_target, d_model), weights (..., n_heads, n_target, n_source).
    """
    ### BEGIN SOLUTION
    mask = None if memory_is_token is None else padding_mask(memory_is_token)
    return multi_head_attention(X_decoder, memory, params, n_heads, mask)
    ### END SOLUTION

# %%
first, second = np.array([[1], [0]]), np.array([[0], [1]])
one_head = AttentionParams(W_Q=first, W_K=first, W_V=second, W_O=np.array([[1, -1]]))
with skip_if_unimplemented():
    output, _ = cross_attention(np.array([[1, 5], [0, 5]]), np.array([[0, 8], [np.log(3), 4]]), one_head, 1)
    print(output.round(6).tolist())  # by hand: 5, -5 and 6, -6

# %% check="cross_attention"
check(cross_attention)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Which of the five arguments of `multi_head_attention` do you have already, and which one do you have to make?
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# `padding_mask` turns `(..., n_source)` into `(..., 1, n_source)`. `multi_head_attention` takes a mask that broadcasts to
# `(..., n_target, n_source)` and adds the axis for the heads itself.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# 1. If there is a padding argument, make a mask of it; if not, there is no mask.
# 2. Let the decoder states ask and the memory answer. Return output and weights as they come.
#
# </details>

# %% [markdown]
# ### Step by step and all at once
#
# The seven steps of head 2 and the same head in a single call are equal up to rounding.

# %%
with skip_if_unimplemented():
    _, weights = cross_attention(states, memory, params, 4)
    print("largest difference:", np.abs(np.array([one for _, one in steps]) - weights[2]).max())

# %% [markdown]
# ## Exercise {{alignment}}: alignment
#
# *{{points alignment}}, about 10 minutes, difficulty 2 of 5*
#
# Which source word does a target word look at?
# Bahdanau et al. (2015) drew the weights of a trained model as a table: large weights near the diagonal, and crossings
# where French puts words in a different order from English. Such a table is called an *alignment*.
#
# ### Heads first
#
# To get one answer per target position, take the mean over the heads **first**. Then find the best source position of
# the mean, and its *entropy*, a measure of how spread out its attention is:
#
# $$\bar a_{ts} = \frac1H \sum_h a_{hts} \qquad \text{best}_t = \arg\max_s \bar a_{ts} \qquad
# \text{entropy}_t = -\sum_s \bar a_{ts} \ln \bar a_{ts}$$
#
# On a tie, the first wins. The entropy is 0 when one word has all of the weight, and it
# grows as the weight is spread. Its unit is called the *nat*.
#
# ### Predict: two heads that are sure
#
# One head puts all of its weight on *the*, another puts all of its weight on *car*.
# What is the entropy of their mean, in a source of four tokens?
#
# - **A** 0.000, which is ln 1
# - **B** 0.693, which is ln 2
# - **C** 1.386, which is ln 4

# %% answer="two-sure-heads"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("two-sure-heads", answer)

# %% [markdown]
# ### How undecided a position is
#
# Hidden tokens have the weight 0. By convention **0 · ln 0 = 0**, since $a \ln a$ goes to 0 with $a$.
# NumPy does not know that: `0 * np.log(0)` warns and gives NaN.
#
# | name | shape | meaning |
# |---|---|---|
# | `weights` | `(..., n_heads, n_target, n_source)` | from Exercise {{cross_attention}} |
# | `best_source` | `(..., n_target)`, int | a source position for every target position |
# | `entropy` | `(..., n_target)` | in nats |
#
# **By hand.** One target position, two heads: (3/4, 1/4, 0) and (1/4, 1/4, 1/2).
# The mean is (1/2, 1/4, 1/4). The best source position is 0.
# The entropy is $\frac12 \ln 2 + \frac14 \ln 4 + \frac14 \ln 4 = 1.5 \ln 2 = 1.0397$.

# %% solution="alignment"
def alignment(weights):
    """Say where every target position looks, and how undecided it is.

    weights (..., n_heads, n_target, n_source) -> best_source (..., n_target), int, the first on a tie,
    and entropy (..., n_target) of the mean weights, in nats.
    """
    ### BEGIN SOLUTION
    mean = weights.mean(axis=-3)  # (..., n_target, n_source)
    logs = np.log(np.where(mean > 0, mean, 1))  # 0 where the weight is 0
    return mean.argmax(axis=-1), -(mean * logs).sum(axis=-1)
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    print(alignment(np.array([[[0.75, 0.25, 0.0]], [[0.25, 0.25, 0.5]]])))  # by hand: 0 and 1.0397
    best, entropy = alignment(seen.parts["decoder.1.cross_attention.weights"][0])
    for word, s, h in zip(seen.written, best, entropy, strict=True):
        in_effect = np.exp(h)  # n equal weights have the entropy ln n
        print(f"{word:6} looks at {seen.source[s]:4} and, in effect, at {in_effect:.1f} words")

# %% check="alignment"
check(alignment)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# There may be a batch in front. Where do the heads stand, counted from the end?
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# `(..., n_heads, n_target, n_source)` becomes `(..., n_target, n_source)`, and both results lose the last axis, too.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# 1. Average over the heads.
# 2. Find the place of the largest entry of every row. NumPy's function for this takes the first of equal ones.
# 3. Before you take logarithms, put a harmless number where the weight is 0. Whose logarithm is 0?
# 4. Multiply weights and logarithms, sum over the source, change the sign.
#
# </details>

# %% [markdown]
# ### What an alignment does not promise
#
# In training, nothing but the loss of the translation acts on the weights: they *may* become an alignment, but nothing
# forces them to. An untrained layer names a best source word as well:

# %%
untrained = init_attention(np.random.default_rng(2), d_model=64, n_heads=4)
with skip_if_unimplemented():
    best, entropy = alignment(cross_attention(states, memory, untrained, 4)[1])
    print(", ".join(f"{word} ← {seen.source[s]}" for word, s in zip(seen.written, best, strict=True)))
    print("entropy:", entropy.round(2), "- six equal weights have", np.log(6).round(2))

# %% [markdown]
# But even a large weight does not tell you everything, because what arrives is weight times value.
# A weight of 0.9 on a value of length 0.1 brings 0.09; a weight of 0.1 on a value of length 5 brings 0.5.
# Whether weights explain what a model does is disputed (Jain and Wallace 2019; Kobayashi et al. 2020 on the lengths of
# values).
#
# ### A head that looks, and is not needed
#
# While *el* is written, head 2 gives *car* 95 % of its weight, and the three others look elsewhere. In unit 04 you silenced the one head
# that looked at *cats*, and the plural was gone. Here is the same experiment, with your functions:

# %%
mine = with_attention(reference, multi_head_attention)
with skip_if_unimplemented():
    for head in range(4):
        silent = without_head(model, "decoder.1.cross_attention", head)
        print(f"without head {head}:", " ".join(watched("The red car is new.", silent, mine).written[:-1]))

# %% [markdown]
# Not a word changes: head 2 sees the noun, and *el* does not need it. Read such a picture as "looked at", not as "because of".
# Unit 11 finds the other way that the gender takes.
#
# ## Exercise {{misleading_weights}}: misleading_weights
#
# *{{points misleading_weights}}, about 15 minutes, difficulty 4 of 5*
#
# Make an alignment that misleads as badly as possible: **one word gets at least 0.9 of the weight, yet without it the
# context stays the same; without another word it does not.** To leave a word out, remove its key and its value;
# softmax then shares out the weight anew.
#
# Many answers are right. Only what happens counts: without `seen` the context may move by at most 0.01, and without `needed`
# it must move by at least 1, in some column.
#
# | name | shape | meaning |
# |---|---|---|
# | `n` | an int | number of words, from 3 to 12 |
# | `seen`, `needed` | ints | two different words, counted from 0 |
# | results `query`, `keys`, `values` | `(d_k,)`, `(n, d_k)`, `(n, d_v)` | for `context_vector`; you choose `d_k` and `d_v`, at most 64; numbers up to a million |

# %% solution="misleading_weights"
def misleading_weights(n, seen, needed):
    """Return a query, keys and values that give the word `seen` the weight, while the word `needed` matters.

    n, seen, needed ints -> query (d_k,), keys (n, d_k), values (n, d_v).
    """
    ### BEGIN SOLUTION
    is_seen = np.arange(n) == seen
    query, keys = np.array([np.log(20.0 * n)]), is_seen[:, None] * 1.0  # all others share a weight of less than 0.05
    values = np.zeros((n, 1))
    values[needed] = 50.0 * n * (n - 2)
    values[~is_seen] -= values[~is_seen].mean()  # together they bring 0, and so does the word that is seen
    return query, keys, values
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    display(weight_and_effect(misleading_weights, context_vector, ["the", "red", "car", "is", "new"], seen=2, needed=0))

# %% check="misleading_weights"
check(misleading_weights)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Three words bring the values $v_0$, $v_1$ and $v_2$, and word 0 gets most of the weight. Leave it out: what is the context now, and
# which two values is it made of? For which $v_0$ would it be the same as before?
#
# </details>
# <details><summary>Hint 2: a smaller case</summary>
#
# Take the weights 0.9, 0.05 and 0.05, and $v_0 = 0$. For which $v_1$ and $v_2$ does the context stay as it is without word 0? How
# far does it move without word 1, and how can you make it move farther?
#
# </details>
# <details><summary>Hint 3: more words</summary>
#
# With more words, what do you give those that are neither `seen` nor `needed`? How large must the score of `seen` be so that
# its weight stays above 0.9 when there are eleven others?
#
# </details>
#
# ## Exercise {{translation_masks}}: translation_masks
#
# *{{points translation_masks}}, about 12 minutes, difficulty 3 of 5*
#
# Now take a whole batch, with padding in source and target. Three attentions need three masks. A mask in the wrong
# place causes no error if source and target happen to be padded to the same length.
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
# A padding position in the target still issues a query, and sees the tokens before it.
# Its output is ignored by the loss (unit 10). Hiding the keys from it would gain nothing and leave rows in
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
# Encoder and cross: one row, [✓, ✓, hidden]. Decoder: two rows, both [✓, hidden].

# %% solution="translation_masks"
def translation_masks(source_is_token, target_is_token):
    """Return the three masks of an encoder-decoder Transformer; True = may attend.

    source_is_token (B, n_source), target_is_token (B, n_target), both bool
    -> encoder (B, 1, n_source), decoder (B, n_target, n_target), cross (B, 1, n_source), all bool.
    """
    ### BEGIN SOLUTION
    n_target = target_is_token.shape[1]
    encoder = padding_mask(source_is_token)
    decoder = combine_masks(causal_mask(n_target), padding_mask(target_is_token))
    return encoder, decoder, encoder
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    for mask in translation_masks(np.array([[True, True, False]]), np.array([[True, False]])):
        print(mask.shape, mask.tolist())

# %%
words = TRANSLATION.target[1]
plots.yours_and_target(translation_masks, TRANSLATION.source_is_token, TRANSLATION.target_is_token,
                       pick=lambda masks: masks[1][1], draw=plots.mask_picture, row_labels=words, column_labels=words,
                       title="Decoder mask", alt="A lower triangle; its last column, the padding, is hidden.")

# %% check="translation_masks"
check(translation_masks)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# For each of the three attentions, say whether its keys are source or target tokens. Which of them has a future?
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# A causal mask `(n_target, n_target)` and a padding mask `(B, 1, n_target)` broadcast to `(B, n_target, n_target)`.
# The other two masks keep an axis of length 1, because they are the same for every query.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# 1. Make the padding mask of the source. It serves in two places.
# 2. Make the causal mask of the target's length, and the padding mask of the target.
# 3. Combine these two: a pair is allowed if both allow it.
# 4. Return encoder, decoder, cross, in this order.
#
# </details>

# %% [markdown]
# *gustan* may attend to itself. That is no leak: the word to be written there is the next one, *los*.
#
# ## A silent bug
#
# Somebody runs the trained model with a program that works: three sentences, three right translations.
# Then the program is asked to translate them in one batch, which is faster. The short ones are padded.

# %%
sentences = "I am hungry.", "The table is big.", "The boy and the girl read the old book."
program = forgetful(reference)
print([translated_together([one], model, program)[0] for one in sentences])

# %% [markdown]
# ### Predict: what happens in the batch?
#
# One of the three masks is missing. What becomes of *I am hungry.*?
#
# - **A** *Tengo hambre*, and a full stop
# - **B** *Tengo*, and then a full stop
# - **C** *Tengo hambre*, and no end
# - **D** *El niño y la niña*, and so on

# %% answer="in-a-batch"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("in-a-batch", answer)

# %%
print(*translated_together(sentences, model, program), sep="\n")

# %% [markdown]
# Which mask is missing? Your `translation_masks` knows what should be hidden in every attention of the model.
# How much weight goes there all the same?

# %%
with skip_if_unimplemented():
    for name, share in weight_where_hidden(sentences, model, program, translation_masks).items():
        print(f"{name:26} {share:.2f}")

# %% [markdown]
# ## The first picture once more
#
# Now your `cross_attention` works in all layers of the decoder. Does the model look at the same words?

# %%
with skip_if_unimplemented():
    display(cross_ribbons("The red car is new.", cross_attention))

# %% [markdown]
# ## What you have now
#
# - `context_vector` is one step of attention, `cross_attention` all steps and all heads at once.
# - `project_memory` gives keys and values once per sentence and layer: unit 09 keeps them while it writes.
# - Cross-attention hides the padding of the source, and nothing else. `translation_masks` puts every mask in its place.
# - `alignment` reads the maps, and you know how far to trust them.
#
# Next: **[06 The position-wise feed-forward network](../06_feed_forward/06_feed_forward.ipynb)**, the third step of a
# decoder layer and the second of an encoder layer.
