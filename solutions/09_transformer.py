# %% [markdown]
# # 09 The Transformer
#
# All parts are there. In this notebook you assemble them into the whole Transformer, and your own functions translate
# English into Spanish, with the weights of a model that was really trained.
#
# **40 points, about 120 minutes.**
# You need your functions of notebooks 00 to 08. Where you have none, the course lends its own and says so.
#
# [START HERE](../START_HERE.ipynb) says how checks, hints and predictions work.

# %%
from types import SimpleNamespace

import numpy as np

from autograder import check, compare_layers, load, predict
from transformer_kit import plots, when_written
from transformer_kit.cache import start_cache
from transformer_kit.model import load_model
from transformer_kit.one_sentence import watched
from transformer_kit.parameters import LayerCache, init_decoder_layer
from transformer_kit.sentences import prepare_sentence, written_sentence
from transformer_kit.trees import named_arrays
from transformer_kit.vocabulary import BOS, EOS, words_of

(
    encode, embed, positional_encoding, add_positions, softmax, scaled_dot_product_attention, causal_mask,
    padding_mask, masked_attention, split_heads, merge_heads, multi_head_attention, project_memory,
    cross_attention, position_wise_ffn, layer_norm, post_norm, pre_norm, encoder_layer, sequence_log_prob,
    greedy_decode, beam_search, apply_temperature, top_k_filter, top_p_filter, sample_token,
) = load(
    "encode", "embed", "positional_encoding", "add_positions", "softmax", "scaled_dot_product_attention",
    "causal_mask", "padding_mask", "masked_attention", "split_heads", "merge_heads", "multi_head_attention",
    "project_memory", "cross_attention", "position_wise_ffn", "layer_norm", "post_norm", "pre_norm",
    "encoder_layer", "sequence_log_prob", "greedy_decode", "beam_search", "apply_temperature",
    "top_k_filter", "top_p_filter", "sample_token",
)

# %% [markdown]
# ## The model that your functions will run
#
# Figure 1 of *Attention Is All You Need* (Vaswani et al. 2017) shows two stacks.
# The *encoder* reads the source once and leaves one vector for each of its words: the *memory*.
# The *decoder* writes the translation, word by word, and every one of its layers looks at that memory.
#
# `load_model` reads the weights of a small Transformer built like this one: two layers in each stack, 64 numbers for
# each word, 4 heads.

# %%
model = load_model()
arrays = named_arrays(model)
for name in [*list(arrays)[:8], *list(arrays)[26:32]]:
    print(f"{name:<38}{arrays[name].shape}")
print(f"... {len(arrays)} arrays with {sum(array.size for array in arrays.values()):,} numbers")

# %%
print(len(model.source_vocabulary), "English words:", *list(model.source_vocabulary)[:4], "...")
print(len(model.target_words), "Spanish words:", *model.target_words[300:310], "...")

# %% [markdown]
# It was trained on 200,000 sentence pairs that a small grammar has made.
# It knows this grammar and nothing else, and does it well:
# of 1000 sentences with word pairs that never stood together in training, such as *like* and *cats*, it translates 99.6 % acceptably.
# (The file `docs/model_card.md` of the course has all figures, and what the model cannot do.)
#
# In this notebook every array has an axis for the sentences of a batch, `B`, in front.
# Our first sentence is a batch of one:

# %%
sentence = "I like cats."
source_ids = encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]  # (1, n_source)
is_token = np.ones(source_ids.shape, dtype=bool)
target_ids = np.array([[BOS, *map(model.target_words.index, ["me", "gustan", "los", "gatos"])]])
print(prepare_sentence(sentence, model), source_ids)
print(words_of(target_ids[0], model.target_words), target_ids)

# %% [markdown]
# ## Layer by layer
#
# Before you build, test the material. `compare_layers` sends two sentences through the model on the functions that you hand over,
# and compares every part with what it should be.

# %%
mine = SimpleNamespace(
    embed=embed,
    positional_encoding=positional_encoding,
    add_positions=add_positions,
    causal_mask=causal_mask,
    padding_mask=padding_mask,
    split_heads=split_heads,
    merge_heads=merge_heads,
    multi_head_attention=multi_head_attention,
    cross_attention=cross_attention,
    position_wise_ffn=position_wise_ffn,
    layer_norm=layer_norm,
    encoder_layer=encoder_layer,
)
compare_layers(mine)

# %% [markdown]
# A difference below 0.001 passes. Another eps or another precision stays below it; real mistakes do not.
# Where your own function fails its check, the course's stands in. To see what yours does to the model, load it with
# `even_if_wrong`, as in `layer_norm = load("layer_norm", even_if_wrong=True)`, and run the cell above again.
#
# A Transformer forgives: with many mistakes it still translates every sentence rightly, as you will measure in the second half.
# **A right translation proves little.** The checks below compare numbers, too.
#
# ### Predict: which part differs first?
#
# Somebody counts positions from 1 instead of 0. Where does `compare_layers` see the first difference?
#
# - **A** in the input of the encoder
# - **B** in the attention of the first encoder layer
# - **C** in the logits

# %% answer="layer-by-layer"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("layer-by-layer", answer)


# %%
def from_one(seq_len, d_model, base=10000.0):
    """Count positions from 1."""
    return positional_encoding(seq_len + 1, d_model, base)[1:]


compare_layers(SimpleNamespace(**vars(mine) | {"positional_encoding": from_one}))

# %% [markdown]
# ## Exercise 9.1: decoder_layer
#
# *8 points, about 25 minutes, difficulty 3 of 5*
#
# A layer of the encoder has two sub-layers, one of the decoder has three.
# The new one, in the middle, is the only place where the target meets the source.
# With $\text{AddNorm}$ for your `post_norm`, and $M$ for the memory:
#
# $$X' = \text{AddNorm}_1\big(X,\ \text{MultiHead}(X, X)\big)$$
# $$X'' = \text{AddNorm}_2\big(X',\ \text{MultiHead}(X', M)\big)$$
# $$X''' = \text{AddNorm}_3\big(X'',\ \text{FFN}(X'')\big)$$
#
# ### Three sub-layers, each with its own norm
#
# - **Self-attention:** what has been written so far? Its parameters are `params.self_attention`.
# - **Attention to the source:** what does the source say about it? `params.cross_attention`.
# - **Feed-forward network**, with ReLU: each position works on what it has collected. `params.ffn`.
#
# Each stands inside a residual connection with a norm of its own: `norm_1`, `norm_2`, `norm_3`.
# As in `encoder_layer`, `norm_first` chooses between `post_norm` and `pre_norm`, and `eps` goes to all norms.
#
# ### The memory comes in from the side
#
# In the middle sub-layer the queries come from the target, keys and values from the memory.
# The memory is not part of the residual stream. It is never added and, with `norm_first`, never normed.
# Your `multi_head_attention` serves both times. (`cross_attention` of notebook 05 asks which words are real, and takes no mask.)
#
# ### Which mask goes where
#
# - `self_mask` hides later words of the target, and goes to the first sub-layer. It has a column for every word of the target.
# - `cross_mask` hides padding of the source, and goes to the second one. It has a column for every word of the source.
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n_target, d_model)` | vectors of the target |
# | `memory` | `(..., n_source, d_model)` | what the encoder returned |
# | `self_mask` | broadcastable to `(..., n_target, n_target)` | True = may attend |
# | `cross_mask` | broadcastable to `(..., n_target, n_source)` | True = may attend |
# | result | `(..., n_target, d_model)` | a new array |
#
# **By hand.** Let all three sub-layers say nothing: their last matrices are 0. Then post-norm norms three times, which is the same as once,
# so (1, 2, 3, 4) becomes -1.3416, -0.4472, 0.4472, 1.3416. Pre-norm adds nothing three times, and (1, 2, 3, 4) comes out.


# %% solution="decoder_layer"
def decoder_layer(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """Apply one layer of the decoder.

    Parameters
    ----------
    X : ndarray of shape (..., n_target, d_model)
    memory : ndarray of shape (..., n_source, d_model)
    params : DecoderLayerParams
        Its fields: self_attention, norm_1, cross_attention, norm_2, ffn, norm_3.
    n_heads : int
    self_mask, cross_mask : ndarray of bool, optional
        Broadcastable to (..., n_target, n_target) and to (..., n_target, n_source).
    norm_first : bool
        False: post-norm. True: pre-norm; the memory is not normed.
    eps : float

    Returns
    -------
    ndarray of shape (..., n_target, d_model)
    """
    ### BEGIN SOLUTION
    add_and_norm = pre_norm if norm_first else post_norm

    def attend_to_self(Z):
        return multi_head_attention(Z, Z, params.self_attention, n_heads, self_mask)[0]

    def attend_to_source(Z):
        return multi_head_attention(Z, memory, params.cross_attention, n_heads, cross_mask)[0]

    def feed_forward(Z):
        return position_wise_ffn(Z, params.ffn)

    X = add_and_norm(X, attend_to_self, *params.norm_1, eps)
    X = add_and_norm(X, attend_to_source, *params.norm_2, eps)
    return add_and_norm(X, feed_forward, *params.norm_3, eps)
    ### END SOLUTION


# %%
params = init_decoder_layer(np.random.default_rng(9), d_model=4, n_heads=2, d_ff=6)
silent = params._replace(
    self_attention=params.self_attention._replace(W_O=np.zeros((4, 4))),
    cross_attention=params.cross_attention._replace(W_O=np.zeros((4, 4))),
    ffn=params.ffn._replace(W_2=np.zeros((6, 4))),
)
token, memory = np.array([[1.0, 2.0, 3.0, 4.0]]), np.ones((3, 4))
with when_written():
    print("post-norm", decoder_layer(token, memory, silent, n_heads=2).round(4))
    print("pre-norm ", decoder_layer(token, memory, silent, n_heads=2, norm_first=True).round(4))

# %%
rng = np.random.default_rng(91)
plots.yours_and_target(
    decoder_layer,
    rng.standard_normal((5, 4)),
    rng.standard_normal((3, 4)),
    params,
    2,
    causal_mask(5),
    x_label="feature",
    y_label="position",
    alt="Five vectors after a decoder layer: every row has mean 0 and the same spread.",
)

# %% check="decoder_layer"
check(decoder_layer)

# %% [markdown]
# <details><summary>Hint 1: what is the same as in the encoder layer?</summary>
#
# Open your `encoder_layer` of notebook 07. Which of its two sub-layers can stay as it is?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# The attention to the source makes `(n_target, d_model)` out of queries of shape `(n_target, d_model)` and a memory of shape
# `(n_source, d_model)`. So it can be added to its input, whatever `n_source` is.
# `multi_head_attention` returns two results; a sub-layer returns the first.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Choose `post_norm` or `pre_norm` once, at the top.
# 2. Write each sub-layer as a small function of one array. The memory and the masks come from outside.
# 3. Pass X through the three, each with the gamma and beta of its norm, and with eps.
#
# </details>

# %% [markdown]
# ## Exercise 9.2: encode_source
#
# *8 points, about 20 minutes, difficulty 3 of 5*
#
# Now the whole encoder, from numbers of words to the memory.
#
# $$X_0 = \sqrt{d_\text{model}}\; E[\text{ids}] + P \qquad X_{l} = \text{EncoderLayer}_l(X_{l-1})$$
#
# ### The input of the first layer
#
# Look up the embeddings, multiply **them** by $\sqrt{d_\text{model}}$, and add the positions 0, 1, 2, ...
# Why the factor? The table has small entries, because it also makes the logits (next exercise).
# The positions go up to 1, and would drown the words.
#
# ### Layer after layer
#
# - `model.encoder` is a tuple with the parameters of one layer after the other. There may be any number of them, also none.
# - Each layer takes what the one before has made. `model.n_heads` says how many heads there are.
# - In a batch the shorter sentences are filled up. The padding has to be hidden from every layer; your `padding_mask` makes the mask.
# - The norm comes after the sum, which is the default of your `encoder_layer`.
#
# | name | shape | meaning |
# |---|---|---|
# | `source_ids` | `(B, n_source)` ints | with padding |
# | `source_is_token` | `(B, n_source)` bool | False where there is padding |
# | `model.source_embedding` | `(V_source, d_model)` | the table |
# | result | `(B, n_source, d_model)` | the memory |
#
# **By hand.** In a model of width 4, a sentence has the embeddings (0.5, -0.5, 0.25, 0) twice. Times 2: (1, -1, 0.5, 0).
# Position 0 is (0, 1, 0, 1), position 1 is (0.8415, 0.5403, 0.0100, 1.0000).
# So the first layer gets (1, 0, 0.5, 1) and (1.8415, -0.4597, 0.5100, 1.0000).


# %% solution="encode_source"
def encode_source(source_ids, source_is_token, model):
    """Run the encoder.

    Parameters
    ----------
    source_ids : ndarray of shape (B, n_source), int
    source_is_token : ndarray of shape (B, n_source), bool
    model : Model
        Its fields: source_embedding, encoder, n_heads, ...

    Returns
    -------
    ndarray of shape (B, n_source, d_model)
    """
    ### BEGIN SOLUTION
    E = model.source_embedding
    X = embed(source_ids, E) * E.shape[-1] ** 0.5
    n, d_model = X.shape[-2:]
    X = add_positions(X, positional_encoding(n, d_model).astype(X.dtype))  # the table alone has double precision
    mask = padding_mask(source_is_token)
    for params in model.encoder:
        X = encoder_layer(X, params, model.n_heads, mask)
    return X
    ### END SOLUTION


# %%
two_words = model._replace(source_embedding=np.array([[0.5, -0.5, 0.25, 0.0]]), encoder=())
with when_written():
    print(encode_source(np.array([[0, 0]]), np.array([[True, True]]), two_words).round(4))

# %%
plots.yours_and_target(
    encode_source,
    source_ids,
    is_token,
    model,
    draw=lambda memory: plots.heatmap(memory[0], ["I", "like", "cats", "."], x_label="feature"),
    title="The memory of “I like cats.”",
    alt="Four rows of 64 numbers, one for each word and one for the full stop.",
)

# %% check="encode_source"
check(encode_source)

# %% [markdown]
# <details><summary>Hint 1: what comes before the loop, what is inside, what comes after it?</summary>
#
# Lookup, factor and positions happen once. Which line is repeated for every layer? And what is left to do at the end?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# From the ids `(B, n)` to vectors `(B, n, d_model)`, and then nothing changes any more.
# `positional_encoding` wants `n` and `d_model`: both stand in the shape of the vectors. The mask has shape `(B, 1, n)`.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Look the ids up in the source's table, and multiply by the root of the table's width.
# 2. Add the first n rows of the table of positions.
# 3. Make the mask. Then, for every layer of the encoder, replace the vectors by what the layer makes of them.
# 4. Return the vectors.
#
# </details>

# %% [markdown]
# ## Exercise 9.3: decode_target
#
# *8 points, about 20 minutes, difficulty 3 of 5*
#
# The decoder gets the beginning of a translation, and says for **every** position which word could come next.
#
# $$Y_0 = \sqrt{d_\text{model}}\; E[\text{ids}] + P \qquad Y_{l} = \text{DecoderLayer}_l(Y_{l-1}, M) \qquad
# \text{logits} = Y_L W$$
#
# ### The decoder's stack
#
# It begins as the encoder does, with `model.target_embedding`.
# Every layer of `model.decoder` gets the vectors of the layer before, and all of them get **the same memory**.
# Each needs two masks: no position may see a later one, and no padding of the source may be seen.
#
# ### From vectors to logits
#
# A logit for every word of the vocabulary needs a matrix $W$ of shape `(d_model, V)`.
# If `model.output_projection` is an array, that is the matrix.
# If it is None, the table of embeddings serves a second time, transposed: $W = E^\top$.
# Then the logit of a word is the dot product of the decoder's vector with the word's own embedding.
# The paper does this (section 3.4), and so does our model. There is no factor and no softmax.
#
# | name | shape | meaning |
# |---|---|---|
# | `target_ids` | `(B, n_target)` ints | every row begins with `<bos>` |
# | `memory` | `(B, n_source, d_model)` | from `encode_source` |
# | result | `(B, n_target, V)` | logits; row t is for the word after position t |
#
# **By hand.** A model without layers, of width 4, has two words: (0.5, -0.5, 0.25, 0) and (1, 0, 0, 0).
# The first one, at position 0, enters as (1, 0, 0.5, 1), as before. Its logits are the dot products with the two rows:
# 0.5 + 0.125 = 0.625, and 1.


# %% solution="decode_target"
def decode_target(target_ids, memory, source_is_token, model):
    """Run the decoder.

    Parameters
    ----------
    target_ids : ndarray of shape (B, n_target), int
        Every row begins with the start symbol.
    memory : ndarray of shape (B, n_source, d_model)
    source_is_token : ndarray of shape (B, n_source), bool
    model : Model
        Its fields: target_embedding, decoder, output_projection, n_heads, ...

    Returns
    -------
    ndarray of shape (B, n_target, V)
        Logits.
    """
    ### BEGIN SOLUTION
    E = model.target_embedding
    X = embed(target_ids, E) * E.shape[-1] ** 0.5
    n, d_model = X.shape[-2:]
    X = add_positions(X, positional_encoding(n, d_model).astype(X.dtype))
    self_mask, cross_mask = causal_mask(n), padding_mask(source_is_token)
    for params in model.decoder:
        X = decoder_layer(X, memory, params, model.n_heads, self_mask, cross_mask)
    return X @ (E.T if model.output_projection is None else model.output_projection)
    ### END SOLUTION


# %%
no_layers = model._replace(target_embedding=np.array([[0.5, -0.5, 0.25, 0.0], [1, 0, 0, 0]]), decoder=())
with when_written():
    print(decode_target(np.array([[0]]), np.zeros((1, 3, 4)), np.ones((1, 3), bool), no_layers))

# %%
with when_written():
    logits = decode_target(target_ids, encode_source(source_ids, is_token, model), is_token, model)
    read = words_of(target_ids[0], model.target_words)
    for word, probabilities in zip(read, softmax(logits[0]), strict=True):
        best = np.argsort(-probabilities)[:3]
        print(f"{word:<8}", *(f"{model.target_words[i]} {probabilities[i]:.2f}" for i in best), sep="  ")

# %% [markdown]
# One pass, five predictions: after each word the three likeliest words to come next.
# All positions are predicted at once, since none of them sees what comes later. In training (notebook 10) that is what makes Transformers fast.

# %% check="decode_target"
check(decode_target)

# %% [markdown]
# <details><summary>Hint 1: what differs from encode_source?</summary>
#
# The table, the layers, the masks, and one step at the end. The first three lines are nearly the same.
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# The two masks have the shapes `(n_target, n_target)` and `(B, 1, n_source)`.
# `(B, n_target, d_model)` times `(d_model, V)` gives `(B, n_target, V)`. Which way round does the table of embeddings lie?
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Embeddings, factor and positions, as in the encoder, with the target's table.
# 2. Make both masks, once.
# 3. For every layer of the decoder, replace the vectors by what your `decoder_layer` makes of them and of the memory.
# 4. Multiply by the model's output matrix if it has one, otherwise by the target's table, transposed.
#
# </details>

# %% [markdown]
# ## Exercise 9.4: translate
#
# *8 points, about 25 minutes, difficulty 4 of 5*
#
# A sentence in, a sentence out. Everything that you need is written; what is missing is how it hangs together.
#
# $$\text{text} \to \text{ids} \to \text{memory} \to \text{search} \to \text{ids} \to \text{text}$$
#
# ### From text to numbers and back
#
# - `prepare_sentence(sentence, model)` turns what people type into words that the model knows: "I don't like cats" becomes "i do not like cats ."
#   An unknown word, a sentence that is too long, or one without words is refused with a `ValueError` that says why. Let it pass.
# - Your `encode` makes ids of it, with `model.source_vocabulary`. Nothing is put in front or behind.
# - `written_sentence(ids, model)` makes a Spanish sentence of ids, without the special ones.
#
# ### The model as a function of prefixes
#
# Your `greedy_decode` and `beam_search` of notebook 08 ask a function `next_log_probs(prefixes)`, from `(k, t)` ids to `(k, V)`
# log-probabilities. So define such a function *inside* `translate`, where the memory is known:
#
# - The source is encoded once, before the search. The decoder runs at every step.
# - There are `k` prefixes and one source: repeat the memory and its mask `k` times along the first axis.
# - What comes next stands in the logits of the **last** position.
# - Logits are not log-probabilities. $\log p_v = z_v - \log \sum_u e^{z_u}$, stable after the maximum is subtracted.
#
# `BOS` and `EOS` are the ids of the start and the end symbol, and `model.max_len` limits the length.
# A `beam_width` of 1 means greedy search. Otherwise take the best hypothesis of the beam.
#
# | name | shape | meaning |
# |---|---|---|
# | `sentence` | a text | English |
# | memory | `(1, n_source, d_model)` | one source |
# | `prefixes` | `(k, t)` ints | rows begin with `BOS` |
# | `next_log_probs(prefixes)` | `(k, V)` | for the next word |
# | result | a text | Spanish |
#
# **By hand.** For logits (0, ln 3) the exponentials are 1 and 3, their sum is 4. So the log-probabilities are ln 1/4 = -1.3863
# and ln 3/4 = -0.2877.


# %% solution="translate"
def translate(sentence, model, beam_width=1, alpha=0.0):
    """Translate an English sentence into Spanish.

    Parameters
    ----------
    sentence : str
    model : Model
    beam_width : int
        1 for greedy decoding.
    alpha : float
        Length penalty of the beam search.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        From `prepare_sentence`, if the model cannot take the sentence.
    """
    ### BEGIN SOLUTION
    source_ids = encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]  # (1, n_source)
    is_token = np.ones(source_ids.shape, dtype=bool)
    memory = encode_source(source_ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        memories, masks = np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0)
        logits = decode_target(prefixes, memories, masks, model)[:, -1]  # (k, V)
        shifted = logits - logits.max(axis=-1, keepdims=True)
        return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))

    if beam_width == 1:
        token_ids = greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        token_ids = beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0][1]
    return written_sentence(token_ids, model)
    ### END SOLUTION


# %%
with when_written():
    for english in (sentence, "The red car is new.", "Does she have to open the small door?"):
        print(f"{english}  →  {translate(english, model)}")

# %% check="translate"
check(translate)

# %% [markdown]
# <details><summary>Hint 1: what is known before the first Spanish word is chosen?</summary>
#
# The sentence, its ids, its memory. All of that is computed once. What is left for `next_log_probs`?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `encode` returns `(n_source,)`; a batch of one has `(1, n_source)`. With a beam of 3 the decoder gets prefixes `(3, t)` and needs a memory
# `(3, n_source, d_model)`. Its logits are `(3, t, V)`, and the search wants `(3, V)`.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Prepare the sentence, encode it, make it a batch of one; all of it is tokens. Run the encoder.
# 2. Define the inner function: repeat memory and mask for every prefix, run the decoder, keep the last position,
#    make log-probabilities.
# 3. With a beam of 1 call your greedy search, otherwise your beam search, and take the ids of the first hypothesis.
# 4. Return the written sentence.
#
# </details>

# %% [markdown]
# ## Your own sentence
#
# Type a sentence. From the ids of its words to the ids of the translation, all is code that you wrote.
#
# Keep to the grammar: short sentences about people, animals and things, in the present.
# `print(*model.source_vocabulary)` shows the words. Other sentences of these words get a translation, too, and it may be nonsense.

# %%
my_sentence = "My sister wants to eat the apples."

# %%
with when_written():
    try:
        print(translate(my_sentence, model))
        seen = watched(my_sentence, model, mine)
        weights = seen.parts["decoder.1.cross_attention.weights"][0].mean(axis=0)
        look = "A row for each Spanish word that is written, a column for each English one."
        display(plots.attention_maps(weights, seen.written, seen.source, title="Cross-attention", alt=look))
    except ValueError as refusal:
        print(refusal)

# %% [markdown]
# The map shows where the decoder's last layer looks while it writes each word. More of that below.
# What the model cannot take is refused, in words:

# %%
with when_written():
    for typed in ("I like libary books.", "", "I like " + "big " * 20 + "cats."):
        try:
            print(translate(typed, model))
        except ValueError as refusal:
            print(refusal)

# %% [markdown]
# ## Exercise 9.5: count_transformer_parameters
#
# *4 points, about 10 minutes, difficulty 2 of 5*
#
# How large is a Transformer? Count the numbers that it learns.
#
# ### One table for three purposes
#
# The paper's model has a single vocabulary for both languages, and one table of embeddings: for the source, for the target, and, transposed, for the
# logits. (Ours has a table for each language.) The positions are computed, not learned.
#
# ### What a layer holds
#
# - **Attention:** four matrices, $d_\text{model} \times d_\text{model}$ in all heads together, no biases.
# - **Feed-forward network:** two matrices and two biases.
# - **Norm:** $\gamma$ and $\beta$.
#
# A layer of the encoder has one attention and two norms, one of the decoder two attentions and three norms. There are `n_layers` of each.
#
# | name | shape | meaning |
# |---|---|---|
# | `vocab_size`, `d_model`, `d_ff` | ints | sizes |
# | `n_layers` | an int | in each of the two stacks |
# | result | an int | a Python number |
#
# **By hand.** 10 words, width 4, `d_ff` 6, one layer each. The table has 40 numbers, an attention 64, a network 24 + 6 + 24 + 4 = 58, a norm 8.
# The encoder's layer has 64 + 58 + 16 = 138, the decoder's 128 + 58 + 24 = 210. Together 388.


# %% solution="count_transformer_parameters"
def count_transformer_parameters(vocab_size, d_model, d_ff, n_layers):
    """Count the parameters of a Transformer with one table for source, target and output.

    Parameters
    ----------
    vocab_size, d_model, d_ff : int
    n_layers : int
        Of the encoder, and as many of the decoder.

    Returns
    -------
    int
    """
    ### BEGIN SOLUTION
    attention = 4 * d_model**2
    ffn = 2 * d_model * d_ff + d_ff + d_model
    norm = 2 * d_model
    encoder = attention + ffn + 2 * norm
    decoder = 2 * attention + ffn + 3 * norm
    return vocab_size * d_model + n_layers * (encoder + decoder)
    ### END SOLUTION


# %%
with when_written():
    print(count_transformer_parameters(10, 4, 6, 1), "by hand: 388")
    two_tables = count_transformer_parameters(len(model.target_words), 64, 128, 2) + model.source_embedding.size
    print(f"{two_tables:,} in our model, and its arrays hold {sum(array.size for array in arrays.values()):,}")

# %% check="count_transformer_parameters"
check(count_transformer_parameters)

# %% [markdown]
# <details><summary>Hint 1: which parts come how often?</summary>
#
# Make a list: attention, network, norm, and next to each how many a layer of the encoder has, and one of the decoder.
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# The network's matrices are `(d_model, d_ff)` and `(d_ff, d_model)`, its biases `(d_ff,)` and `(d_model,)`.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Count one attention, one network, one norm.
# 2. Add them up for a layer of the encoder and for one of the decoder.
# 3. Multiply the sum of both by the number of layers, and add the table once.
#
# </details>

# %% [markdown]
# ### Predict: where are the parameters?
#
# The paper's *base* model has about 37,000 words, width 512, `d_ff` 2048 and 6 layers in each stack.
# Which part holds about 30 % of its numbers?
#
# - **A** the decoder
# - **B** the table of embeddings
# - **C** the feed-forward networks

# %% answer="where-parameters-are"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("where-parameters-are", answer)

# %%
sizes = {"base": (37000, 512, 2048, 6), "big": (37000, 1024, 4096, 6)}
thirds = "Base model: table 30 %, attention and norms 30 %, networks 40 %. In the big one the table has less."
with when_written():
    shares = {}
    for name, (V, d_model, d_ff, n_layers) in sizes.items():
        total = count_transformer_parameters(V, d_model, d_ff, n_layers)
        table = count_transformer_parameters(V, d_model, d_ff, 0)
        without_networks = count_transformer_parameters(0, d_model, 0, n_layers)
        print(f"{name}: {total:,}")
        shares[name] = np.array([table, without_networks, total - table - without_networks]) / total
    display(plots.bars(shares, ["table", "attention and norms", "networks"], y_label="share", alt=thirds))

# %% [markdown]
# The paper gives 65 and 213 million (its table 3), for "about 37000" tokens. You count 63.0 and 214.2 million for exactly 37,000.
#
# ## Exercise 9.6: cached_decode_step
#
# *4 points, about 20 minutes, difficulty 4 of 5*
#
# At every step `translate` sends the whole prefix through the decoder again. But earlier positions never see later ones,
# so their vectors, and the keys and values made of them, stay what they were. Keep them, and only the newest token is left to compute.
#
# ### What the cache holds
#
# Every layer of the decoder has a `LayerCache` with four arrays:
#
# | field | shape | of what |
# |---|---|---|
# | `K`, `V` | `(B, n_heads, n_before, d_k)` | the target's tokens before this one |
# | `K_source`, `V_source` | `(B, n_heads, n_source, d_k)` | the memory, the same at every step |
#
# `start_cache` makes them before the first token, with your `project_memory`: the source is projected once, and `n_before` is 0.
#
# ### Which position is this?
#
# The token comes alone, but it has a place. How many stand before it? The cache knows.
#
# ### One token through all layers
#
# As in `decode_target`, for vectors of shape `(B, 1, d_model)`, in post-norm:
#
# $$q = x W_Q \qquad K \leftarrow [K;\, x W_K] \qquad V \leftarrow [V;\, x W_V] \qquad \text{heads} = \text{Attention}(q, K, V)$$
#
# - The new token may see all tokens so far, and itself: no causal mask is needed.
# - Then it asks the source, with the kept keys and values, and with the padding hidden.
#   A mask for arrays with an axis of heads needs one, too: `(B, 1, 1, n_source)`.
# - Each attention ends with its `W_O`, a sum and a norm. The network follows.
#
# Return logits of shape `(B, V)` and the new cache, a tuple with one `LayerCache` per layer. The old cache stays as it was.
#
# **By hand.** Before the first token `K` has shape `(1, 4, 0, 16)` in our model, after it `(1, 4, 1, 16)`, after "me gustan" `(1, 4, 3, 16)`.


# %% solution="cached_decode_step"
def cached_decode_step(token_ids, cache, source_is_token, model):
    """Run the decoder for one more token of every sequence.

    Parameters
    ----------
    token_ids : ndarray of shape (B,), int
        The newest token of every sequence.
    cache : tuple of LayerCache
        One per layer of the decoder; its fields are K, V, K_source, V_source.
    source_is_token : ndarray of shape (B, n_source), bool
    model : Model

    Returns
    -------
    logits : ndarray of shape (B, V)
        For the token that comes next.
    cache : tuple of LayerCache
        With the new token's keys and values at the end.
    """
    ### BEGIN SOLUTION
    E, H = model.target_embedding, model.n_heads
    n_before, d_model = cache[0].K.shape[-2], E.shape[-1]
    X = embed(token_ids[:, None], E) * d_model**0.5  # (B, 1, d_model)
    X = X + positional_encoding(n_before + 1, d_model)[-1].astype(X.dtype)
    mask = padding_mask(source_is_token)[:, None]  # (B, 1, 1, n_source): for all heads
    extended = []
    for params, old in zip(model.decoder, cache, strict=True):
        own, cross = params.self_attention, params.cross_attention
        K, V = project_memory(X, own, H)  # of the new token: (B, H, 1, d_k)
        K, V = np.concatenate([old.K, K], axis=-2), np.concatenate([old.V, V], axis=-2)
        heads, _ = scaled_dot_product_attention(split_heads(X @ own.W_Q, H), K, V)
        X = layer_norm(X + merge_heads(heads) @ own.W_O, *params.norm_1)
        heads, _ = masked_attention(split_heads(X @ cross.W_Q, H), old.K_source, old.V_source, mask)
        X = layer_norm(X + merge_heads(heads) @ cross.W_O, *params.norm_2)
        X = layer_norm(X + position_wise_ffn(X, params.ffn), *params.norm_3)
        extended.append(LayerCache(K, V, old.K_source, old.V_source))
    output = E.T if model.output_projection is None else model.output_projection
    return (X @ output)[:, 0], tuple(extended)
    ### END SOLUTION


# %%
with when_written():
    memory = encode_source(source_ids, is_token, model)
    whole = decode_target(target_ids, memory, is_token, model)
    cache = start_cache(memory, model, project_memory)
    for t, newest in enumerate(target_ids.T):
        logits, cache = cached_decode_step(newest, cache, is_token, model)
        print(t, "keys", cache[0].K.shape, "largest difference", f"{np.abs(logits - whole[:, t]).max():.1e}")

# %% check="cached_decode_step"
check(cached_decode_step)

# %% [markdown]
# <details><summary>Hint 1: what is left of decode_target when there is one position?</summary>
#
# Go through it line by line. Which lines need the other positions, and what of those positions do they need?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Give the tokens an axis first: `(B,)` becomes `(B, 1)`, so the vectors are `(B, 1, d_model)`, and after `split_heads` `(B, n_heads, 1, d_k)`.
# Your `project_memory` makes keys and values of any vectors with the parameters of any attention.
# Put the new ones behind the old ones along the axis of positions, the last but one.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Look up, scale, and add the one row of the positions whose number is the length of the cache.
# 2. In every layer: project queries, keys and values; extend keys and values; attend; merge the heads, multiply by W_O, add, norm.
# 3. Project queries for the source, attend to the kept keys and values with the mask; merge, W_O, add, norm.
# 4. Network, add, norm. Keep the layer's extended cache.
# 5. At the end multiply by the output matrix, as in `decode_target`, and drop the axis of length 1.
#
# </details>

# %% [markdown]
# The same numbers, up to rounding, with much less work. How much less, you will count below.

# %% [markdown]
# ## Your functions at work
#
# From here on nothing is graded. A trained Transformer runs on your own code, so you can open it.
# `watched`, `Trial` and `writer` put the layers together from the functions in `mine`, those of notebooks 00 to 07.
# Cells that translate many sentences take some seconds.

# %%
from transformer_kit import ablations, corpus
from transformer_kit.examples.english import PREDICATES, SUBJECTS, VERBS_TO_LEARN, VERBS_TO_TEST, about, one_and_many
from transformer_kit.language_model import load_language_model
from transformer_kit.multiplications import count_multiplications
from transformer_kit.one_sentence import log_softmax, sampled, sentence_vectors, translator, writer

# %% [markdown]
# ## What the decoder looks at
#
# `watched` translates a sentence with your functions and keeps everything on the way.
# Here is the cross-attention of the last decoder layer, in per cent, averaged over the heads.
# Each row is a word that the decoder is about to write.

# %%
crossing = "Every Spanish word looks at its own English word; coche and rojo cross over red and car."
car = watched("The red car is new.", model, mine)
last = car.parts["decoder.1.cross_attention.weights"][0]
plots.attention_maps(last.mean(axis=0), car.written, car.source, title="Last layer", alt=crossing)

# %% [markdown]
# An alignment, and *coche* and *rojo* cross. Nobody has given the model one: it was trained on sentence pairs, and never saw *red* with *car*.
# Now a sentence that Spanish builds in another way:

# %%
shared = "The row me looks at I and at like, gustan half at like and a quarter at cats, gatos at cats."
cats = watched("I like cats.", model, mine)
maps = cats.parts["decoder.1.cross_attention.weights"][0]
plots.attention_maps(maps.mean(axis=0), cats.written, cats.source, title="Last layer", alt=shared)

# %% [markdown]
# Word by word, this says "to me are pleasing the cats". So *me* needs both *I* and *like*.
# One head looks at *cats* for *gustan*: it would be *gusta* for a single cat.
# And *los* has no English word at all: its row is spread.
#
# ### One head for the gender
#
# The mean hides that heads differ. An article has to know its noun: *el coche*, but *la mesa*.

# %%
four = "In head 2 the row el looks at car; in the other three it looks at the."
plots.attention_maps(last, car.written, car.source, title="Last layer, head by head", alt=four)

# %% [markdown]
# For *el*, three heads look at *the*. Head 2 looks at *car*, whose Spanish word is not written yet.
# An adjective has to agree, too, with a noun before it. So look at self-attention in the decoder.
# Each row is now a word that it has just read.

# %%
triangle = "Nothing above the diagonal. In head 0 rojo looks at coche; most other rows look at themselves or at bos."
own = car.parts["decoder.0.self_attention.weights"][0]
plots.attention_maps(own, car.read, car.read, title="Causal self-attention, first layer", alt=triangle)

# %% [markdown]
# Triangles: your `causal_mask` at work. In head 0 *rojo* looks at *coche*.
# Many rows look at `<bos>`: a softmax has to put its weight somewhere.
# One sentence proves nothing: count.

# %%
nouns = ["cat", "dog", "book", "table", "house", "shirt", "apple", "chair", "door", "hat", "key", "bird"]
article = adjective = 0
for noun in nouns:
    one = watched(f"The white {noun} is new.", model, mine)
    crossed = one.parts["decoder.1.cross_attention.weights"][0, 2]
    article += one.source[crossed[0].argmax()] == noun  # row 0 writes the article
    looked_back = one.parts["decoder.0.self_attention.weights"][0, 0]
    adjective += looked_back[3].argmax() == 2  # row 3 has read the adjective, column 2 is the noun
print(f"head 2: the article looks at its noun in {article} of {len(nouns)} sentences")
print(f"head 0: the adjective looks at its noun in {adjective} of {len(nouns)}")

# %% [markdown]
# ### Not every map is a picture of something
#
# We chose the last layer because it reads well. Here is the first:

# %%
diffuse = "In the first layer most rows are spread over several words."
layers = [car.parts[f"decoder.{i}.cross_attention.weights"][0].mean(axis=0) for i in (0, 1)]
for name, weights in zip(("first", "last"), layers, strict=True):
    print(f"{name} layer: the largest weight of a row is {weights.max(axis=1).mean():.2f} on average")
plots.attention_maps(layers, car.written, car.source, names=["first layer", "last layer"], alt=diffuse)

# %% [markdown]
# The first layer is diffuse, and yet needed, as you will see when we switch off its heads.
# Weights say where a layer looked, not why the model decided as it did.
# And which head does what is an accident of this training.

# %% [markdown]
# ## Greedy, beam and sampling, on real distributions
#
# `translator` makes a function `next_log_probs` out of your `encode_source` and `decode_target`.
# English *they* may be men or women. These are the likeliest first words for "They like cats.":

# %%
two = "The words a and les are nearly equally likely; all others are rare."
with when_written():
    they = translator("They like cats.", model, encode_source, decode_target)
    first = np.exp(they(np.array([[BOS]]))[0])
    best = np.argsort(-first)[:5]
    display(plots.bars(first[best], [model.target_words[i] for i in best], y_label="probability", alt=two))

# %% [markdown]
# ### Predict: which translation is likelier?
#
# Three translations are right: *Les gustan los gatos*, *A ellos les gustan los gatos* and *A ellas les gustan los gatos*.
# The likeliest first word is *a*. Which sentence has the highest probability?
#
# - **A** one of the two that begin with *a*
# - **B** *Les gustan los gatos*
# - **C** all three have about the same

# %% answer="they-like"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("they-like", answer)

# %%
with when_written():
    they = translator("They like cats.", model, encode_source, decode_target)
    greedy = greedy_decode(they, BOS, EOS, model.max_len)
    _, beam = beam_search(they, BOS, EOS, 4, model.max_len)[0]
    for name, ids in [("greedy", greedy), ("beam of 4", beam)]:
        print(f"{name}: {written_sentence(ids, model)} {np.exp(sequence_log_prob(they, BOS, ids)):.3f}")

# %% [markdown]
# The best first word was not the beginning of the best sentence: notebook 08's toy, in a real model.
#
# ### What the truth is
#
# Usually nobody knows the true probabilities of translations. Here the data came from a grammar, which can be asked.

# %%
three = "Without label smoothing the three right sentences share nearly everything; with it they have about 0.6 together."
right = corpus.translations(("they", "like", "cats", "."))
with when_written():
    shares = {"grammar": [*right.values(), 0.0]}
    for name in ("smoothed", "unsmoothed"):
        asked = translator("They like cats.", load_model(name), encode_source, decode_target)
        ids = [[*map(model.target_words.index, words), EOS] for words in right]
        found = [np.exp(sequence_log_prob(asked, BOS, one)) for one in ids]
        shares[name] = [*found, 1 - sum(found)]
    names = ["les", "a ellos les", "a ellas les", "all others"]
    display(plots.bars(shares, names, x_label="first words", y_label="probability", alt=three))

# %% [markdown]
# Look at the last group. Label smoothing (notebook 10) teaches a model never to be quite sure.
# At every step a little probability is left for each of the 634 tokens, nearly all of them wrong, and over a sentence that adds up.
# Greedy search and beams do not notice this tail. Sampling does:


# %%
def chooser(temperature=1.0, keep=lambda log_probs: log_probs):
    """Filter, temperature, draw: your functions of notebook 08."""
    rng = np.random.default_rng(9)
    return lambda log_probs: sample_token(apply_temperature(keep(log_probs), temperature), rng.random())


ways = {
    "T = 0.5": (0.5,),
    "T = 1": (1.0,),
    "T = 1.5": (1.5,),
    "top-k, k = 3": (1.0, lambda log_probs: top_k_filter(log_probs, 3)),
    "top-p, p = 0.9": (1.0, lambda log_probs: top_p_filter(log_probs, 0.9)),
}

# %%
tail = "At temperature 1 the smoothed model is right in about six of ten draws, at 1.5 hardly ever; both filters help."
with when_written():
    shares = {}
    for name in ("smoothed", "unsmoothed"):
        asked = translator("They like cats.", load_model(name), encode_source, decode_target)
        draws = [sampled(asked, chooser(*options), 300, 12, model.target_words) for options in ways.values()]
        shares[name] = [np.mean([words in right for words in drawn]) for drawn in draws]
    display(plots.bars(shares, list(ways), y_label="share of right translations", alt=tail))

# %% [markdown]
# Cut the tail off, by `top_k_filter`, `top_p_filter` or a low temperature, and nearly all draws are right.

# %% [markdown]
# ## Take a part out
#
# An *ablation* takes one part out and measures what is missing; the weights stay as they are.
# `Trial` translates 60 held-out sentences, counts how many results the grammar accepts,
# and compares the logits with those of the whole model.
#
# ### Predict: without the scale
#
# We leave out the division by $\sqrt{d_k} = 4$ in every attention. How many of the 60 translations stay acceptable?
#
# - **A** nearly none: all weights are wrong
# - **B** about half
# - **C** nearly all

# %% answer="without-scale"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("without-scale", answer)

# %% [markdown]
# ### Predict: without the causal mask
#
# We leave out the causal mask. The newest word has no later ones to look at anyway. What happens?
#
# - **A** nothing: at the end of a prefix there is nothing to hide
# - **B** some translations go wrong
# - **C** the translations get better, as every word sees more

# %% answer="without-causal-mask"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("without-causal-mask", answer)

# %%
changes = {
    "nothing changed": mine,
    "no positions": ablations.replaced(mine, add_positions=lambda X, P: X),
    "no causal mask": ablations.replaced(mine, causal_mask=lambda n: np.ones((n, n), dtype=bool)),
    "no scale": ablations.without_scale(mine),
    "mask after softmax": ablations.with_late_mask(mine),
}
trial = ablations.Trial(model, 60)
for name, functions in changes.items():
    share, difference = trial.effect(functions)
    print(f"{name:20} acceptable {share:4.0%}   largest difference of a logit {difference:8.4f}")

# %% [markdown]
# Read the last two lines again. Without the scale, or with the mask in the wrong place, hardly a sentence changes,
# and logits are off by whole units. **Right translations prove little.**
#
# Without the causal mask the words before the newest one see later ones,
# and become vectors that the second layer has never met. Without positions a sentence is a bag of words, sometimes enough.
#
# ### Every head in turn
#
# Six attentions with four heads each: what remains when one of the 24 is silent.

# %%
silent = "Single heads of the encoder and of self-attention are hardly missed, those of cross-attention are."
places = [f"encoder.{i}.attention" for i in (0, 1)]
places += [f"decoder.{i}.{kind}_attention" for kind in ("self", "cross") for i in (0, 1)]
silenced = [[ablations.without_head(model, place, head) for head in range(4)] for place in places]
shares = [[100 * trial.effect(mine, one).acceptable for one in row] for row in silenced]
plots.heatmap(np.round(shares), places, range(4), x_label="silent head", title="Acceptable, in %", alt=silent)

# %% [markdown]
# Most heads can go, one at a time. Cross-attention needs its heads most, the diffuse first layer included.
# Michel et al. (2019) found the same in a large translation model.

# %% [markdown]
# ## What the cache saves
#
# `count_multiplications` counts every multiplication with an entry of a weight matrix.
#
# ### Predict: twenty words
#
# A translation of 20 words is written step by step, once with `decode_target` on the whole prefix and once with the cache.
# How many times as many multiplications does the first way need?
#
# - **A** about 2 times
# - **B** about 10 times
# - **C** about 400 times

# %% answer="cached-steps"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("cached-steps", answer)

# %%
flat = "Without the cache the count of a step rises along a straight line; with it, it stays the same."
with when_written():
    source, real, ids = np.array([[5, 8, 13, 21, 34, 4]]), np.ones((1, 6), dtype=bool), np.arange(4, 24)[None]
    memory = encode_source(source, real, model)
    kept, whole, cached = start_cache(memory, model, project_memory), [], []
    for t in range(20):
        whole.append(count_multiplications(decode_target, ids[:, : t + 1], memory, real, model)[0])
        count, (_, kept) = count_multiplications(cached_decode_step, ids[:, t], kept, real, model)
        cached.append(count)
    print(f"20 steps: {sum(whole):,} and {sum(cached):,}, {sum(whole) / sum(cached):.1f} times as many")
    lines = {"whole prefix": np.array(whole) / 1e6, "with cache": np.array(cached) / 1e6}
    axes = {"x_label": "length of the prefix", "y_label": "millions of multiplications"}
    display(plots.curves(np.arange(1, 21), lines, alt=flat, **axes))

# %% [markdown]
# A step on the whole prefix costs in proportion to its length, so a sentence costs in proportion to the square of its length.
# With the cache it is linear. Not counted are the products of queries and keys: with the cache, too, they grow from step to step,
# but they are few as long as sentences are short.

# %% [markdown]
# ## Only the encoder: a model that reads
#
# The encoder alone turns a sentence into vectors. Their mean over the tokens is one vector for the sentence.
# Here are those of 20 sentences, five subjects with four predicates, in the plane in which
# they differ most (the first two directions of a singular value decomposition).


# %%
def encoder(ids, is_token):
    """Read with your encoder."""
    return encode_source(ids, is_token, model)


def bare(ids, is_token):
    """Only look the words up."""
    return embed(ids, model.source_embedding)


# %%
families = "Four stripes side by side, one for each predicate; along each the subjects come in about the same order."
with when_written():
    sentences = [sentence for predicate in PREDICATES for sentence in about(predicate)]
    vectors = sentence_vectors(sentences, model, encoder)  # (20, 64)
    U, s, _ = np.linalg.svd(vectors - vectors.mean(axis=0), full_matrices=False)
    groups = dict(zip(PREDICATES, (U * s)[:, :2].reshape(4, 5, 2), strict=True))
    display(plots.points(groups, SUBJECTS, x_label="first direction", y_label="second direction", alt=families))
    print(f"the plane holds {(s[:2] ** 2).sum() / (s**2).sum():.0%} of the variance")
    directions = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    nearest = (directions @ directions.T - 2 * np.eye(20)).argmax(axis=1)  # not the sentence itself
    same = (nearest // 5 == np.arange(20) // 5).sum()
    print(f"the nearest sentence says the same of somebody else: {same} of 20; by chance {20 * 4 / 19:.1f}")

# %% [markdown]
# Every predicate has its stripe, and along every stripe the subjects come in about the same order.
# To be fair: these sentences share words, so bare embeddings would be neighbours, too. Here is something that those cannot do.
#
# ### Predict: who is many?
#
# "The cat can see the dogs" and "The dogs can see the cat" have the same words. Is the subject plural?
# We fit a linear read-out (ridge regression) to vectors of sentences with some verbs, and try it on other verbs.
# How often is it right, with means of bare embeddings and with means of what the encoder returns?
#
# - **A** both about 50 %: a mean forgets the order
# - **B** about 50 % and far above
# - **C** both far above 50 %

# %% answer="who-is-many"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("who-is-many", answer)

# %%
(learned, y), (unseen, expected) = one_and_many(VERBS_TO_LEARN), one_and_many(VERBS_TO_TEST)
print(*learned[:2], f"{len(learned)} sentences to fit, {len(unseen)} to try")
with when_written():
    for name, read in {"bare embeddings": bare, "encoder": encoder}.items():
        X, X_unseen = (sentence_vectors(sentences, model, read) for sentences in (learned, unseen))
        X, X_unseen = (np.column_stack([vectors, np.ones(len(vectors))]) for vectors in (X, X_unseen))  # and a constant
        w = np.linalg.solve(X.T @ X + np.eye(65), X.T @ np.where(y, 1.0, -1.0))
        print(f"{name}: {np.mean((X_unseen @ w > 0) == expected):.0%} right")

# %% [markdown]
# The vectors that leave the encoder know their sentence: *can* will be *puede* or *pueden*, so somebody has to find out
# whose *can* it is. Such vectors are called *contextual*.

# %% [markdown]
# ## Only the decoder: a model that writes
#
# Without an encoder the decoder has no source to attend to. Two of its three sub-layers remain: self-attention and feed-forward network.
# That is your `encoder_layer`, with your `causal_mask`. It predicts each next word: a *language model*.
# The course has a small one, trained on English sentences alone. `writer` stacks your functions, and `chooser` draws.

# %%
english_model = load_language_model()
write_on = writer(english_model, mine)
how_long = english_model.max_len, english_model.words
for words in sampled(write_on, chooser(*ways["top-p, p = 0.9"]), 10, *how_long):
    print(corpus.english_text(words))

# %% [markdown]
# It makes them up. Are they sentences? The grammar can tell.
# As a yardstick we draw from a *bigram* model, which knows only how often one word follows another in the same training data.

# %%
training = [one.english for one in corpus.load("training", 50_000)]
follows = np.full((len(english_model.words),) * 2, 1e-9)
id_of = {word: i for i, word in enumerate(english_model.words)}
for words in training:
    ids = [BOS, *(id_of[word] for word in words), EOS]
    np.add.at(follows, (ids[:-1], ids[1:]), 1)


def bigrams(prefixes):
    """Return the log-probabilities of the next word, given the last one alone."""
    return log_softmax(np.log(follows[prefixes[:, -1]]))


# %%
for name, how in {"your Transformer": write_on, "bigrams": bigrams}.items():
    texts = sampled(how, chooser(*ways["top-p, p = 0.9"]), 100, *how_long)
    said = [words for words in texts if corpus.translations(words)]
    new = len(set(said) - set(training))
    print(f"{name}: {len(said)} of 100 are sentences of the grammar, {new} of them not in the training data")
    print("   ", *[corpus.english_text(words) for words in texts[:4]])

# %% [markdown]
# Bigrams sound right from word to word and lose the thread. Attention keeps it: a verb agrees with a subject
# some words before, and a question ends as a question.

# %% [markdown]
# ## Where BERT and GPT stand
#
# | parts | mask | trained to | an example |
# |---|---|---|---|
# | encoder and decoder | causal in the decoder | write a translation | Vaswani et al. 2017 |
# | encoder only | padding alone | fill in hidden words | BERT: Devlin et al. 2019 |
# | decoder only | causal | predict the next word | GPT: Radford et al. 2018 |
#
# **BERT** is a stack of 12 or 24 encoder layers. In training, 15 % of the tokens are chosen, most of them hidden, and to be found again from both
# sides; it also has to say whether one text follows another. The output for an extra first token, `[CLS]`, stands for the whole input,
# where we took a mean. Then a small read-out is added, and everything is trained further for each task.
#
# **GPT** is a stack of 12 decoder layers without cross-attention, trained to predict the next token of books, and then further for each task.
# The large models that write texts today are mostly of this kind.
#
# Both have layers of width 768 with 12 heads (the larger BERT 1024 and 16), learn a vector for each position, and use `gelu`.
# You have written all their parts.
#
# ### Predict: which kind?
#
# You want to know whether a finished review is friendly. Which stack lets each word look at *all* others?
#
# - **A** the encoder
# - **B** the decoder
# - **C** both

# %% answer="which-stack"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("which-stack", answer)

# %% [markdown]
# ## What you have now
#
# - A Transformer of your own functions, whose numbers agree layer by layer with those of a trained model.
# - Attention maps, and reasons not to believe too much of them.
# - Three ways to get text out of a distribution, with the true one beside it.
# - A way to find out what a part is for: take it out, and measure numbers, not only results.
# - A cache, and a count of what it saves.
# - The same parts as a reader and as a writer.
#
# One thing was given to you: the weights. How do they come about?
#
# **Next: [10 Training](../10_training/10_training.ipynb).** There a small Transformer learns before your eyes, in under a minute.
