# %% [markdown]
# # 04 Multi-head attention
#
# One attention gives every token one weighted average. A Transformer makes several at once, in parallel *heads*.
# You write a rearrangement that is easy to get wrong, then the whole layer, and see two heads at work.
#
# **20 points, about 90 minutes.**
# You need attention and masks as in notebooks 02 and 03; your functions are loaded, or lent by the course.
#
# **[START HERE](../START_HERE.ipynb)** says how checks, hints and predictions work.

# %%
import numpy as np

from autograder import check, load, predict
from transformer_kit import plots, when_written
from transformer_kit.examples.heads import BY_HAND, PRINTED_LAYER, WIDE_HEADS
from transformer_kit.parameters import AttentionParams, init_attention

positional_encoding, shift_matrix, softmax, attention_scores, causal_mask, masked_attention = load(
    "positional_encoding", "shift_matrix", "softmax", "attention_scores", "causal_mask", "masked_attention"
)

# %% [markdown]
# ## Why one average is not enough
#
# For every query, the weights of an attention sum to 1.
# So a token that wants to know two things has to share out one budget, and it gets both answers in one sum.
#
# Suppose that a token wants to keep its own word and learn which word came before it.
# One attention gives half of its weight to each. Two attentions give one answer each, side by side:
#
# | | in "dog saw", at the word *saw* | in "saw dog", at the word *dog* |
# |---|---|---|
# | one attention | ½ dog + ½ saw | ½ saw + ½ dog |
# | two attentions | saw, dog | dog, saw |
#
# The two sums in the first row are the same vector: the answer no longer says which word came first.
# Vaswani et al. (2017, section 3.2.2) give this reason for several heads: one average blurs what has to stay apart.
#
# Several full attentions would cost several times as much.
# The trick of the paper is to make every head narrow.
# Queries, keys and values of width $d_\text{model}$ are cut into $H$ heads of width $d_k = d_\text{model} / H$ each,
# and all the heads together cost about as much as one wide attention.

# %% [markdown]
# ## Exercise 4.1: split_heads
#
# *4 points, about 15 minutes, difficulty 3 of 5*
#
# After the projections, the products with $W_Q$, $W_K$ and $W_V$, the queries of all heads stand side by side
# in one array, one row per token.
# The attention of notebook 03 works on the last two axes, tokens and columns, and takes any axes in front of them.
# So the heads become an axis in front of the tokens, and one call serves them all.
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
# **By hand.** To see where a number goes, give every number a label: 100 times its token plus its column, which we
# also call its *channel*. So 203 is channel 3 of token 2. Two tokens of width 4, cut into two heads:
#
# $$\begin{pmatrix} 0 & 1 & 2 & 3 \\ 100 & 101 & 102 & 103 \end{pmatrix} \longrightarrow
# \text{head 0} = \begin{pmatrix} 0 & 1 \\ 100 & 101 \end{pmatrix}, \quad
# \text{head 1} = \begin{pmatrix} 2 & 3 \\ 102 & 103 \end{pmatrix}$$

# %% [markdown]
# In the figures, every token has a colour of its own:

# %%
labels = 100 * np.arange(4)[:, None] + np.arange(6)
plots.token_strips(labels, title="Four tokens of width 6", alt="Every token is one row; its hundreds are its number.")

# %% [markdown]
# ### Predict: what does a plain reshape do?
#
# Two heads of width 3: the shape we want is `(2, 4, 3)`. NumPy can get there in one step.
# What does head 0 hold after `labels.reshape(2, 4, 3)`?
#
# - **A** Channels 0, 1 and 2 of all four tokens.
# - **B** All six channels of tokens 0 and 1, and nothing of tokens 2 and 3.
# - **C** Channels 0, 2 and 4 of all four tokens.

# %% answer="plain-reshape"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("plain-reshape", answer)

# %%
plots.token_strips(
    labels.reshape(2, 4, 3),
    title="A plain reshape into two heads",
    alt="Head 0 holds only tokens 0 and 1, head 1 only tokens 2 and 3. A row holds half a token.",
)

# %% [markdown]
# The shape is right, and everything is wrong: tokens 0 and 1 will never meet tokens 2 and 3 in any head,
# and a causal mask would hide parts of the wrong tokens.
# No error says so. It has happened in published code that trained without complaint.
#
# The figure below runs your function on the same labels. The target shows where they should go.


# %% solution="split_heads"
def split_heads(X, n_heads):
    """Cut the columns into one slice per head, and put the heads before the tokens.

    Parameters
    ----------
    X : ndarray of shape (..., n, d)
    n_heads : int
        If it does not divide d, a ValueError mentions both numbers.

    Returns
    -------
    ndarray of shape (..., n_heads, n, d / n_heads)
    """
    ### BEGIN SOLUTION
    *lead, n, d = X.shape
    if d % n_heads != 0:
        raise ValueError(f"{n_heads} heads cannot share a width of {d} equally")
    X = X.reshape(*lead, n, n_heads, d // n_heads)  # cuts every row by itself
    return X.swapaxes(-2, -3)  # (..., n_heads, n, d / n_heads)
    ### END SOLUTION


# %%
with when_written():
    print(split_heads(labels[:2, :4], 2))  # by hand: 0, 1, 100, 101 and 2, 3, 102, 103


# %%
def split_into(n_heads):
    """Draw your heads beside the right ones."""
    right = "In the target every head holds neighbouring channels of all four tokens, one token per row."
    return plots.yours_and_target(split_heads, labels, n_heads, draw=plots.token_strips, alt=right)


split_into(2)

# %% [markdown]
# Move the slider: more heads are narrower heads, and every head still has a row for every token.

# %%
plots.slider(split_into, "n_heads", [1, 2, 3, 6])

# %% check="split_heads"
check(split_heads)

# %% [markdown]
# <details><summary>Hint 1: which cut can a reshape make?</summary>
#
# A reshape can cut every row into pieces, as long as the pieces stay in their order.
# What shape has the array when every *row* is cut into heads, and nothing has moved yet?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# From `(4, 6)` over `(4, 2, 3)` to `(2, 4, 3)`. The first step draws new borders, the second one exchanges two axes.
# With leading axes the same happens at the end of the shape: count from there, with negative axis numbers.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Read the width from the shape. If it cannot be shared out equally, raise the error with both numbers.
# 2. Replace the last axis by two: one that counts heads and one that counts the columns of a head, in this order.
# 3. Exchange the axis of the heads and the axis of the tokens, and no others.
#
# </details>

# %% [markdown]
# ## Exercise 4.2: merge_heads
#
# *3 points, about 8 minutes, difficulty 2 of 5*
#
# When every head has done its work, the heads of a token are put side by side again (*concatenated*).
#
# ### The way back
#
# $$\text{merged}_{\dots,\,i,\;h\,d_v + c} = \text{heads}_{\dots,\,h,\,i,\,c}$$
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n_heads, n, d_v)` | what every head found for every token |
# | result | `(..., n, n_heads * d_v)` | row $i$: head 0 of token $i$, then head 1, and so on |
#
# It undoes `split_heads`: first the axes, then the shape.
# The order matters: a reshape alone would again fill rows in the order of memory,
# and there the tokens of one head are neighbours.
#
# **By hand.** Two heads of two tokens, of width 1:
# head 0 holds 5 and 6, head 1 holds 7 and 8.
# Token 0 gets the row (5, 7), token 1 the row (6, 8). Without moving an axis it would be (5, 6) and (7, 8).


# %% solution="merge_heads"
def merge_heads(X):
    """Put the heads of every token side by side.

    Parameters
    ----------
    X : ndarray of shape (..., n_heads, n, d_v)

    Returns
    -------
    ndarray of shape (..., n, n_heads * d_v)
    """
    ### BEGIN SOLUTION
    *lead, n_heads, n, d_v = X.shape
    X = X.swapaxes(-2, -3)  # (..., n, n_heads, d_v)
    return X.reshape(*lead, n, n_heads * d_v)
    ### END SOLUTION


# %%
with when_written():
    print(merge_heads(np.array([[[5], [6]], [[7], [8]]])))  # by hand: rows (5, 7) and (6, 8)

# %%
two_heads = np.array([[[0, 1], [100, 101], [200, 201]], [[2, 3], [102, 103], [202, 203]]])
plots.yours_and_target(
    merge_heads, two_heads, draw=plots.token_strips, alt="Every row holds the four channels of one token, in order."
)

# %% check="merge_heads"
check(merge_heads)

# %% [markdown]
# <details><summary>Hint 1: which numbers become neighbours?</summary>
#
# In the row of token 0, the last number of head 0 is followed by the first number of head 1.
# Are these two neighbours in `X` as it comes? Which axis would have to stand next to the last one?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# From `(2, 3, 5)` (two heads, three tokens, width 5) over `(3, 2, 5)` to `(3, 10)`.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Exchange the axis of the heads and the axis of the tokens.
# 2. Make one axis out of the last two. Its length is their product; all other axes keep theirs.
#
# </details>

# %% [markdown]
# ## Which root? The width of one head
#
# Notebook 02 divided scores by $\sqrt{d_k}$, because a dot product of $d_k$ terms grows like that root.
# In a head, a dot product has as many terms as **that head** has columns: $d_k = d_\text{model} / H$.
# So the divisor is $\sqrt{d_\text{model} / H}$, and not $\sqrt{d_\text{model}}$.
# The wrong root is easy to take: $d_\text{model}$ is a number that you have, $d_k$ one that you have to work out.
#
# ### Predict: the wrong root
#
# A model of width 64 has 8 heads of width 8. Someone divides by $\sqrt{64}$ instead of $\sqrt{8}$.
# What happens to the weights of a query over ten keys, in an untrained model?
#
# - **A** They become more unequal: one key takes nearly everything.
# - **B** They become more equal: all come nearer to a tenth.
# - **C** Nothing, because the softmax makes them sum to 1 again.

# %% answer="wrong-root"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("wrong-root", answer)


# %%
def largest_weight(n_heads, factor=1.0):
    """Return the largest of ten weights, averaged over 500 random queries, with all scores times a factor."""
    rng, d_k = np.random.default_rng(0), 64 // n_heads
    Q, K = rng.standard_normal((500, 1, d_k)), rng.standard_normal((500, 10, d_k))
    return softmax(attention_scores(Q, K) * factor).max(axis=-1).mean()


# %%
counts = [1, 2, 4, 8, 16, 32, 64]
largest = {
    "divided by the root of d_k": [largest_weight(H) for H in counts],
    "divided by the root of d_model": [largest_weight(H, np.sqrt(1 / H)) for H in counts],
}
plots.curves(
    counts,
    largest,
    log_x=True,
    x_label="number of heads in a model of width 64",
    y_label="largest of ten weights",
    alt="With the root of d_k the curve stays near 0.3. With the root of d_model it falls towards 0.1, even weights.",
)

# %% [markdown]
# With 8 heads, the wrong root lowers the largest weight from 0.31 to 0.16: no key is chosen any more.
# With one head both roots are the same, so a test with one head cannot see this mistake.

# %% [markdown]
# ## Exercise 4.3: multi_head_attention
#
# *8 points, about 30 minutes, difficulty 4 of 5*
#
# Now everything together (Vaswani et al. 2017, section 3.2.2).
# `X_query` asks and `X_memory` answers; they may be the same sequence (self-attention) or two different ones.
#
# $$\text{head}_h =
# \text{Attention}\big(X_\text{query}W_Q^{(h)},\; X_\text{memory}W_K^{(h)},\; X_\text{memory}W_V^{(h)}\big)
# \qquad \text{output} = [\text{head}_0, \dots, \text{head}_{H-1}]\,W_O$$
#
# ### Every head sees the whole input
#
# Nobody cuts the *input*.
# $W_Q^{(h)}$ is the $h$-th slice of **columns** of $W_Q$, and it has all $d_\text{model}$ rows.
# So every number of a head may depend on every number of the token.
# That is why you can project with the whole matrix first and split the result afterwards: it is the same.
# A head is not a slice of the word vector. It is a learned view of all of it, and the views may overlap.
#
# ### One mask for all heads
#
# What is hidden, the future or the padding, is a fact about tokens, so there is one mask and not one per head.
# But the weights have an axis that the mask has not, and NumPy lines shapes up from the right:
#
# | | shape | |
# |---|---|---|
# | weights | `(B, n_heads, n_queries, n_keys)` | |
# | mask for all sequences | `(n_queries, n_keys)` | fits as it is |
# | mask per sequence | `(B, n_queries, n_keys)` | `B` meets `n_heads`: an error, or no error and nonsense |
#
# The mask needs an axis of length 1 in the place where the weights count heads.
# A mask has at least two axes, so this place is always third from the end.
#
# ### Putting the heads together again
#
# The merged heads are multiplied by $W_O$, the only place in the layer where heads meet.
#
# The four matrices come together in `params`, a tuple with names: `params.W_Q` is $W_Q$.
#
# | name | shape | meaning |
# |---|---|---|
# | `X_query` | `(..., n_queries, d_model)` | gives the queries |
# | `X_memory` | `(..., n_keys, d_model)` | gives the keys and values |
# | `params.W_Q`, `params.W_K` | `(d_model, n_heads * d_k)` | heads are slices of columns |
# | `params.W_V` | `(d_model, n_heads * d_v)` | `d_v` may differ from `d_k` |
# | `params.W_O` | `(n_heads * d_v, d_model)` | head $h$ owns the $h$-th slice of **rows** |
# | `mask` | `(..., n_queries, n_keys)` or broadcastable to it, or None | True = may attend |
# | `output` | `(..., n_queries, d_model)` | first result |
# | `weights` | `(..., n_heads, n_queries, n_keys)` | second result |
#
# Use `masked_attention` of notebook 03: it divides by the root of the width that it is given,
# and gives a query that may attend to nothing the output 0.
#
# **By hand.** One query (1, 0), two keys (0, 2) and (ln 3, 4), two heads of width 1.
# $W_Q$ and $W_K$ are identities, so head 0 compares first columns and head 1 second columns.
#
# - Head 0: scores 0 and ln 3, weights 1/4 and 3/4. Head 1: scores 0 and 0, weights 1/2 and 1/2.
# - $W_V$ gives both heads the second column as values, 2 and 4. Head 0 finds 3.5 and head 1 finds 3.
# - $W_O$ has the rows (1, 0) and (1, 2). The output is 3.5 · (1, 0) + 3 · (1, 2) = (6.5, 6).


# %% solution="multi_head_attention"
def multi_head_attention(X_query, X_memory, params, n_heads, mask=None):
    """Let every head attend in its own projections, and mix what they found.

    Parameters
    ----------
    X_query : ndarray of shape (..., n_queries, d_model)
    X_memory : ndarray of shape (..., n_keys, d_model)
    params : AttentionParams
        W_Q, W_K, W_V and W_O.
    n_heads : int
    mask : ndarray of bool, optional
        At least two axes, broadcastable to (..., n_queries, n_keys); True = may attend.

    Returns
    -------
    output : ndarray of shape (..., n_queries, d_model)
    weights : ndarray of shape (..., n_heads, n_queries, n_keys)
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
with when_written():
    output, weights = multi_head_attention(BY_HAND.X_query, BY_HAND.X_memory, BY_HAND.params, BY_HAND.n_heads)
    print("weights of head 0:", weights[0], "of head 1:", weights[1])
    print("output:", output)  # by hand: 6.5 and 6

# %% check="multi_head_attention"
check(multi_head_attention)

# %% [markdown]
# <details><summary>Hint 1: how many attentions are there to call?</summary>
#
# `masked_attention` takes any leading axes. If the heads are a leading axis, how often do you have to call it?
# And with which width will it then scale?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# With two heads of width 4 in a model of width 8, five queries and seven keys:
# `(5, 8)` is projected to `(5, 8)` and split to `(2, 5, 4)`; keys and values become `(2, 7, 4)`.
# The weights are `(2, 5, 7)`, the heads `(2, 5, 4)`, merged `(5, 8)`, and the output is `(5, 8)`.
# A mask `(5, 7)` becomes `(1, 5, 7)`.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Project: queries from one sequence, keys and values from the other, each with its own matrix.
# 2. Split each of the three results into heads.
# 3. If there is a mask, give it an axis of length 1 where the heads are counted, third from the end.
# 4. Attend once, for all heads. Keep the weights.
# 5. Merge the heads, multiply by the fourth matrix, and return the product and the weights.
#
# </details>

# %% [markdown]
# ## Two heads, set by hand
#
# What could a head be good for? Let us not train two heads, but write them down.
# The tokens carry two things side by side: which word it is (one column per word) and where it stands (notebook 01).

# %%
tokens, vocabulary = ["the", "dog", "saw", "the", "cat"], ["the", "dog", "saw", "cat"]
words = np.array([[token == word for word in vocabulary] for token in tokens], dtype=float)
X = np.hstack([words, positional_encoding(5, 4)])  # (5, 8): four columns for the word, four for the position

# %% [markdown]
# - **Head 0, same word.** Queries and keys are both the word part, so a token finds all places where its word stands.
# - **Head 1, previous token.** Keys are the position part. Queries are the position part turned back by one step,
#   with the matrix of Exercise 1.5, so a token finds the one before it.
#
# A large factor on the queries makes the choice sharp. The values of both heads are the word part.

# %%
word_part, position_part = np.eye(8)[:, :4], np.eye(8)[:, 4:]  # (8, 4) each: projections that select
one_back = position_part @ shift_matrix(-1, 4).T
hand_set = AttentionParams(
    W_Q=50 * np.hstack([word_part, one_back]),
    W_K=np.hstack([word_part, position_part]),
    W_V=np.hstack([word_part, word_part]),
    W_O=np.eye(8),
)


# %%
def show_map(function, inputs, head, title, alt):
    """Draw the weights of one head beside the right ones."""
    names = {"row_labels": tokens, "column_labels": tokens, "x_label": "key", "y_label": "query"}

    def pick(results):
        return results[1][head].round(3)  # of the two results the weights

    return plots.yours_and_target(function, *inputs, pick=pick, title=title, alt=alt, **names)


# %%
same = "Both times the word “the” attends to itself and to the other “the”; all other words attend to themselves."
show_map(multi_head_attention, (X, X, hand_set, 2), 0, "Head 0, same word", alt=same)

# %%
before = "Every token attends to the one before it; the first has none, and attends to itself, the nearest there is."
show_map(multi_head_attention, (X, X, hand_set, 2), 1, "Head 1, previous token", alt=before)

# %% [markdown]
# $W_O$ is the identity here, so the output shows the two answers side by side.
# Read the row of *saw*: I am *saw*, and *dog* stands before me. That is what one average could not say.
# Only the first row is not to be trusted: no word stands before the first *the*, so head 1 has found that *the* itself.

# %%
plots.yours_and_target(
    multi_head_attention,
    *(X, X, hand_set, 2),
    pick=lambda results: results[0].round(2),
    row_labels=tokens,
    column_labels=[f"{part} {word}" for part in ("is", "after") for word in vocabulary],
    title="Output",
    alt="The left half of a row says which word the token is, the right half which word head 1 found before it.",
)

# %% [markdown]
# In trained models such heads are found, too.
# Some attend to the token before or after (Voita et al. 2019; Clark et al. 2019), and not all heads are needed:
# Voita et al. remove 38 of the 48 encoder heads of a translation model, and its translations are hardly worse.
# But nobody tells a head what to do, and many have no such simple description.
#
# Under a causal mask, both heads lose what comes later, and nothing else:

# %%
hidden = "The first “the” no longer sees the second one; the second still sees the first."
show_map(multi_head_attention, (X, X, hand_set, 2, causal_mask(5)), 0, "Head 0 under a causal mask", alt=hidden)

# %% [markdown]
# ### Predict: exchange the heads
#
# Let the two heads change places: exchange the left and right half of the columns of $W_Q$, $W_K$ and $W_V$,
# and the upper and lower half of the **rows** of $W_O$. What changes?
#
# - **A** The two maps of weights change places, and the output stays the same.
# - **B** The left and right half of the output change places, too.
# - **C** Both the maps and the output become different ones.

# %% answer="heads-exchanged"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("heads-exchanged", answer)

# %%
drawn = init_attention(np.random.default_rng(4), d_model=8, n_heads=2)
halves = {name: np.roll(W, 4, axis=0 if name == "W_O" else 1) for name, W in drawn._asdict().items()}
with when_written():
    output, weights = multi_head_attention(X, X, drawn, 2)
    other_output, other_weights = multi_head_attention(X, X, AttentionParams(**halves), 2)
    print("maps changed places:", np.allclose(other_weights, weights[::-1]))
    print("output is the same: ", np.allclose(other_output, output))

# %% [markdown]
# ## Find the error: a printed layer
#
# A set of lecture notes works out a layer with two heads, for two tokens. Its shapes are these:
#
# | array | shape |
# |---|---|
# | token vectors | `(2, 3)` |
# | $W_Q$, $W_K$ and $W_V$ of one head | `(3, 2)` |
# | what one head finds | `(2, 2)` |
# | both heads side by side | `(2, 4)` |
# | $W_O$ | `(4, 2)` |
# | output | `(2, 2)` |
#
# ### Which shape cannot be right?
#
# In a Transformer the output of the layer is added to its input (the residual connection, notebook 07).
#
# - **A** That of $W_Q$, $W_K$ and $W_V$: they have to be `(3, 3)`.
# - **B** That of both heads side by side: it has to be `(2, 3)`, the shape of the input.
# - **C** That of $W_O$, and so of the output: $W_O$ has to be `(4, 3)`.
# - **D** None: all the products can be formed.

# %% answer="layer-shapes"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("layer-shapes", answer)

# %% [markdown]
# ### Heads of full width
#
# Later, the same notes show two heads in a model of width 4. Each head is itself 4 wide.
# They are put side by side and "multiplied by $W_O$", whose shape is not given.

# %%
print("token 0, both heads side by side:", np.concatenate([WIDE_HEADS.head_0, WIDE_HEADS.head_1]))

# %% [markdown]
# Which shape must this $W_O$ have? Set `answer` to two numbers, rows and columns, as in `[2, 3]`.

# %% answer="shape-for-wide-heads"
### BEGIN SOLUTION
answer = [8, 4]
### END SOLUTION
predict("shape-for-wide-heads", answer)

# %% [markdown]
# ### Repair the product
#
# Back to the first example. Apart from its shape, its product is wrong in all four entries.

# %%
print("both heads side by side:\n", PRINTED_LAYER.concat)
print("W_O:\n", PRINTED_LAYER.W_O)
print("printed product:\n", PRINTED_LAYER.printed_output)

# %% [markdown]
# Set `answer` to the product as it should be, with three decimals, as a list of two lists.

# %% answer="printed-product"
### BEGIN SOLUTION
answer = [[2.061, 1.936], [2.159, 1.992]]
### END SOLUTION
predict("printed-product", answer)

# %% [markdown]
# ### W_O is a sum over heads
#
# There is another way to read this product, and it explains why heads have no order.
# The first two columns, head 0, meet only the first two rows of $W_O$.
# The last two columns, head 1, meet only the other two:
#
# $$[\text{head}_0, \dots, \text{head}_{H-1}]\,W_O = \sum_h \text{head}_h\, W_O^{(h)}
# \qquad W_O^{(h)} = \text{rows } h\,d_v \text{ to } (h + 1)\,d_v - 1$$
#
# Every head writes its own contribution, as wide as the model, and the contributions are added.
# So you can also measure one head: leave its term out, and see what changes.

# %%
head_0, head_1 = np.split(PRINTED_LAYER.concat, 2, axis=1)
rows_0, rows_1 = np.split(PRINTED_LAYER.W_O, 2)
plots.beside(
    plots.heatmap(head_0 @ rows_0, title="head 0"),
    plots.heatmap(head_1 @ rows_1, title="head 1"),
    plots.heatmap(head_0 @ rows_0 + head_1 @ rows_1, title="sum = output"),
    title="What each head contributes",
    same_limits=True,
    alt="Every entry of the third table is the sum of those in the first two.",
)

# %% [markdown]
# ## Exercise 4.4: count_attention_parameters
#
# *2 points, about 7 minutes, difficulty 1 of 5*
#
# How many numbers does such a layer learn?
#
# ### Four matrices
#
# They are $W_Q$, $W_K$, $W_V$ and $W_O$, with the shapes of Exercise 4.3, and no biases.
# Count the entries of each and add them up.
#
# - `d_k` and `d_v` are widths of **one** head, and they may be given.
# - Each of the two that is left out is `d_model // n_heads`, whatever the other one is.
# - The result is a Python `int`.
#
# | name | meaning |
# |---|---|
# | `d_model`, `n_heads` | ints |
# | `d_k`, `d_v` | ints, or None for the default |
# | result | an int |
#
# **By hand.** With `d_model` = 6 and two heads, $d_k = d_v = 3$.
# Each of the four matrices is 6 by 6, so the layer has 144 parameters.


# %% solution="count_attention_parameters"
def count_attention_parameters(d_model, n_heads, d_k=None, d_v=None):
    """Count the entries of W_Q, W_K, W_V and W_O.

    Parameters
    ----------
    d_model : int
    n_heads : int
    d_k, d_v : int, optional
        Widths of one head; each is d_model // n_heads when left out.

    Returns
    -------
    int
    """
    ### BEGIN SOLUTION
    d_k = d_model // n_heads if d_k is None else d_k
    d_v = d_model // n_heads if d_v is None else d_v
    queries_or_keys = d_model * n_heads * d_k  # entries of W_Q, and of W_K
    values_or_output = d_model * n_heads * d_v  # entries of W_V, and of W_O
    return 2 * queries_or_keys + 2 * values_or_output
    ### END SOLUTION


# %%
with when_written():
    print(count_attention_parameters(6, 2))  # by hand: 144

# %% check="count_attention_parameters"
check(count_attention_parameters)

# %% [markdown]
# <details><summary>Hint 1: which of the four have the same number of entries?</summary>
#
# Look at the table of Exercise 4.3. Two of the shapes contain `d_k`, and two contain `d_v`.
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# The number of entries is rows times columns. For 20 columns of input, 3 heads, `d_k` = 8 and `d_v` = 5:
# `(20, 24)`, `(20, 24)`, `(20, 15)` and `(15, 20)`.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Replace a missing `d_k` by its default, then a missing `d_v` by its own. Use the division that gives ints.
# 2. Multiply out the entries of each matrix.
# 3. Return the sum.
#
# </details>

# %% [markdown]
# ### Predict: more heads
#
# The base model of the paper has 8 heads and $d_\text{model}$ = 512.
# How many parameters has its attention layer with 16 heads instead, with the default widths?
#
# - **A** Twice as many.
# - **B** As many as before.
# - **C** Half as many.

# %% answer="more-heads"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("more-heads", answer)

# %%
with when_written():
    for n_heads in (1, 8, 16, 64):
        shared, full = (count_attention_parameters(512, n_heads, *widths) for widths in ((), (512, 512)))
        print(f"{n_heads:2} heads: {shared:,} parameters when they share the width, {full:,} at full width")

# %% [markdown]
# ### What it costs
#
# The same holds for the multiplications. For $n$ tokens:
#
# | step | multiplications | base model, $n$ = 100 |
# |---|---|---|
# | four projections | $4\,n\,d_\text{model}^2$ | 104,857,600 |
# | scores of all heads | $H \cdot n^2 d_k = n^2 d_\text{model}$ | 5,120,000 |
# | weights times values | $H \cdot n^2 d_v = n^2 d_\text{model}$ | 5,120,000 |
#
# The number of heads has cancelled: more heads are narrower heads.
# Only the weights themselves grow with $H$, since there are $H n^2$ of them to store and to send through a softmax:
# 10,000 with one head, 80,000 with eight.
#
# So are more heads always better? No.
# The paper compares them at equal cost, by BLEU, a score for translations that goes up to 100.
# One head was 0.9 points worse than the best number of heads, and with too many heads the score fell again
# (Vaswani et al. 2017, section 6.2 and table 3).

# %% [markdown]
# ## Exercise 4.5: fused_self_attention
#
# *3 points, about 10 minutes, difficulty 3 of 5*
#
# In self-attention, queries, keys and values come from the same `X`.
# Three products with three matrices can then be one product with a matrix three times as wide,
# and one large product usually takes less time than three smaller ones.
# GPT-2, for example, stores its weights like this.
#
# ### One matrix, three blocks
#
# $$W_{QKV} = [\,W_Q,\; W_K,\; W_V\,] \qquad X\,W_{QKV} = [\,Q,\; K,\; V\,]$$
#
# The blocks lie side by side, in the order Q, K, V, and each of them holds **all** heads.
# Other orders have the same shape, so nothing but the numbers can tell you.
# The model GPT-NeoX, for example, keeps queries, keys and values of head 0 together, then those of head 1, and so on:
# whoever loads such weights has to know.
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n, d_model)` | gives queries, keys and values |
# | `W_QKV` | `(d_model, 3 * d_model)` | here $d_k = d_v = d_\text{model} / H$ |
# | `W_O` | `(d_model, d_model)` | as before |
# | `mask` | as in Exercise 4.3 | one for all heads |
# | results | `(..., n, d_model)` and `(..., n_heads, n, n)` | `output`, `weights` |
#
# **By hand.** In a model of width 2, a token's row of the product is (1, 2, 3, 4, 5, 6).
# Its query is (1, 2), its key (3, 4) and its value (5, 6).
# With two heads, head 0 has the query 1, the key 3 and the value 5.


# %% solution="fused_self_attention"
def fused_self_attention(X, W_QKV, W_O, n_heads, mask=None):
    """Multi-head self-attention whose three projections are one matrix product.

    Parameters
    ----------
    X : ndarray of shape (..., n, d_model)
    W_QKV : ndarray of shape (d_model, 3 * d_model)
        The columns of W_Q, then of W_K, then of W_V.
    W_O : ndarray of shape (d_model, d_model)
    n_heads : int
    mask : ndarray of bool, optional
        As in `multi_head_attention`.

    Returns
    -------
    output : ndarray of shape (..., n, d_model)
    weights : ndarray of shape (..., n_heads, n, n)
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
fused_inputs = X, np.hstack(hand_set[:3]), hand_set.W_O, 2
show_map(
    fused_self_attention, fused_inputs, 1, "Head 1, previous token, fused", alt=f"The same map as before. {before}"
)

# %% check="fused_self_attention"
check(fused_self_attention)

# %% [markdown]
# <details><summary>Hint 1: what differs from Exercise 4.3?</summary>
#
# Only how `Q`, `K` and `V` come about. From which axis of the product do you cut them?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# With width 8 and five tokens: `(5, 8)` times `(8, 24)` is `(5, 24)`, which is cut into three times `(5, 8)`.
# From there on everything is as before. `np.split` can cut an array into equal parts along an axis.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Multiply once.
# 2. Cut the columns of the product into three equal blocks.
# 3. Split each block into heads, and go on as in Exercise 4.3, with the mask and with the last matrix.
#
# Another way: cut the *matrix* into three, and call your function of Exercise 4.3. That is right, but three products.
#
# </details>

# %% [markdown]
# ## Going further: one vector for a sentence
#
# *Not graded.* Each output row describes a token *in its sentence*, so it is called a contextual embedding.
# A model that only reads, an encoder, can stop here: average the rows, and a sentence of any length becomes
# one vector of width $d_\text{model}$. A linear map on top of it sorts sentences into classes.
# The average of rows forgets the order of the words, unless the rows themselves know something about it.
# With the two heads from above they do:

# %%
with when_written():
    for order in ([0, 1, 2, 3, 4], [0, 4, 2, 3, 1]):
        told = np.hstack([words[order], positional_encoding(5, 4)])  # the same words, in another order
        output, _ = multi_head_attention(told, told, hand_set, 2)
        print(" ".join(tokens[i] for i in order), "->", output.mean(axis=0).round(1))

# %% [markdown]
# The first four numbers are the shares of the words *the*, *dog*, *saw* and *cat*, the same for both sentences.
# The last four are the shares of the words that head 1 found. The last word of a sentence stands before no other one,
# so its share is 0. (*the* has three of five, because the first one counts itself.)
#
# If you know convolutions: heads are sometimes compared with their channels, because several filters look at the
# same input, side by side. The comparison stops at the weights. A convolution's are fixed once it is trained.
# Those of a head are computed anew for every sentence.
#
# ## What you have now
#
# - `split_heads` and `merge_heads`, with a picture of the reshape that only looks right.
# - `multi_head_attention`: any two sequences, any mask, scores scaled by the width of one head.
# - `count_attention_parameters` showed that heads cost nothing extra as long as they share the width.
# - `fused_self_attention` is how it is often stored.
# - Heads are a sum of contributions through $W_O$, and their order means nothing.
#
# Next: **[05 Cross-attention](../05_cross_attention/05_cross_attention.ipynb)**,
# where `X_query` and `X_memory` are sentences in two languages.
