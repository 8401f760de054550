# %% [markdown]
# # 04 Multi-head attention
#
# One attention gives every token one weighted average. A Transformer makes several at once, in parallel *heads*.
# You rearrange an array in a way that is easy to get wrong, write the whole layer, and switch off a head of a trained
# model.
#
# **{{points}}, {{time}}.**
# You need attention (02) and masks (03). Your functions of these units are loaded, or lent by the course.
# **[START HERE](../START_HERE.ipynb)** says how checks, hints and predictions work.

# %%
import numpy as np

from autograder import check, load, predict, progress
from transformer_kit import plots, reference, skip_if_unimplemented
from transformer_kit.examples.heads import BY_HAND
from transformer_kit.experiments.leaks import leakage
from transformer_kit.experiments.whole_model.ablations import with_attention, without_head
from transformer_kit.experiments.whole_model.one_sentence import watched
from transformer_kit.parameters import AttentionParams, init_attention
from transformer_kit.pictures import head_explorer, reshape_steps
from transformer_kit.trained.model import load_model

positional_encoding, shift_matrix, causal_mask, masked_attention, first_leak = load(
    "positional_encoding", "shift_matrix", "causal_mask", "masked_attention", "first_leak"
)

# %%
progress("04")

# %% [markdown]
# ## Four heads, one word
#
# A trained model translates *I like cats.* as *me gustan los gatos*.
# The Spanish verb has to be plural, *gustan* and not *gusta*, because of the cats.
# In the last layer of the model, four attentions run side by side.
#
# ### Predict: who looks at the cats?
#
# The model has written *me* and is about to write *gustan*. A query to the source is named after the word that it will write.
# How many of the four heads look mainly at *cats*?
#
# - **A** none
# - **B** one
# - **C** three
# - **D** all four

# %% answer="heads-on-cats"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("heads-on-cats", answer)

# %%
model = load_model()
cats = watched("I like cats.", model, reference)
head_explorer(cats, name="decoder.1.cross_attention", head=0, query=1)

# %% [markdown]
# Every small map is a head, counted from 0. Click a few of them, and hover over a word. At the end of this unit you will switch one
# of them off.
#
# ## Why one average is not enough
#
# For every query, the weights of an attention sum to 1.
# So a token that wants to know two things has one budget for both, and the two answers are blended: from 0.6 *saw* plus
# 0.4 *dog* you cannot tell which word is the token itself and which one stood before it.
# Two attentions give two answers, side by side (Vaswani et al. 2017, section 3.2.2).
#
# Several full attentions would cost several times as much, so the paper makes every head narrow.
# Queries, keys and values of width $d_\text{model}$ are cut into $H$ heads of width $d_k = d_\text{model} / H$ each.
#
# ## Exercise {{split_heads}}: split_heads
#
# *{{points split_heads}}, about 15 minutes, difficulty 3 of 5*
#
# After the projections (the products with $W_Q$, $W_K$ and $W_V$), the queries of all heads stand side by side in one
# array, one row per token. The attention of unit 03 works on the last two axes, tokens and columns, and takes any axes
# in front of them. So the heads become an axis in front of the tokens, and one call serves them all.
#
# ### From columns to heads
#
# Head $h$ gets its own slice of **neighbouring columns**, of **every** token:
#
# $$\text{heads}_{\dots,\,h,\,i,\,c} = X_{\dots,\,i,\;h\,d_k + c}
# \qquad d_k = \frac{d}{H}, \quad c = 0, \dots, d_k - 1$$
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n, d)` | one row per token; any leading axes |
# | `n_heads` | an int | the $H$ of the formula |
# | result | `(..., n_heads, n, d / n_heads)` | the head axis stands just before the tokens |
#
# If the number of heads does not divide the width, raise a `ValueError` whose message contains both numbers.
#
# **By hand.** To see where a number goes, give every number a label: 100 times its token plus its column.
# Two tokens of width 4, cut into two heads:
#
# $$\begin{pmatrix} 0 & 1 & 2 & 3 \\ 100 & 101 & 102 & 103 \end{pmatrix} \longrightarrow
# \text{head 0} = \begin{pmatrix} 0 & 1 \\ 100 & 101 \end{pmatrix}, \quad
# \text{head 1} = \begin{pmatrix} 2 & 3 \\ 102 & 103 \end{pmatrix}$$
#
# Four tokens of width 6 look like this:

# %%
labels = 100 * np.arange(4)[:, None] + np.arange(6)
print(labels)

# %% [markdown]
# ### Predict: what does a plain reshape do?
#
# With two heads of width 3, the shape we want is `(2, 4, 3)`, and NumPy can get there in one step.
# What does head 0 hold after `labels.reshape(2, 4, 3)`?
#
# - **A** all columns of tokens 0 and 1
# - **B** columns 0 to 2 of all four tokens
# - **C** columns 0, 2 and 4 of all four tokens

# %% answer="plain-reshape"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("plain-reshape", answer)

# %%
reshape_steps(lambda X, n_heads: X.reshape(n_heads, 4, 6 // n_heads))

# %% solution="split_heads"
def split_heads(X, n_heads):
    """Cut the columns into one slice per head, and put the heads before the tokens.

    X (..., n, d) -> (..., n_heads, n, d / n_heads). If n_heads does not divide d: a ValueError with both numbers.
    """
    ### BEGIN SOLUTION
    *lead, n, d = X.shape
    if d % n_heads != 0:
        raise ValueError(f"{n_heads} heads cannot share a width of {d} equally")
    X = X.reshape(*lead, n, n_heads, d // n_heads)  # cuts every row by itself
    return X.swapaxes(-2, -3)  # (..., n_heads, n, d / n_heads)
    ### END SOLUTION

# %%
reshape_steps(split_heads)

# %% check="split_heads"
check(split_heads)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# A reshape can cut every row into pieces, as long as the pieces keep their order. What shape does the array have when every *row* is cut into heads, and nothing has moved yet?
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# From `(4, 6)` via `(4, 2, 3)` to `(2, 4, 3)`. The first step draws new borders, the second one swaps two axes. With
# leading axes the same happens at the end of the shape: count from there, with negative axis numbers.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# 1. Read the width from the shape. If it cannot be shared out equally, raise the error with both numbers.
# 2. Replace the last axis by two: one that counts heads and one that counts the columns of a head, in this order.
# 3. Swap the axis of the heads and the axis of the tokens, and no others.
#
# </details>
#
# ## Exercise {{merge_heads}}: merge_heads
#
# *{{points merge_heads}}, about 8 minutes, difficulty 2 of 5*
#
# When every head has done its work, the heads of a token are put side by side again (*concatenated*).
#
# ### The way back
#
# $$\text{merged}_{\dots,\,i,\;h\,d_v + c} = \text{heads}_{\dots,\,h,\,i,\,c}$$
#
# `merge_heads` undoes `split_heads`, and a reshape alone cannot do that either.
#
# **By hand.** Two heads of two tokens, of width 1:
# head 0 holds 5 and 6, head 1 holds 7 and 8.
# Token 0 gets the row (5, 7), token 1 the row (6, 8).

# %% solution="merge_heads"
def merge_heads(X):
    """Put the heads of every token side by side.

    X (..., n_heads, n, d_v) -> (..., n, n_heads * d_v).
    """
    ### BEGIN SOLUTION
    *lead, n_heads, n, d_v = X.shape
    X = X.swapaxes(-2, -3)  # (..., n, n_heads, d_v)
    return X.reshape(*lead, n, n_heads * d_v)
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    print(merge_heads(np.array([[[5], [6]], [[7], [8]]])))  # by hand: rows (5, 7) and (6, 8)

# %%
reshape_steps(merge_heads, back=True)

# %% check="merge_heads"
check(merge_heads)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the row of token 0, the last number of head 0 is followed by the first number of head 1. Are these two neighbours in `X` as it comes? Which axis would have to stand next to the last one?
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# From `(2, 3, 5)` (two heads, three tokens, width 5) via `(3, 2, 5)` to `(3, 10)`.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# 1. Swap the axis of the heads and the axis of the tokens.
# 2. Make one axis out of the last two. Its length is their product; all other axes keep theirs.
#
# </details>
#
# ## Which root? The width of one head
#
# Unit 02 divided scores by $\sqrt{d_k}$, because the typical size of a dot product of $d_k$ terms grows like that root.
# In a head, a dot product has as many terms as **that head** has columns: $d_k = d_\text{model} / H$.
#
# ### Predict: the wrong root
#
# A model of width 64 has 8 heads of width 8. Someone divides by $\sqrt{64}$ instead of $\sqrt{8}$.
# What happens to the weights of a query over ten keys, in an untrained model?
#
# - **A** They become more equal: all come nearer to a tenth.
# - **B** They become more unequal: one key takes nearly all.
# - **C** They stay as they are: the softmax undoes a factor.

# %% answer="wrong-root"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("wrong-root", answer)

# %% [markdown]
# With one head both roots are the same, so a test with one head cannot see this mistake.
#
# ## Exercise {{multi_head_attention}}: multi_head_attention
#
# *{{points multi_head_attention}}, about 30 minutes, difficulty 4 of 5*
#
# Now put everything together (Vaswani et al. 2017, section 3.2.2).
# `X_query` asks and `X_memory` answers; they may be the same sequence (self-attention) or two different ones.
#
# $$\text{head}_h =
# \text{Attention}\big(X_\text{query}W_Q^{(h)},\; X_\text{memory}W_K^{(h)},\; X_\text{memory}W_V^{(h)}\big)
# \qquad \text{output} = [\text{head}_0, \dots, \text{head}_{H-1}]\,W_O$$
#
# ### Every head sees the whole input
#
# The *input* is not cut.
# $W_Q^{(h)}$ is the $h$-th slice of **columns** of $W_Q$, with all $d_\text{model}$ rows, so every number of a head may
# depend on every number of the token. So project with the whole matrix first, and split the result.
#
# ### One mask for all heads
#
# What is hidden, the future or the padding, is a fact about tokens, so there is one mask and not one per head.
# But the weights have an axis that the mask lacks, and NumPy lines shapes up from the right:
#
# | | shape | |
# |---|---|---|
# | weights | `(B, n_heads, n_queries, n_keys)` | |
# | mask for all sequences | `(n_queries, n_keys)` | fits as it is |
# | mask per sequence | `(B, n_queries, n_keys)` or `(B, 1, n_keys)` | `B` meets `n_heads`: an error, or no error and nonsense |
#
# The mask needs an axis of length 1 where the weights count heads: third from the end.
#
# ### Putting the heads together again
#
# The merged heads are multiplied by $W_O$, the only place in the layer where heads meet.
# The four matrices come in `params`, a named tuple: `params.W_Q` is $W_Q$.
#
# | name | shape | meaning |
# |---|---|---|
# | `X_query` | `(..., n_queries, d_model)` | gives the queries; may hold whole numbers |
# | `X_memory` | `(..., n_keys, d_model)` | gives the keys and values |
# | `params.W_Q`, `params.W_K` | `(d_model, n_heads * d_k)` | heads are slices of columns |
# | `params.W_V` | `(d_model, n_heads * d_v)` | `d_v` may differ from `d_k` |
# | `params.W_O` | `(n_heads * d_v, d_model)` | head $h$ owns the $h$-th slice of **rows** |
# | `mask` | None, or at least two axes that broadcast to `(..., n_queries, n_keys)` | True = may attend; no axis for heads |
# | `output` | `(..., n_queries, d_model)` | first result |
# | `weights` | `(..., n_heads, n_queries, n_keys)` | second result |
#
# Use `masked_attention` of unit 03: it divides by the square root of the width that it is given.
#
# **By hand.** One query (1, 0), two keys (0, 2) and (ln 3, 4), two heads of width 1.
# $W_Q$ and $W_K$ are identities, so head 0 compares the first columns, head 1 the second.
#
# - Head 0: scores 0 and ln 3, weights 1/4 and 3/4. Head 1: scores 0 and 0, weights 1/2 and 1/2.
# - $W_V$ gives both heads the second column as values, 2 and 4. Head 0 finds 3.5 and head 1 finds 3.
# - $W_O$ has the rows (1, 0) and (1, 2). The output is 3.5 · (1, 0) + 3 · (1, 2) = (6.5, 6).

# %% solution="multi_head_attention"
def multi_head_attention(X_query, X_memory, params, n_heads, mask=None):
    """Let every head attend in its own projections, and mix what they found.

    X_query (..., n_queries, d_model), X_memory (..., n_keys, d_model), params: AttentionParams,
    mask broadcasts to (..., n_queries, n_keys) or is None
    -> output (..., n_queries, d_model), weights (..., n_heads, n_queries, n_keys).
    """
    ### BEGIN SOLUTION
    Q = split_heads(X_query @ params.W_Q, n_heads)  # (..., n_heads, n_queries, d_k)
    K = split_heads(X_memory @ params.W_K, n_heads)
    V = split_heads(X_memory @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]  # the same for every head
    heads, weights = masked_attention(Q, K, V, mask)
    return merge_heads(heads) @ params.W_O, weights
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    output, weights = multi_head_attention(BY_HAND.X_query, BY_HAND.X_memory, BY_HAND.params, BY_HAND.n_heads)
    print("weights of head 0:", weights[0], "of head 1:", weights[1])
    print("output:", output)  # by hand: 6.5 and 6

# %% check="multi_head_attention"
check(multi_head_attention)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# `masked_attention` takes any leading axes. If the heads are a leading axis, how often do you have to call it?
# And by the square root of which width does it then divide?
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# With two heads of width 4 in a model of width 8, five queries and seven keys:
# `(5, 8)` is projected to `(5, 8)` and split to `(2, 5, 4)`; keys and values become `(2, 7, 4)`.
# The weights are `(2, 5, 7)`, the heads `(2, 5, 4)`, merged `(5, 8)`, and the output is `(5, 8)`.
# A mask `(5, 7)` becomes `(1, 5, 7)`.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# 1. Project: queries from one sequence, keys and values from the other, each with its own matrix.
# 2. Split each of the three results into heads.
# 3. If there is a mask, give it an axis of length 1 where the heads are counted, third from the end.
# 4. Attend once, for all heads. Keep the weights.
# 5. Merge the heads, multiply by the fourth matrix, and return the product and the weights.
#
# </details>
#
# ## Two heads, set by hand
#
# The tokens carry two things side by side: which word it is (one column per word) and where it stands (unit 01).
#
# - **Head 0, same word.** Queries and keys are both the word part, so a token finds all the places where its word
#   occurs.
# - **Head 1, previous token.** Keys are the position part. Queries are the position part rotated back by one step,
#   with the matrix of Exercise {{shift_matrix}}, so a token finds the one before it.
#
# A large factor on the queries makes the choice sharp. The values of both heads are the word part.

# %%
tokens, vocabulary = ["the", "dog", "saw", "the", "cat"], ["the", "dog", "saw", "cat"]
words = np.array([[token == word for word in vocabulary] for token in tokens], dtype=float)
X = np.hstack([words, positional_encoding(5, 4)])  # (5, 8): four columns for the word, four for the position
word_part, position_part = np.eye(8)[:, :4], np.eye(8)[:, 4:]  # (8, 4) each: projections that select
one_back = position_part @ shift_matrix(-1, 4).T
hand_set = AttentionParams(
    W_Q=50 * np.hstack([word_part, one_back]), W_K=np.hstack([word_part, position_part]),
    W_V=np.hstack([word_part, word_part]), W_O=np.eye(8),
)

# %%
plots.yours_and_target(multi_head_attention, X, X, hand_set, 2, pick=lambda results: np.hstack(results[1]).round(3),
                       row_labels=tokens, column_labels=2 * tokens, x_label="key, in heads 0 and 1", y_label="query",
                       alt="Head 0: every word to itself, “the” to both. Head 1: every word to the one before it.")

# %% [markdown]
# The first token has none before it, and finds the nearest there is, itself.
# Such heads are found in trained models too (Clark et al. 2019), and not all heads are needed: Voita et al. (2019)
# remove 38 of the 48 encoder heads of a translation model, and its translations are hardly worse.
#
# ### Predict: exchange the heads
#
# Let the two heads change places: swap the left and right halves of the columns of $W_Q$, $W_K$ and $W_V$, and the
# upper and lower halves of the **rows** of $W_O$. What changes?
#
# - **A** The two maps become new ones, and so does the output.
# - **B** The two maps change places, and so do the output's halves.
# - **C** The two maps change places, and the output stays the same.

# %% answer="heads-exchanged"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("heads-exchanged", answer)

# %%
drawn = init_attention(np.random.default_rng(4), d_model=8, n_heads=2)
halves = {name: np.roll(W, 4, axis=0 if name == "W_O" else 1) for name, W in drawn._asdict().items()}
with skip_if_unimplemented():
    output, weights = multi_head_attention(X, X, drawn, 2)
    other_output, other_weights = multi_head_attention(X, X, AttentionParams(**halves), 2)
    print("maps: same", np.allclose(other_weights, weights), "exchanged", np.allclose(other_weights, weights[::-1]))
    halves_exchanged = np.roll(output, 4, axis=1)
    print("output: same", np.allclose(other_output, output), "exchanged", np.allclose(other_output, halves_exchanged))

# %% [markdown]
# ### W_O is a sum over heads
#
# The columns of head 0 meet only the first $d_v$ rows of $W_O$, those of head 1 only the next, and so on:
#
# $$[\text{head}_0, \dots, \text{head}_{H-1}]\,W_O = \sum_h \text{head}_h\, W_O^{(h)}
# \qquad W_O^{(h)} = \text{rows } h\,d_v \text{ to } (h + 1)\,d_v - 1$$
#
# Every head writes its own contribution, as wide as the model, and the contributions are added.
# So one head can be silenced: set its rows of $W_O$ to 0.
#
# ## Exercise {{before_minus_after}}: before_minus_after
#
# *{{points before_minus_after}}, about 15 minutes, difficulty 4 of 5*
#
# Weights are never negative, so one head can only average. Two heads can do more. Set their matrices so that
# **every word becomes the word before it minus the word after it**, whatever the words are. The first and the last word,
# which lack one of the two, may become anything.
#
# There is no formula, and many answers are right. Only the first `d_word` columns of the output count, in sentences of 3
# to 30 words. The numbers of the words are about 1 in size, and an entry may be off by 0.05.
#
# | name | shape | meaning |
# |---|---|---|
# | `d_word`, `d_position` | ints | a token is a word, `d_word` numbers, followed by its position from `positional_encoding` |
# | results `W_Q`, `W_K` | `(d_model, 2 * d_k)` | `d_model` is `d_word + d_position`; you choose `d_k`, at most 64 |
# | result `W_V` | `(d_model, 2 * d_v)` | you choose `d_v`, at most 64; numbers up to a million in all four |
# | result `W_O` | `(2 * d_v, d_model)` | so that `AttentionParams(W_Q, W_K, W_V, W_O)` is a layer with two heads |

# %% solution="before_minus_after"
def before_minus_after(d_word, d_position):
    """Return the matrices of two heads that turn every word into the word before it minus the word after it.

    d_word, d_position ints, d_model their sum
    -> W_Q, W_K (d_model, 2 * d_k), W_V (d_model, 2 * d_v), W_O (2 * d_v, d_model).
    """
    ### BEGIN SOLUTION
    words, places = np.eye(d_word), np.eye(d_position)
    no_word, no_place = np.zeros((d_word, 2 * d_position)), np.zeros((d_position, 2 * d_word))
    turned_back, turned_ahead = shift_matrix(-1, d_position).T, shift_matrix(1, d_position).T
    W_Q = np.vstack([no_word, np.hstack([turned_back, turned_ahead])])  # words have no say in where a head looks
    W_K = np.vstack([no_word, 1000 * np.hstack([places, places])])  # long keys: nearly all the weight for one of them
    W_V = np.vstack([np.hstack([words, words]), no_place])
    W_O = np.vstack([np.hstack([words, np.zeros((d_word, d_position))]) * sign for sign in (1, -1)])
    return W_Q, W_K, W_V, W_O
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    differences, _ = multi_head_attention(X, X, AttentionParams(*before_minus_after(4, 4)), 2)
    display(plots.heatmap(differences[:, :4].round(2), tokens, vocabulary, signed=True, x_label="what it becomes",
                          y_label="word", alt="For a word between the ends: 1 for the word before, -1 for the one after."))

# %% check="before_minus_after"
check(before_minus_after)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# What must each of the two heads find, so that subtracting one from the other gives what you want? And where in the layer
# can what a head has found get a minus sign, once it has been averaged?
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# *Two heads, set by hand* has a head that finds the word before. What would you change so that it finds the word after?
# With 3 columns for the word and 8 for the position, how wide are your heads' queries, and how wide their values?
#
# </details>
# <details><summary>Hint 3: long sentences</summary>
#
# Among 30 words, which other position comes closest to the one that a head looks for, and how far apart are the two scores?
# Print the weights of your own layer for 30 tokens. By how much must the scores grow?
#
# </details>
#
# ## Find the error: a printed layer
#
# Lecture notes work out a layer with two heads, for two tokens. Look at the shapes: the token vectors are `(2, 3)`, each
# head's $W_Q$, $W_K$ and $W_V$ are `(3, 2)`, what one head returns is `(2, 2)`, both heads side by side are `(2, 4)`,
# $W_O$ is `(4, 2)`, and the output is `(2, 2)`.
#
# ### Which shape cannot be right?
#
# In a Transformer the output of the layer is added to its input (the residual connection, unit 07).
#
# - **A** That of every $W_Q$, $W_K$ and $W_V$: they have to be `(3, 3)`.
# - **B** That of both heads side by side: it has to be `(2, 3)`.
# - **C** That of $W_O$: it has to be `(4, 3)`.
# - **D** None: all the products can be formed.

# %% answer="layer-shapes"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("layer-shapes", answer)

# %% [markdown]
# ## Exercise {{count_attention_parameters}}: count_attention_parameters
#
# *{{points count_attention_parameters}}, about 7 minutes, difficulty 1 of 5*
#
# How many numbers does such a layer learn?
#
# ### Four matrices
#
# They are $W_Q$, $W_K$, $W_V$ and $W_O$, with the shapes of Exercise {{multi_head_attention}}, and no biases.
# `d_k` and `d_v` are widths of **one** head. If either of them is left out, it is `d_model // n_heads`, whatever the
# other one is.
#
# | name | meaning |
# |---|---|
# | `d_model`, `n_heads` | ints |
# | `d_k`, `d_v` | ints, or None for the default |
# | result | a Python `int` |
#
# **By hand.** With `d_model` = 6 and two heads, $d_k = d_v = 3$.
# Each of the four matrices is 6 by 6, so the layer has 144 parameters.

# %% solution="count_attention_parameters"
def count_attention_parameters(d_model, n_heads, d_k=None, d_v=None):
    """Count the entries of W_Q, W_K, W_V and W_O.

    All are ints; d_k and d_v are d_model // n_heads when left out -> an int.
    """
    ### BEGIN SOLUTION
    d_k = d_model // n_heads if d_k is None else d_k
    d_v = d_model // n_heads if d_v is None else d_v
    queries_or_keys = d_model * n_heads * d_k  # entries of W_Q, and of W_K
    values_or_output = d_model * n_heads * d_v  # entries of W_V, and of W_O
    return 2 * queries_or_keys + 2 * values_or_output
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    print(count_attention_parameters(6, 2))  # by hand: 144

# %% check="count_attention_parameters"
check(count_attention_parameters)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Look at the table of Exercise {{multi_head_attention}}. Which of the four matrices have the same number of entries?
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# The number of entries is rows times columns. For 20 columns of input, 3 heads, `d_k` = 8 and `d_v` = 5:
# `(20, 24)`, `(20, 24)`, `(20, 15)` and `(15, 20)`.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# 1. Replace a missing `d_k` by its default, then a missing `d_v` by its own. Use the division that gives ints.
# 2. Multiply out the entries of each matrix.
# 3. Return the sum.
#
# </details>
#
# ### Predict: more heads
#
# The base model of the paper has 8 heads and $d_\text{model}$ = 512.
# How many parameters does its attention layer have with 16 heads instead, at the default widths?
#
# - **A** twice as many
# - **B** as many as before
# - **C** half as many

# %% answer="more-heads"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("more-heads", answer)

# %%
with skip_if_unimplemented():
    for n_heads in (1, 8, 16, 64):
        shared, full = (count_attention_parameters(512, n_heads, *widths) for widths in ((), (512, 512)))
        print(f"{n_heads:2} heads: {shared:,} parameters when they share the width, {full:,} at full width")

# %% [markdown]
# ### What it costs
#
# Now count the multiplications. For $n$ tokens the four projections take $4\,n\,d_\text{model}^2$, the scores of all heads
# $H \cdot n^2 d_k = n^2 d_\text{model}$, and the averages of the values as many again: in the base model with 100 tokens
# 104,857,600, 5,120,000 and 5,120,000. Only the weights themselves grow with $H$: there are $H n^2$ of them.
#
# So are more heads always better? At equal cost, one head was 0.9 points of BLEU (a score for translations, up to 100)
# worse than the best number of heads, but with too many the score fell again (Vaswani et al. 2017, table 3).
#
# ## Exercise {{fused_self_attention}}: fused_self_attention
#
# *{{points fused_self_attention}}, about 10 minutes, difficulty 3 of 5*
#
# In self-attention, queries, keys and values come from the same `X`, so three products can become one, with a matrix
# three times as wide. That usually takes less time; GPT-2, for example, stores its weights like this.
#
# ### One matrix, three blocks
#
# $$W_{QKV} = [\,W_Q,\; W_K,\; W_V\,] \qquad X\,W_{QKV} = [\,Q,\; K,\; V\,]$$
#
# The blocks lie side by side, in the order Q, K, V, and each of them holds **all** heads.
# Other orders have the same shape (GPT-NeoX goes head by head), so only the numbers can tell you which one you have.
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n, d_model)` | gives queries, keys and values; may hold whole numbers |
# | `W_QKV` | `(d_model, 3 * d_model)` | here $d_k = d_v = d_\text{model} / H$ |
# | `W_O` | `(d_model, d_model)` | as before |
# | `mask` | as in Exercise {{multi_head_attention}} | one for all heads |
# | results | `(..., n, d_model)` and `(..., n_heads, n, n)` | `output`, `weights` |
#
# **By hand.** In a model of width 2, a token's row of the product is (1, 2, 3, 4, 5, 6).
# Its query is (1, 2), its key (3, 4) and its value (5, 6).
# With two heads, head 0 has the query 1, the key 3 and the value 5.

# %% solution="fused_self_attention"
def fused_self_attention(X, W_QKV, W_O, n_heads, mask=None):
    """Multi-head self-attention whose three projections are one matrix product.

    X (..., n, d_model), W_QKV (d_model, 3 * d_model): the columns of W_Q, W_K, W_V; W_O (d_model, d_model)
    -> output (..., n, d_model), weights (..., n_heads, n, n).
    """
    ### BEGIN SOLUTION
    blocks = np.split(X @ W_QKV, 3, axis=-1)  # Q, K and V, each (..., n, d_model)
    Q, K, V = (split_heads(block, n_heads) for block in blocks)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = masked_attention(Q, K, V, mask)
    return merge_heads(heads) @ W_O, weights
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    fused, _ = fused_self_attention(X, np.hstack(hand_set[:3]), hand_set.W_O, 2)
    print("same output as before:", np.allclose(fused, multi_head_attention(X, X, hand_set, 2)[0]))

# %% check="fused_self_attention"
check(fused_self_attention)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# The only difference from Exercise {{multi_head_attention}} is where `Q`, `K` and `V` come from. From which axis of the product do you cut them?
#
# </details>
# <details><summary>Hint 2: shapes, or a smaller case</summary>
#
# With width 8 and five tokens: `(5, 8)` times `(8, 24)` is `(5, 24)`, which is cut into three arrays of shape `(5, 8)`.
# From there on everything is as before. `np.split` can cut an array into equal parts along an axis.
#
# </details>
# <details><summary>Hint 3: a plan</summary>
#
# 1. Multiply once.
# 2. Cut the columns of the product into three equal blocks.
# 3. Split each block into heads, and go on as in Exercise {{multi_head_attention}}, with the mask and with the last matrix.
#
# </details>
#
# ## A silent bug
#
# A colleague has written this causal layer, without your two rearrangements.
# It runs, and all shapes are right.

# %%
def colleagues_layer(X):
    """Causal self-attention with two heads."""
    n = len(X)
    Q, K, V = ((X @ W).reshape(2, n, 4) for W in (drawn.W_Q, drawn.W_K, drawn.W_V))
    heads, _ = masked_attention(Q, K, V, causal_mask(n))
    return heads.reshape(n, 8) @ drawn.W_O

def your_layer(X):
    """Your own layer, with the same matrices."""
    return multi_head_attention(X, X, drawn, 2, causal_mask(len(X)))[0]

# %% [markdown]
# ### Predict: what does the leak test say?
#
# You call `first_leak` on it, with six tokens. What does it return?
#
# - **A** `0`
# - **B** `2`
# - **C** `3`
# - **D** `None`

# %% answer="colleagues-leak"
### BEGIN SOLUTION
answer = "D"
### END SOLUTION
predict("colleagues-leak", answer)

# %%
six = np.random.default_rng(6).standard_normal((6, 8))
with skip_if_unimplemented():
    print("first leak:", first_leak(colleagues_layer, six))
    for name, layer in {"your layer": your_layer, "the colleague's": colleagues_layer}.items():
        print(f"{name}: the outputs move by", leakage(layer, six)[:, 0].round(2), "when the first token changes")

# %% [markdown]
# Nothing leaks. But a layer can also let through too little, and that is what the leak meter of unit 03, here as two
# rows of numbers, gives away: nothing about the first token ever reaches the second half.
#
# ## Switch off a head
#
# Now your `multi_head_attention` runs the model you met at the beginning, in all its layers.
# Head 2 of the last layer (`decoder.1`: layers, too, are counted from 0) was the one that looked at *cats*. Set its rows of $W_O$ to 0, and it is silent.
#
# ### Predict: what does the model write without it?
#
# - **A** *me gusta el gatos*
# - **B** *me gustan los gatos*
# - **C** *me gusta el gato*
# - **D** *me gustan los perros*

# %% answer="without-head-2"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("without-head-2", answer)

# %%
mine = with_attention(reference, multi_head_attention)
with skip_if_unimplemented():
    for head in range(4):
        silent = without_head(model, "decoder.1.cross_attention", head)
        print(f"without head {head}:", " ".join(watched("I like cats.", silent, mine).written[:-1]))

# %% [markdown]
# (*A mí me gustan los gatos* is just as good a translation.)
# Try sentences of your own. Unit 11 shows how such an experiment can mislead.
#
# ## Going further: one vector for a sentence
#
# *Not graded.* Each output row describes a token *in its sentence*, so it is called a contextual embedding.
# Average the rows, and a sentence of any length becomes one vector of width $d_\text{model}$, which a linear map can sort
# into classes.
# The average of rows forgets the order of the words, unless the rows themselves know something about it.
# With the two heads set by hand they do:

# %%
with skip_if_unimplemented():
    for order in ([0, 1, 2, 3, 4], [0, 4, 2, 3, 1]):
        told = np.hstack([words[order], positional_encoding(5, 4)])  # the same words, in another order
        output, _ = multi_head_attention(told, told, hand_set, 2)
        print(" ".join(tokens[i] for i in order), "->", output.mean(axis=0).round(1))

# %% [markdown]
# The first four numbers are the shares of *the*, *dog*, *saw* and *cat*, the last four those of the words before them.
#
# (Heads are sometimes compared with the channels of a convolution. But a trained convolution has fixed weights; a head
# computes its weights anew for every sentence.)
#
# ## What you have now
#
# Any number of attentions for the price of one, and an eye for the reshape that only looks right. Their output is a sum of
# what the heads contribute: the order of the heads means nothing, and one can be left out.
#
# Next: **[05 Cross-attention](../05_cross_attention/05_cross_attention.ipynb)**,
# where `X_query` and `X_memory` are sentences in two languages.
