# %% [markdown]
# # 11 Inside the model
#
# A trained model runs on your functions: you can look at whatever it computes, and you can change it.
# In the first sitting you do both, to find out how the translator makes one decision.
# In the second you run each half of a Transformer by itself.
#
# **{{points}}, {{time}}.**
# You need your functions from units 00 to 09; the course lends what is missing, and says so.
#
# **[START HERE](../START_HERE.ipynb)** says how checks, hints and predictions work.

# %%
from types import SimpleNamespace

import numpy as np

from autograder import check, load, predict, progress
from transformer_kit import plots, skip_if_unimplemented
from transformer_kit.dictionary.definitions import greedy_definition
from transformer_kit.examples.english import VERBS_TO_LEARN, VERBS_TO_TEST, one_and_many
from transformer_kit.experiments.whole_model import ablations, inside
from transformer_kit.experiments.whole_model.one_sentence import sentence_vectors, watched
from transformer_kit.parameters import AttentionParams, DecoderOnly
from transformer_kit.pictures import head_explorer
from transformer_kit.trained.dictionary import load_dictionary
from transformer_kit.trained.model import load_model

(
    embed, positional_encoding, add_positions, softmax, causal_mask, padding_mask, masked_attention,
    split_heads, multi_head_attention, cross_attention, position_wise_ffn, layer_norm, encoder_layer,
    encode_source, decode_target,
) = load(
    "embed", "positional_encoding", "add_positions", "softmax", "causal_mask", "padding_mask",
    "masked_attention", "split_heads", "multi_head_attention", "cross_attention", "position_wise_ffn",
    "layer_norm", "encoder_layer", "encode_source", "decode_target",
)

# %%
mine = SimpleNamespace(
    embed=embed, positional_encoding=positional_encoding, add_positions=add_positions, causal_mask=causal_mask,
    padding_mask=padding_mask, multi_head_attention=multi_head_attention, cross_attention=cross_attention,
    position_wise_ffn=position_wise_ffn, layer_norm=layer_norm, encoder_layer=encoder_layer,
)
model, dictionary = load_model(), load_dictionary()

# %%
progress("11")

# %% [markdown]
# ## One head decides the gender
#
# "The table is big" is *la mesa es grande*, "The book is big" is *el libro es grande*.
# The article comes first, so the decoder has to choose *el* or *la* before it has written the noun. How does it know?
#
# Here is where the four heads of the last cross-attention look, just before the decoder writes the article of the first sentence:

# %%
table = watched("The table is big.", model, mine)
plots.heatmap(table.parts["decoder.1.cross_attention.weights"][0][:, 0], [f"head {head}" for head in range(4)], table.source,
              alt="Before the article is written, three heads look at “the” and one at the noun.")

# %% [markdown]
# Three heads look at *the*, which has no gender. Head 2 looks at *table*. Other nouns show the same: in 74 of 75 sentences head 2
# looks mostly at the noun, and no other head of this layer ever does. So it is head 2 that finds the gender.
#
# ### Predict: which head is missed?
#
# Silence one of the four heads of this layer. How many of the 75 articles go wrong?
#
# - **A** many without head 2, none without any other
# - **B** a few, and as many for each of the heads
# - **C** one at most, whichever head is silent

# %% answer="which-head-is-missed"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("which-head-is-missed", answer)

# %% [markdown]
# ## Exercise {{head_outputs}}: head_outputs
#
# *{{points head_outputs}}, about 10 minutes, difficulty 3 of 5*
#
# A map shows where a head looks, not what it says. Multi-head attention puts its heads side by side and multiplies by $W_O$.
#
# ### W_O as a sum
#
# A row of blocks times a column of blocks is a sum:
#
# $$[\,O_0 \;\; O_1 \;\; \dots\,]\; W_O = O_0\, W_O^{(0)} + O_1\, W_O^{(1)} + \dots$$
#
# $W_O^{(h)}$ is the block of rows that multiplies head $h$: the first `d_v` rows for head 0, the next `d_v` for head 1. So each head adds a vector
# of its own to the residual stream (Elhage et al. 2021).
# Return these terms, with an axis for the heads before that of the queries. The mask hides the same keys from all heads.
#
# | name | shape | meaning |
# |---|---|---|
# | `X_query`, `X_key` | `(..., n_queries, d_model)`, `(..., n_keys, d_model)` | who asks, and who is asked |
# | `params` | `AttentionParams` | `W_O` is `(n_heads * d_v, d_model)` |
# | result | `(..., n_heads, n_queries, d_model)` | what each head adds |
#
# **By hand.** There is one key, so all weights are 1. Its value is (3, 2): head 0 has 3, head 1 has 2. With the rows (1, 0) and (1, 1) of $W_O$,
# head 0 adds (3, 0) and head 1 adds (2, 2). The sum is (5, 2).


# %% solution="head_outputs"
def head_outputs(X_query, X_key, params, n_heads, mask=None):
    """Return what every head adds to the output of multi-head attention.

    X_query (..., n_queries, d_model), X_key (..., n_keys, d_model), params: AttentionParams,
    mask broadcasts to (..., n_queries, n_keys) or is None -> (..., n_heads, n_queries, d_model).
    """
    ### BEGIN SOLUTION
    Q = split_heads(X_query @ params.W_Q, n_heads)
    K, V = split_heads(X_key @ params.W_K, n_heads), split_heads(X_key @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]  # an axis for the heads
    heads, _ = masked_attention(Q, K, V, mask)  # (..., n_heads, n_queries, d_v)
    return heads @ np.stack(np.split(params.W_O, n_heads))
    ### END SOLUTION


# %%
by_hand = AttentionParams(np.eye(2), np.eye(2), np.eye(2), W_O=np.array([[1.0, 0.0], [1.0, 1.0]]))
with skip_if_unimplemented():
    print(head_outputs(np.array([[1.0, 0.0]]), np.array([[3.0, 2.0]]), by_hand, n_heads=2))

# %% check="head_outputs"
check(head_outputs)

# %% [markdown]
# <details><summary>Hint 1: how far does your multi-head attention get you?</summary>
#
# Up to which line of your `multi_head_attention` of unit 04 are the heads still apart? What do you do instead of merging them?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# The blends of values are `(..., n_heads, n_queries, d_v)`. Cut `W_O` into `(n_heads, d_v, d_model)`, and one product of stacks does the rest.
# A mask `(..., n_queries, n_keys)` becomes `(..., 1, n_queries, n_keys)`.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Project queries, keys and values, and split them into heads.
# 2. Give the mask an axis for the heads, if there is one, and attend.
# 3. Cut W_O into one block of rows for each head.
# 4. Multiply each head by its block, and return the products without adding them up.
#
# </details>

# %% [markdown]
# What does each head of the last cross-attention add while the article is written? The numbers are measured along the direction from *el* to *la*
# in the table of embeddings: above 0 a head speaks for *la*, below 0 for *el*.

# %%
*lower, last = model.decoder
el, la = (model.target_embedding[model.target_words.index(word)] for word in ("el", "la"))
with skip_if_unimplemented():
    for noun in ("table", "book"):
        parts = watched(f"The {noun} is big.", model, mine).parts
        target, source = parts["decoder.1.norm_1"], parts["encoder.1.norm_2"]
        added = head_outputs(target, source, last.cross_attention, model.n_heads)[0, :, 0]  # (n_heads, d_model)
        print(f"{noun:6}", *(f"head {h}: {push:+.1f}" for h, push in enumerate(added @ (la - el))), sep="   ")

# %% [markdown]
# ## Exercise {{without_heads}}: without_heads
#
# *{{points without_heads}}, about 8 minutes, difficulty 2 of 5*
#
# That was still only looking. To find out what a head is for, silence it: let it add 0, and change nothing else.
#
# ### Which rows belong to a head
#
# What a head adds goes through its own rows of $W_O$. If they are 0, it adds nothing.
#
# - Return new `AttentionParams`. The old ones stay as they were.
# - If `heads` is empty, nothing is silent.
# - Refuse a head that does not exist, or has a negative number, with a `ValueError` that names the number.
# - Each head has `d_v` rows of `W_O`, which need not be `d_model / n_heads`.
#
# | name | shape | meaning |
# |---|---|---|
# | `params` | `AttentionParams` | `W_O` is `(n_heads * d_v, d_model)` |
# | `heads` | a tuple of ints | which heads to silence; the first head is 0 |
# | result | `AttentionParams` | new ones |
#
# **By hand.** With the rows (1, 0) and (1, 1) as before and head 1 silent, $W_O$ has the rows (1, 0) and (0, 0). The output is (3, 0): what head 0 adds.


# %% solution="without_heads"
def without_heads(params, n_heads, heads):
    """Silence some heads of an attention.

    params: AttentionParams, heads: a tuple of ints from 0 on -> AttentionParams. No such head: a ValueError.
    """
    ### BEGIN SOLUTION
    W_O = params.W_O.copy()
    d_v = len(W_O) // n_heads
    for head in heads:
        if not 0 <= head < n_heads:
            raise ValueError(f"head {head} does not exist: there are {n_heads}, counted from 0")
        W_O[head * d_v : (head + 1) * d_v] = 0
    return params._replace(W_O=W_O)
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    one_left = without_heads(by_hand, 2, (1,))
    print(one_left.W_O)
    print(multi_head_attention(np.array([[1.0, 0.0]]), np.array([[3.0, 2.0]]), one_left, 2)[0])

# %% check="without_heads"
check(without_heads)

# %% [markdown]
# <details><summary>Hint 1: rows or columns?</summary>
#
# In the product of the heads with `W_O`, which axis of `W_O` is summed over? That is the one along which the heads lie.
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `W_O` is `(n_heads * d_v, d_model)`. Head 0 has the rows 0 to `d_v - 1`. `params._replace(W_O=...)` makes new parameters from old ones.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Copy W_O, once.
# 2. For each head: refuse it if it does not exist; otherwise set its block of rows to 0.
# 3. Return the parameters with the new W_O in place of the old one.
#
# </details>

# %% [markdown]
# With one head silent, how many of the 75 articles are still right?

# %%
articles = inside.articles(model)


def score(heads, silence=None, attention=last.cross_attention):
    """Count the right articles while some heads of the last cross-attention are silent."""
    silent = last._replace(cross_attention=(silence or without_heads)(attention, model.n_heads, heads))
    return articles.number_right(memory, model._replace(decoder=(*lower, silent)), decode_target)


with skip_if_unimplemented():
    memory = encode_source(articles.source_ids, articles.is_token, model)
    for heads in ((), (0,), (1,), (2,), (3,)):
        print("silent:", heads, "right articles:", score(heads))

# %% [markdown]
# ### Predict: what is lost without a pair?
#
# Now silence two heads at once: head 2 and one of the others.
#
# - **A** nearly all are right, whichever the other is
# - **B** many are wrong, but with one of the three only
# - **C** many are wrong, whichever the other is

# %% answer="what-a-pair-loses"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("what-a-pair-loses", answer)

# %% [markdown]
# ## Exercise {{ablation_table}}: ablation_table
#
# *{{points ablation_table}}, about 12 minutes, difficulty 3 of 5*
#
# Taking a part out and measuring what is lost is called *ablation*. Done one part at a time it has a blind spot: if two heads can do the same,
# neither seems to be needed. So silence pairs as well.
#
# ### What is lost
#
# `score(heads)` says how good the model is without the heads in the tuple; `score(())` is the whole model. The diagonal has
# what is lost without one head, the rest what is lost without two:
#
# $$T_{ii} = \text{score}(\,) - \text{score}(i) \qquad T_{ij} = T_{ji} = \text{score}(\,) - \text{score}(i, j)$$
#
# ### Ask once
#
# Each call of `score` runs a model over many sentences. So measure the whole model once, and each pair once: heads 2 and 0 are heads 0 and 2.
#
# | name | shape | meaning |
# |---|---|---|
# | `score` | a function | from a tuple of heads to a number |
# | result | `(n_heads, n_heads)` floats | symmetric, a new array |
#
# **By hand.** The whole model scores 10; without head 0 it scores 9, without head 1 again 10, without both 4. The table has the rows (1, 6) and (6, 0).


# %% solution="ablation_table"
def ablation_table(score, n_heads):
    """Measure what is lost when each head is silenced, and each pair of heads.

    score takes a tuple of silent heads and returns a number -> (n_heads, n_heads).
    """
    ### BEGIN SOLUTION
    whole = score(())
    table = np.zeros((n_heads, n_heads))
    for i in range(n_heads):
        table[i, i] = whole - score((i,))
        for j in range(i + 1, n_heads):
            table[i, j] = table[j, i] = whole - score((i, j))
    return table
    ### END SOLUTION


# %%
points = {(): 10, (0,): 9, (1,): 10, (0, 1): 4}
with skip_if_unimplemented():
    print(ablation_table(lambda heads: points[tuple(sorted(heads))], 2))

# %% check="ablation_table"
check(ablation_table)

# %% [markdown]
# <details><summary>Hint 1: how many calls are needed for three heads?</summary>
#
# One for the whole model, one for each head, one for each pair. Count them before you write the loops.
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# The table is `(n_heads, n_heads)`. A tuple with one head is written `(i,)`. One call for a pair fills two places of the table.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Measure the whole model.
# 2. For every head: its loss goes on the diagonal.
# 3. For every later head: silence both, and write the loss into both places.
#
# </details>

# %% [markdown]
# How many right articles are lost, of 75? 33 of the nouns are feminine, and without heads 0 and 2 all of them get *el*.
# Switch off one of the two in the picture, then the other, then both:

# %%
with skip_if_unimplemented():
    print(ablation_table(score, model.n_heads))
    mine.without_heads = without_heads
    display(head_explorer(table, head=2, results=inside.translations_without("The table is big.", model, mine)))

# %% [markdown]
# ### Find the bug: a table that is wrong
#
# Somebody else's `without_heads` gave this table, and raised no error:


# %%
def careless(params, n_heads, heads):
    """Silence some heads of an attention."""
    d_v = len(params.W_O) // n_heads
    for head in heads:
        params.W_O[head * d_v : (head + 1) * d_v] = 0
    return params


copied = AttentionParams(*(W.copy() for W in last.cross_attention))


def careless_score(heads):
    """Count as `score` does, with somebody else's function."""
    return score(heads, careless, copied)


with skip_if_unimplemented():
    print(ablation_table(careless_score, model.n_heads))

# %% [markdown]
# Some numbers agree with yours, others do not. What went wrong? One more call of `careless_score` will tell you.
#
# - **A** more heads are silent than were to be
# - **B** columns are set to 0 in place of rows
# - **C** the last head is left out of the slice

# %% answer="the-wrong-table"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("the-wrong-table", answer)

# %% [markdown]
# ## Exercise {{attention_rollout}}: attention_rollout
#
# *{{points attention_rollout}}, about 10 minutes, difficulty 3 of 5*
#
# So head 0 can choose the article as well. But it looks at *the*, and *the* has no gender. Or has it?
# The encoder has mixed other words into the vector there.
# The *rollout* follows the maps of all layers down to the tokens (Abnar and Zuidema 2020, section 3).
#
# ### One layer: half stays where it is
#
# Take the mean $\bar A_l$ of the weights over the heads. The residual connection adds the vector that was there before. Count each as one half:
#
# $$B_l = \tfrac12 \bar A_l + \tfrac12 I$$
#
# ### Several layers: a product
#
# Row $i$ of $B_2$ says how position $i$ of the second layer is mixed from positions of the first, and $B_1$ how those are mixed from the tokens.
# To combine them, sum over the positions in between: a matrix product, with the highest layer on the left.
#
# $$R = B_L \cdots B_2\, B_1$$
#
# | name | shape | meaning |
# |---|---|---|
# | `weights` | `(n_layers, n_heads, n, n)` | self-attention; the lowest layer first |
# | result | `(n, n)` | row i: the share of every token in position i at the top |
#
# **By hand.** Two layers, one head, two tokens. The first layer has the rows (1/2, 1/2) and (0, 1), so $B_1$ has (3/4, 1/4) and (0, 1).
# The second has (1, 0) and (1/2, 1/2), so $B_2$ has (1, 0) and (1/4, 3/4). Their product $B_2 B_1$ has the rows (3/4, 1/4) and (3/16, 13/16).


# %% solution="attention_rollout"
def attention_rollout(weights):
    """Follow attention through all layers, down to the tokens.

    weights (n_layers, n_heads, n, n), the lowest layer first -> (n, n), whose rows sum to 1.
    """
    ### BEGIN SOLUTION
    eye = np.eye(weights.shape[-1], dtype=weights.dtype)
    rollout = eye
    for layer in weights.mean(axis=1):
        rollout = (layer + eye) / 2 @ rollout
    return rollout
    ### END SOLUTION


# %% check="attention_rollout"
check(attention_rollout)

# %% [markdown]
# <details><summary>Hint 1: what is the rollout of no layer at all?</summary>
#
# Before the first layer every position is its own token and nothing else. Which matrix says that? Begin with it.
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# The mean over the heads makes `(n_layers, n, n)` out of `(n_layers, n_heads, n, n)`. Every layer gives a matrix `(n, n)`, and so does every product.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Average over the heads, and begin with the identity.
# 2. For every layer, from the lowest: mix its mean with the identity, half and half.
# 3. Multiply what you have by this matrix, from the left.
#
# </details>

# %% [markdown]
# ### What the rollout says

# %%
with skip_if_unimplemented():
    layers = np.stack([table.parts[f"encoder.{i}.attention.weights"][0] for i in (0, 1)])
    shares = zip(table.source, attention_rollout(layers)[0], strict=True)
    print("of the vector at *the*:", *(f"{word} {share:.0%}" for word, share in shares), sep="   ")

# %% [markdown]
# About an eighth of the vector at *the* comes from the noun. So head 0 *could* read the gender there. Whether it does, maps cannot tell.
#
# ### What an exchange says
#
# To know, change that vector and nothing else. In every sentence, replace the memory at one place by that of a sentence whose noun has the
# *other* gender (*patching*). How many articles change?

# %%
words = ("the", "NOUN", "is", "big", ".")
with skip_if_unimplemented():
    for heads in ((), (0,), (2,)):
        silent = last._replace(cross_attention=without_heads(last.cross_attention, model.n_heads, heads))
        changed = model._replace(decoder=(*lower, silent))
        turned = [articles.number_turned(articles.exchanged(memory, at), changed, decode_target) for at in range(5)]
        print(f"silent: {heads!s:6}", *(f"{word} {n:2}" for word, n in zip(words, turned, strict=True)), sep="   ")

# %% [markdown]
# As long as head 2 speaks, the article follows the vector at the **noun**. With head 2 silent it follows the vector at ***the***, in all 75
# sentences: the encoder has written the gender there, and head 0 reads it. Which head of the encoder writes it? Take a guess
# from the explorer above, then silence that head together with head 2.

# %%
with skip_if_unimplemented():
    for head in range(model.n_heads):
        changed = ablations.without_head(model, "encoder.1.attention", head)
        cut = ablations.without_head(changed, "decoder.1.cross_attention", 2)
        remembered = encode_source(articles.source_ids, articles.is_token, cut)
        print(f"encoder 1, head {head}, silent as well: {articles.number_right(remembered, cut, decode_target)} right articles")

# %% [markdown]
# ### A map is not a cause
#
# There are two ways from the noun to its article, and either is enough. Head 2 *does* decide the gender, and it is *not needed* for that.
#
# | you look at | it says | it does not say |
# |---|---|---|
# | a map | where a layer looked | what it took from there, and whether that mattered |
# | an ablation, one by one | what nothing else can replace | what a part does while it is there |
# | ablations in pairs, exchanges | what stands in for what, and which vector carries it | why training made it so |
#
# Jain and Wallace (2019) argue the same for other models. And claim no more than you have shown: one kind of sentence, one decision, one
# model.
#
# ## The rest of the model
#
# Six attentions have four heads each. With one of the 24 silent, how many of 60 translations stay acceptable? (This may take a minute or two.)

# %%
trial = ablations.Trial(model, 60)
places = {f"encoder {i}": f"encoder.{i}.attention" for i in (0, 1)}
places |= {f"decoder {i}, {kind}": f"decoder.{i}.{kind}_attention" for kind in ("self", "cross") for i in (0, 1)}
for name, place in places.items():
    one_less = [ablations.without_head(model, place, head) for head in range(4)]
    print(f"{name:18}", *(f"{trial.effect(mine, each).acceptable:5.0%}" for each in one_less))

# %% [markdown]
# Most heads can go, as Michel et al. (2019) found in a large model. Those of the last cross-attention are missed most,
# head 2 included: no article needs it, but other words do.
#
# ### Predict: without the full stop
#
# The decoder may look at all words of the source, but not at the full stop or question mark at its end.
# How many of the 60 translations stay acceptable?
#
# - **A** about 2
# - **B** about 10
# - **C** about 30
# - **D** about 60

# %% answer="without-full-stop"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("without-full-stop", answer)

# %% [markdown]
# ### Predict: a layer twice
#
# In unit 07 every sentence went through the encoder's first layer twice, and nothing was lost. Now the last layer of the **decoder**
# runs twice. How many translations stay acceptable?
#
# - **A** next to none
# - **B** about half
# - **C** nearly all

# %% answer="layer-twice"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("layer-twice", answer)


# %%
def no_full_stop(X, memory, params, n_heads, is_token):
    """Attend to all words of the source but the last."""
    length = is_token.sum(axis=1, keepdims=True)
    return cross_attention(X, memory, params, n_heads, np.arange(is_token.shape[1]) < length - 1)


first, second = model.encoder
changes = {
    "nothing changed": (mine, model),
    "no full stop": (ablations.replaced(mine, cross_attention=no_full_stop), model),
    "first layer twice": (mine, model._replace(encoder=(first, first, second))),
    "layers exchanged": (mine, model._replace(encoder=(second, first))),
    "decoder's twice": (mine, model._replace(decoder=(*model.decoder, model.decoder[-1]))),
    "no causal mask": (ablations.replaced(mine, causal_mask=lambda n: np.ones((n, n), dtype=bool)), model),
    "no positions": (ablations.replaced(mine, add_positions=lambda X, P: X), model),
}
for name, changed in changes.items():
    print(f"{name:18} acceptable {trial.effect(*changed).acceptable:4.0%}")

# %% [markdown]
# ## Second sitting: half a Transformer
#
# ## Only the decoder: a model that writes
#
# The dictionary of unit 08 has no source and no encoder. It is one stack of layers that continues a text, like GPT (Radford et al. 2018).
#
# ## Exercise {{next_token_logits}}: next_token_logits
#
# *{{points next_token_logits}}, about 12 minutes, difficulty 2 of 5*
#
# $$X_0 = \sqrt{d_\text{model}}\; E[\text{ids}] + P \qquad X_{l} = \text{EncoderLayer}_l(X_{l-1}) \qquad \text{logits} = X_L E^\top$$
#
# ### What goes in, what comes out
#
# - Look the tokens up in `model.embedding`, multiply by the square root of `d_model`, and add the positions 0, 1, 2, ...
# - The same table, transposed, makes the logits, without a factor and without a softmax.
# - Every position, including the last, has logits for the token after it.
#
# ### One stack, one mask
#
# A decoder layer without its attention to a source has two sub-layers left: self-attention and the network. That is your
# `encoder_layer(X, params, n_heads, mask)`. What makes it a decoder is the mask alone: no position sees a later one.
# `model.layers` has the parameters of each layer, `model.n_heads` the number of heads.
#
# | name | shape | meaning |
# |---|---|---|
# | `token_ids` | `(B, n)` ints | one text per row |
# | `model.embedding` | `(V, d_model)` | the table |
# | result | `(B, n, V)` | logits for the next token |
#
# **By hand.** A model without layers has two tokens, (0.5, -0.5, 0.25, 0) and (1, 0, 0, 0). The text is 0, 1.
# The first token, at position 0, enters as (1, 0, 0.5, 1), and has the logits 0.5 + 0.125 = 0.625 and 1.
# The second enters as (2, 0, 0, 0) + (0.8415, 0.5403, 0.0100, 1.0000), and has the logits 1.1531 and 2.8415.


# %% solution="next_token_logits"
def next_token_logits(token_ids, model):
    """Predict the next token at every position, with a stack of layers that has no source.

    token_ids (B, n), int, model with embedding, layers, n_heads -> (B, n, V).
    """
    ### BEGIN SOLUTION
    E = model.embedding
    X = embed(token_ids, E) * E.shape[-1] ** 0.5
    n, d_model = X.shape[-2:]
    X = add_positions(X, positional_encoding(n, d_model).astype(X.dtype))
    mask = causal_mask(n)
    for params in model.layers:
        X = encoder_layer(X, params, model.n_heads, mask)
    return X @ E.T
    ### END SOLUTION


# %%
two_tokens = DecoderOnly(np.array([[0.5, -0.5, 0.25, 0.0], [1, 0, 0, 0]]), layers=(), n_heads=1)
with skip_if_unimplemented():
    print(next_token_logits(np.array([[0, 1]]), two_tokens).round(4))

# %% check="next_token_logits"
check(next_token_logits)

# %% [markdown]
# <details><summary>Hint 1: which function of yours is nearly this one?</summary>
#
# Open your `decode_target` of unit 09. What is left of it when there is no source?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# From ids `(B, n)` to vectors `(B, n, d_model)`, which all layers keep. The mask is `(n, n)`, one for all texts.
# The table is `(V, d_model)`, so `(B, n, d_model)` times the table transposed gives `(B, n, V)`.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Look up, scale, add positions.
# 2. Make the causal mask once.
# 3. Pass the vectors through one layer after the other, with the mask.
# 4. Multiply by the table, transposed.
#
# </details>

# %% [markdown]
# Your function runs the dictionary, which defines words that do not exist. Try your own. (Of words that exist, most of its definitions are wrong:
# it has learned how a definition sounds.)

# %%
with skip_if_unimplemented():
    for word, kind in (("moonberry", "noun"), ("wobblefish", "noun"), ("quietfully", "adverb")):
        _, definition = greedy_definition(word, kind, dictionary, next_token_logits)
        print(f"{word} ({kind}):{dictionary.pieces.decode(definition)}")

# %% [markdown]
# ## Exercise {{logit_lens}}: logit_lens
#
# *{{points logit_lens}}, about 6 minutes, difficulty 1 of 5*
#
# When does a model know what it is going to say? Between the layers there are no words, only vectors.
#
# ### The last step, taken early
#
# But these vectors have the width `d_model`, and the model's last step turns such a vector into a token: of its dot products with the rows
# of the table, the largest wins. Take that step after every layer: the *logit lens* (nostalgebraist 2020).
#
# $$\text{id}_{l,i} = \arg\max_v \; x_{l,i} \cdot E_v$$
#
# Among equal logits the lowest id wins, as in greedy search.
#
# | name | shape | meaning |
# |---|---|---|
# | `states` | `(n_layers, n, d_model)` | the vectors of all positions, layer by layer |
# | `embedding` | `(V, d_model)` | the table |
# | result | `(n_layers, n)` ints | a token for every layer and position |
#
# **By hand.** The table has the rows (1, 0), (0, 1) and (1, 1). The vector (2, -1) has the logits 2, -1 and 1: token 0. The vector (1, 3) has 1, 3 and 4: token 2.


# %% solution="logit_lens"
def logit_lens(states, embedding):
    """Read every layer as if it were the last.

    states (n_layers, n, d_model), embedding (V, d_model) -> (n_layers, n), int.
    """
    ### BEGIN SOLUTION
    return (states @ embedding.T).argmax(axis=-1)
    ### END SOLUTION


# %% check="logit_lens"
check(logit_lens)

# %% [markdown]
# <details><summary>Hint 1: what does the model do after its last layer?</summary>
#
# Look at the last line of your `next_token_logits`. What is missing to get from there to one token?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `(n_layers, n, d_model)` times `(d_model, V)` gives `(n_layers, n, V)`. Along which axis do the tokens of the vocabulary lie?
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Multiply all states by the table, transposed.
# 2. Find where the largest logit is along the last axis.
#
# </details>

# %% [markdown]
# The first line has pieces that the dictionary has read; below is what the lens says at each depth. Read downwards: a vector turns from
# *what I am* into *what follows*. The last lines count over four definitions, depth by depth.


# %%
def through_the_lens(word, kind):
    """Return the ids that are read while a definition is written, and the lens on them at every depth."""
    prompt, definition = greedy_definition(word, kind, dictionary, next_token_logits)
    states = inside.states_by_layer(np.array([*prompt, *definition]), dictionary, mine)
    return np.array([prompt[-1], *definition]), logit_lens(states[:, len(prompt) - 1 :], dictionary.embedding)


with skip_if_unimplemented():
    asked = ("moonberry", "noun"), ("wobblefish", "noun"), ("unbreakfast", "verb"), ("quietfully", "adverb")
    seen = [through_the_lens(*each) for each in asked]
    read, lens = seen[0]
    for depth, row in enumerate((read, *lens)):
        print(f"{f'after layer {depth - 1}' if depth else 'it has read':14}", inside.spelled(row, dictionary))
    print("the piece just read:", np.mean([(lens == read).mean(axis=1) for read, lens in seen], axis=0).round(2))
    print("what it will say:   ", np.mean([(lens == lens[-1]).mean(axis=1) for _, lens in seen], axis=0).round(2))

# %% [markdown]
# More than half of the pieces appear only in the last layer. But the lens looks at lower layers with a table that was trained for the
# last one: where it sees nothing, there may still be something.

# %% [markdown]
# ## Only the encoder: a model that reads
#
# The other half turns a sentence into vectors. Their mean is one vector for the sentence. What does it know?
#
# ### Predict: one or many?
#
# "The cat can see the dogs" and "The dogs can see the cat" have the same words. Is the subject plural?
# A linear classifier is trained on sentences with some verbs and tested on sentences with others.
# How often is it right, on means of bare embeddings and on means of what the encoder returns?
#
# - **A** embeddings about 50 %, encoder about 50 %
# - **B** embeddings about 50 %, encoder far more
# - **C** embeddings far more, encoder far more

# %% answer="who-is-many"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("who-is-many", answer)

# %%
(learned, y), (unseen, expected) = one_and_many(VERBS_TO_LEARN), one_and_many(VERBS_TO_TEST)
reads = {"bare embeddings": lambda ids, _: embed(ids, model.source_embedding)}
reads |= {"encoder": lambda ids, is_token: encode_source(ids, is_token, model)}
for name, read in reads.items():
    X, X_unseen = (sentence_vectors(sentences, model, read) for sentences in (learned, unseen))
    X, X_unseen = (np.column_stack([vectors, np.ones(len(vectors))]) for vectors in (X, X_unseen))  # and a constant
    w = np.linalg.solve(X.T @ X + np.eye(65), X.T @ np.where(y, 1.0, -1.0))  # ridge regression
    print(f"{name}: {np.mean((X_unseen @ w > 0) == expected):.0%} right")

# %% [markdown]
# Vectors that know the words around them are called *contextual*.
#
# ## Where BERT and GPT stand
#
# | parts | mask | trained to | an example |
# |---|---|---|---|
# | encoder and decoder | causal in the decoder | write a translation | Vaswani et al. 2017 |
# | encoder only | padding only | fill in hidden words | BERT: Devlin et al. 2019 |
# | decoder only | causal | predict the next word | GPT: Radford et al. 2018 |
#
# All three run on your functions. BERT and GPT differ in small things, such as biases in the attention.

# %% [markdown]
# ## What you have now
#
# You have looked into a trained model, changed it, and run each half by itself.
# Look for more: which heads carry the plural from *cats* to *gustan*?
#
# **Next, if you like: [12 Models you know](../12_models_you_know/12_models_you_know.ipynb).** Public models run on your functions.
