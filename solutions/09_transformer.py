# %% [markdown]
# # 09 The Transformer
#
# Every part is written. What is missing is what holds the parts together: a layer of the decoder, the two stacks, and the loop around them.
# Once you have written these, a trained model translates English into Spanish, and every number on the way is computed by a function of yours.
#
# **{{points}}, {{time}}.**
# In the first sitting you build it ({{decoder_layer}} to {{translate}}); in the second you measure it and make it fast ({{count_transformer_parameters}} and {{cached_decode_step}}).
# You need your functions from units 00 to 08; the course lends what is missing, and says so.
# `help(beam_search)` reminds you how a function is called and what it returns.
#
# **[START HERE](../START_HERE.ipynb)** says how checks, hints and predictions work.

# %%
from types import SimpleNamespace

import numpy as np

from autograder import check, compare_layers, load, predict, progress
from transformer_kit import skip_if_unimplemented
from transformer_kit.corpus.sentences import prepare_sentence, written_sentence
from transformer_kit.corpus.vocabulary import BOS, EOS
from transformer_kit.experiments.multiplications import count_multiplications
from transformer_kit.experiments.whole_model.ablations import Trial, rounded
from transformer_kit.experiments.whole_model.one_sentence import translator, watched
from transformer_kit.parameters import LayerCache, init_decoder_layer
from transformer_kit.parameters.cache import start_cache
from transformer_kit.pictures import finale
from transformer_kit.pictures.learners import at_work, credit
from transformer_kit.trained.model import load_model

(
    encode, embed, positional_encoding, add_positions, scaled_dot_product_attention, causal_mask, padding_mask,
    masked_softmax, masked_attention, split_heads, merge_heads, multi_head_attention, project_memory,
    cross_attention, position_wise_ffn, layer_norm, post_norm, pre_norm, encoder_layer, greedy_decode, beam_search,
) = load(
    "encode", "embed", "positional_encoding", "add_positions", "scaled_dot_product_attention", "causal_mask",
    "padding_mask", "masked_softmax", "masked_attention", "split_heads", "merge_heads", "multi_head_attention",
    "project_memory", "cross_attention", "position_wise_ffn", "layer_norm", "post_norm", "pre_norm",
    "encoder_layer", "greedy_decode", "beam_search",
)

mine = SimpleNamespace(
    embed=embed, positional_encoding=positional_encoding, add_positions=add_positions, causal_mask=causal_mask,
    padding_mask=padding_mask, multi_head_attention=multi_head_attention, cross_attention=cross_attention,
    position_wise_ffn=position_wise_ffn, layer_norm=layer_norm,
)

# %%
progress("09")

# %% [markdown]
# ## A sentence first
#
# The model is a small one: two layers in each stack, 64 numbers for each word, 4 heads.
# It learned from 200,000 pairs of sentences made by a small grammar, and it knows that grammar and nothing else.
# Of 1000 sentences with pairs of words that never occurred together in training, such as *like* and *cats*, it translates 98.1 % acceptably.
# Try a sentence from a beginner's phrase book: people, food, money, the weather, the time.

# %%
model = load_model()
first_sentence = "The red car is new."
(translated, _), yours, lent = at_work(lambda: (load("translate")(first_sentence, model), watched(first_sentence, model, mine)))
print(f"{first_sentence}  →  {translated}   computed {credit(yours, lent)}")

# %% [markdown]
# What holds your functions together is still the course's code. At the end of this unit the credit will be yours alone.
#
# ## Are your functions right?
#
# You are about to build on more than twenty functions of yours. How would you notice a mistake in one of them?
# Here is an attention that somebody wrote in a hurry. It has one mistake.


# %%
def borrowed_attention(X_query, X_memory, params, n_heads, mask=None):
    """Attend with several heads at once."""
    Q, K, V = X_query @ params.W_Q, X_memory @ params.W_K, X_memory @ params.W_V
    scale = np.sqrt(Q.shape[-1]).astype(Q.dtype)
    Q, K, V = (split_heads(X, n_heads) for X in (Q, K, V))
    scores = Q @ np.swapaxes(K, -1, -2) / scale
    weights = masked_softmax(scores, None if mask is None else mask[..., None, :, :])
    return merge_heads(weights @ V) @ params.W_O, weights


# %% [markdown]
# ### Predict: one mistake inside
#
# Use it instead of your `multi_head_attention`, and some logits are off by more than 4: enough to make one word more than 50 times too
# likely compared with another. We translate 60 sentences that the model has never seen. How many translations are still acceptable?
#
# - **A** next to none
# - **B** about one half
# - **C** nearly all

# %% answer="one-mistake-inside"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("one-mistake-inside", answer)

# %%
borrowed = SimpleNamespace(**vars(mine) | {"multi_head_attention": borrowed_attention})
trial = Trial(model, 60)
for name, functions in {"your attention": mine, "the borrowed one": borrowed}.items():
    share, difference = trial.effect(functions)
    print(f"{name:18} acceptable {share:4.0%}   largest error of a logit {difference:.1f}")

# %% [markdown]
# ## Layer by layer
#
# `compare_layers` looks at numbers, not at words. It sends two sentences through the model with the functions that you give it, and compares
# what comes out of each part with what should. Yours first:

# %%
compare_layers(mine)

# %% [markdown]
# A difference below 0.001 passes: a different eps or precision stays below that, real mistakes do not.
#
# ### Find the error: which line is it?
#
# With the borrowed attention, the comparison will stop at the attention of the first encoder layer.
# Read the code again before you run it. Which line is to blame?
#
# - **A** `Q, K, V = ...`: every head needs three matrices of its own.
# - **B** `scale = ...`: it is the square root of the wrong width.
# - **C** `scores = ...`: the wrong axes of `K` are swapped.
# - **D** `weights = ...`: the mask gets one axis too many.

# %% answer="borrowed-line"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("borrowed-line", answer)

# %%
compare_layers(borrowed)

# %% [markdown]
# Fix that line, then rerun the cells from there on until all parts pass.
# Then build.
#
# ## Exercise {{decoder_layer}}: decoder_layer
#
# *{{points decoder_layer}}, about 20 minutes, difficulty 3 of 5*
#
# An encoder layer has two sub-layers, a decoder layer has three.
# The new one sits in the middle, the only place where the target (the translation so far) meets the source.
# With $\text{AddNorm}$ for your `post_norm`, and $M$ for the memory:
#
# $$\begin{aligned} X' &= \text{AddNorm}_1\big(X,\ \text{MultiHead}(X, X)\big) \\
# X'' &= \text{AddNorm}_2\big(X',\ \text{MultiHead}(X', M)\big) \\
# X''' &= \text{AddNorm}_3\big(X'',\ \text{FFN}(X'')\big) \end{aligned}$$
#
# ### Three sub-layers, each with its own norm
#
# - **Self-attention**, `params.self_attention`: what has been written so far?
# - **Attention to the source**, `params.cross_attention`: what does the source say about it?
# - **Feed-forward network**, `params.ffn`, with ReLU: each position works on what it has collected.
#
# The norms are `norm_1`, `norm_2` and `norm_3`. As in `encoder_layer`, `norm_first` chooses between `post_norm` and `pre_norm`, and every norm gets `eps`.
#
# ### The memory comes in from the side
#
# Your `multi_head_attention` serves for both attentions; in the middle one, keys and values come from the memory.
# The memory is not part of the residual stream, the sum to which each sub-layer adds: it is only read and, even with `norm_first`, never normalised.
#
# ### Which mask goes where
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n_target, d_model)` | vectors of the target |
# | `memory` | `(..., n_source, d_model)` | what the encoder returned |
# | `self_mask` | broadcastable to `(..., n_target, n_target)` | True = may attend; for the first sub-layer: hides later words of the target |
# | `cross_mask` | broadcastable to `(..., n_target, n_source)` | for the second: hides padding of the source |
# | result | `(..., n_target, d_model)` | a new array |
#
# **By hand.** Let all three sub-layers be silent: their last matrices are 0. Post-norm then normalises three times, which is the same as once:
# (1, 2, 3, 4) becomes -1.3416, -0.4472, 0.4472, 1.3416. Pre-norm adds nothing three times, and (1, 2, 3, 4) comes out.


# %% solution="decoder_layer"
def decoder_layer(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """Apply one layer of the decoder.

    X (..., n_target, d_model), memory (..., n_source, d_model), params: DecoderLayerParams with
    self_attention, norm_1, cross_attention, norm_2, ffn, norm_3 -> (..., n_target, d_model).
    norm_first: False is post-norm, True pre-norm; the memory is not normalised.
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
    cross_attention=params.cross_attention._replace(W_O=np.zeros((4, 4))), ffn=params.ffn._replace(W_2=np.zeros((6, 4))),
)
token, memory = np.array([[1.0, 2.0, 3.0, 4.0]]), np.ones((3, 4))
with skip_if_unimplemented():
    for norm_first in (False, True):
        print(decoder_layer(token, memory, silent, n_heads=2, norm_first=norm_first).round(4))

# %% check="decoder_layer"
check(decoder_layer)

# %% [markdown]
# <details><summary>Hint 1: what is the same as in the encoder layer?</summary>
#
# Open your `encoder_layer` of unit 07. Which of its two sub-layers can stay as it is?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# The attention to the source takes queries of shape `(n_target, d_model)` and a memory of shape `(n_source, d_model)`, and returns
# `(n_target, d_model)`. So it can be added to its input, whatever `n_source` is.
# `multi_head_attention` returns two results; a sub-layer returns the first.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Choose `post_norm` or `pre_norm` once, at the top.
# 2. Write each sub-layer as a small function of one array. The memory and the masks come from outside.
# 3. Pass X through the three, each with the gamma and beta of its norm, and with eps.
#
# </details>

# %% [markdown]
# ## Exercise {{encode_source}}: encode_source
#
# *{{points encode_source}}, about 12 minutes, difficulty 2 of 5*
#
# Now the whole encoder, from ids to the memory. From here on every array has one more axis in front, `B`, for the sentences of a batch.
#
# $$X_0 = \sqrt{d_\text{model}}\; E[\text{ids}] + P \qquad X_{l} = \text{EncoderLayer}_l(X_{l-1})$$
#
# ### The input of the first layer
#
# Look up the embeddings, multiply **them** by $\sqrt{d_\text{model}}$, and add the positions 0, 1, 2, ...
# (Such a table also makes the logits, as you will see, so its entries are small: without the factor the positions, which reach 1, would drown out the words.)
#
# ### Layer after layer
#
# - `model.encoder` is a tuple with the parameters of each layer, from the bottom up: any number of them, even none. `model.n_heads` says how many heads there are.
# - The shorter sentences of a batch are padded, and the padding has to be hidden in every layer. Your `padding_mask` makes the mask.
# - The norm comes after the sum, the default of your `encoder_layer`.
#
# | name | shape | meaning |
# |---|---|---|
# | `source_ids` | `(B, n_source)` ints | with padding |
# | `source_is_token` | `(B, n_source)` bool | False where there is padding |
# | `model.source_embedding` | `(V_source, d_model)` | the table |
# | result | `(B, n_source, d_model)` | the memory |
#
# **By hand.** In a model of width 4, a sentence has the same word twice, with the embedding (0.5, -0.5, 0.25, 0). Times 2, the square root of 4, that is (1, -1, 0.5, 0).
# Position 0 is (0, 1, 0, 1), position 1 is (0.8415, 0.5403, 0.0100, 1.0000).
# So the first layer gets (1, 0, 0.5, 1) and (1.8415, -0.4597, 0.5100, 1.0000).


# %% solution="encode_source"
def encode_source(source_ids, source_is_token, model):
    """Run the encoder.

    source_ids (B, n_source), int, source_is_token (B, n_source), bool, model with source_embedding,
    encoder, n_heads -> (B, n_source, d_model).
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
with skip_if_unimplemented():
    print(encode_source(np.array([[0, 0]]), np.array([[True, True]]), two_words).round(4))

# %% check="encode_source"
check(encode_source)

# %% [markdown]
# <details><summary>Hint 1: what comes before the loop, and what is inside?</summary>
#
# Lookup, factor and positions happen once. Which line is repeated for every layer? Is anything left to do at the end?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# From the ids `(B, n)` to vectors `(B, n, d_model)`, which every layer keeps.
# `positional_encoding` wants `n` and `d_model`: the vectors' shape has both. The mask has shape `(B, 1, n)`.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Look the ids up in the source's table, and multiply by the square root of the table's width.
# 2. Add the first n rows of the table of positions.
# 3. Make the mask. Then, for every layer of the encoder, replace the vectors by what the layer makes of them.
# 4. Return the vectors.
#
# </details>

# %% [markdown]
# ## Exercise {{decode_target}}: decode_target
#
# *{{points decode_target}}, about 12 minutes, difficulty 3 of 5*
#
# The decoder reads the beginning of a translation, and predicts at **every** position which word comes next.
#
# $$Y_0 = \sqrt{d_\text{model}}\; E[\text{ids}] + P \qquad Y_{l} = \text{DecoderLayer}_l(Y_{l-1}, M) \qquad
# \text{logits} = Y_L W$$
#
# ### The decoder's stack
#
# It begins as the encoder does, with `model.target_embedding`.
# Every layer of `model.decoder` takes the vectors of the layer before it, and all of them take **the same memory**.
# Each needs two masks: no position may see a later one, and none may see padding of the source.
#
# ### From vectors to logits
#
# A logit for every word of the vocabulary needs a matrix $W$ of shape `(d_model, V)`: `model.output_projection`, if that is an array.
# If it is None, the table of embeddings serves a second time, transposed: $W = E^\top$, and the logit of a word is the dot product of
# the decoder's vector with the word's own embedding.
# The paper does this (section 3.4), and so does our model. This time there is no factor, and no softmax.
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

    target_ids (B, n_target), int, memory (B, n_source, d_model), source_is_token (B, n_source), bool,
    model with target_embedding, decoder, output_projection, n_heads -> logits (B, n_target, V).
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
with skip_if_unimplemented():
    print(decode_target(np.array([[0]]), np.zeros((1, 3, 4)), np.ones((1, 3), bool), no_layers))

# %% check="decode_target"
check(decode_target)

# %% [markdown]
# <details><summary>Hint 1: what differs from encode_source?</summary>
#
# The table, the layers, the masks, and one step at the end. What stays the same?
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
# <details><summary>Hint 3: a plan</summary>
#
# 1. Embeddings, factor and positions, as in the encoder, with the target's table.
# 2. Make both masks, once.
# 3. Pass the vectors through one `decoder_layer` after the other, each with the memory.
# 4. Multiply by the model's output matrix if it has one, otherwise by the target's table, transposed.
#
# </details>

# %% [markdown]
# ### Predict: words put into its mouth
#
# The source is "My sister is tall." We let the decoder begin with *Mi hermano*, "my brother". How does it go on?
#
# - **A** *Mi hermano es alta*: the adjective follows the English noun.
# - **B** *Mi hermano es alto*: the adjective follows the Spanish noun.
# - **C** *Mi hermano mi hermana es alta*: it corrects what it has read.

# %% answer="words-in-its-mouth"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("words-in-its-mouth", answer)

# %%
with skip_if_unimplemented():
    for english, begun in (("My sister is tall.", "mi hermano"), ("My father is tired.", "mi madre")):
        likely = translator(english, model, encode_source, decode_target)
        ids = [BOS, *map(model.target_words.index, begun.split())]
        while ids[-1] != EOS and len(ids) < model.max_len:
            ids.append(int(likely(np.array([ids])).argmax()))
        print(f"{english:20}{written_sentence(ids[1:], model)}")

# %% [markdown]
# ## Exercise {{translate}}: translate
#
# *{{points translate}}, about 20 minutes, difficulty 4 of 5*
#
# A sentence in, a sentence out. You have all it takes; what is left is the wiring.
#
# ### From text to numbers and back
#
# - `prepare_sentence(sentence, model)` turns what people type into words that the model knows: "I don't like cats" becomes "i do not like cats ."
#   It raises a `ValueError` for anything the model cannot read; let that error through.
# - Your `encode` turns these words into ids, with `model.source_vocabulary`. Nothing is added in front or at the end.
# - `written_sentence(ids, model)` turns ids into a Spanish sentence, without the special symbols.
#
# ### The model as a function of prefixes
#
# Your `greedy_decode` and `beam_search` call a function `next_log_probs(prefixes)`, from `(k, t)` ids to `(k, V)`
# log-probabilities. Define it *inside* `translate`, where the memory is known:
#
# - The source is encoded once, before the search. The decoder runs at every step.
# - There are `k` prefixes and one source: repeat the memory and its mask `k` times along the first axis.
# - What comes next is in the logits of the **last** position.
# - Logits are not log-probabilities: $\log p_v = z_v - \log \sum_u e^{z_u}$. Subtract the maximum first, and nothing overflows.
#
# `BOS` and `EOS` are the ids of the start and the end symbol, and `model.max_len` limits the length.
# A `beam_width` of 1 means `greedy_decode`. Any larger one means `beam_search`, which returns pairs of a score and ids, the best first.
#
# | name | shape | meaning |
# |---|---|---|
# | `prefixes` | `(k, t)` ints | rows begin with `BOS` |
# | `next_log_probs(prefixes)` | `(k, V)` | for the next word |
# | result | a string | Spanish |
#
# **By hand.** For logits (0, ln 3) the exponentials are 1 and 3, their sum is 4. So the log-probabilities are ln 1/4 = -1.3863
# and ln 3/4 = -0.2877.


# %% solution="translate"
def translate(sentence, model, beam_width=1, alpha=0.0):
    """Translate an English sentence into Spanish.

    sentence is a str -> a str. beam_width 1 is greedy; alpha is the length penalty of the beam search.
    A sentence that the model cannot take: the ValueError of `prepare_sentence`.
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
with skip_if_unimplemented():
    print(f"I like cats.  →  {translate('I like cats.', model)}")
    print(f"They like cats.  →  {translate('They like cats.', model)} With a beam of 4: {translate('They like cats.', model, 4)}")

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
# <details><summary>Hint 3: a plan</summary>
#
# 1. Prepare the sentence, encode it, make it a batch of one; all of it is tokens. Run the encoder.
# 2. Define the inner function: repeat memory and mask for every prefix, run the decoder, keep the last position,
#    make log-probabilities.
# 3. With a beam of 1 call your greedy search, otherwise your beam search, and take the ids of the first hypothesis.
# 4. Return the written sentence.
#
# </details>

# %% [markdown]
# "They like cats." comes out differently with a beam, as in the toy model of unit 08. *A* is the likeliest first word, but then its
# probability has to be shared between *ellos* and *ellas*. After *les* there is nothing to share.
#
# ## Second sitting: how large, and how fast
#
# ## Exercise {{count_transformer_parameters}}: count_transformer_parameters
#
# *{{points count_transformer_parameters}}, about 6 minutes, difficulty 1 of 5*
#
# How many numbers does a Transformer learn? For its two models, with about 37,000 words, the paper gives 65 and 213 million (table 3).
# Your count will come close.
#
# ### One table for three purposes
#
# The paper's model has one vocabulary for both languages, and one table of embeddings: for the source, for the target and, transposed, for the
# logits. (Ours has a table for each language.) The positions are computed, not learned.
#
# ### What a layer holds
#
# - **Attention:** four matrices, $d_\text{model} \times d_\text{model}$ in all heads together, no biases.
# - **Feed-forward network:** two matrices and two biases.
# - **Norm:** $\gamma$ and $\beta$.
#
# An encoder layer has one attention and two norms, a decoder layer two attentions and three norms. There are `n_layers` of each. The result is a Python int.
#
# **By hand.** 10 words, width 4, `d_ff` 6, one layer each. The table has 40 numbers, each attention 64, each network 24 + 6 + 24 + 4 = 58, each norm 8.
# The encoder's layer has 64 + 58 + 16 = 138, the decoder's 128 + 58 + 24 = 210. Together 388.


# %% solution="count_transformer_parameters"
def count_transformer_parameters(vocab_size, d_model, d_ff, n_layers):
    """Count the parameters of a Transformer with one table for source, target and output.

    All are ints -> an int. The encoder has n_layers, and the decoder as many.
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
with skip_if_unimplemented():
    print(count_transformer_parameters(10, 4, 6, 1), "by hand: 388")
    ours = count_transformer_parameters(len(model.target_words), 64, model.encoder[0].ffn.b_1.size, n_layers=2)
    print(f"the model that you have just run: {ours + model.source_embedding.size:,}")
    print("the paper's:", *(f"{count_transformer_parameters(37000, d, 4 * d, n_layers=6):,}" for d in (512, 1024)))

# %% check="count_transformer_parameters"
check(count_transformer_parameters)

# %% [markdown]
# <details><summary>Hint 1: which parts come how often?</summary>
#
# Make a list: attention, network, norm, and next to each how many an encoder layer has, and how many a decoder layer.
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# The network's matrices are `(d_model, d_ff)` and `(d_ff, d_model)`, its biases `(d_ff,)` and `(d_model,)`.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Count one attention, one network, one norm.
# 2. Add them up for an encoder layer and for a decoder layer.
# 3. Multiply the sum of both by the number of layers, and add the table once.
#
# </details>

# %% [markdown]
# ### Predict: how many bits does a number need?
#
# Every number of our model takes 32 bits. Now round the matrices. With $b$ bits, all entries of a matrix must be among
# $2^b - 1$ evenly spaced values: 3 for two bits, 255 for eight.
# With how few bits does the model still translate 59 of the 60 sentences acceptably?
#
# - **A** 3
# - **B** 5
# - **C** 8
# - **D** 12

# %% answer="how-many-bits"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("how-many-bits", answer)

# %%
for bits in (12, 8, 5, 4, 3):
    print(f"{bits:2} bits: acceptable {trial.effect(mine, rounded(model, bits)).acceptable:4.0%}")

# %% [markdown]
# ### Since 2017: a scale for every block
#
# One large entry makes the steps wide for its whole matrix. Today's models are handed round with a scale for each block of, say, 32 numbers, which costs half a bit for each of them:

# %%
for bits in (4, 3):
    in_blocks = trial.effect(mine, rounded(model, bits, block=32)).acceptable
    print(f"{bits:2} bits in blocks: acceptable {in_blocks:4.0%}")

# %% [markdown]
# With 4 bits, 59 sentences instead of 15.
#
# ## Exercise {{cached_decode_step}}: cached_decode_step
#
# *{{points cached_decode_step}}, about 25 minutes, difficulty 5 of 5*
#
# At every step `translate` sends the whole prefix through the decoder again. But earlier positions never see later ones,
# so their keys and values stay the same. Keep these, and only the newest token is left to compute.
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
# The token arrives alone, but it still has a position: how many tokens came before it? The cache knows.
#
# ### One token through all layers
#
# As in `decode_target`, for vectors of shape `(B, 1, d_model)`, in post-norm:
#
# $$q = x W_Q \qquad K \leftarrow [K;\, x W_K] \qquad V \leftarrow [V;\, x W_V] \qquad \text{heads} = \text{Attention}(q, K, V)$$
#
# - The new token may see all tokens so far, and itself: no causal mask is needed.
# - Then it attends to the source, with the keys and values from the cache, and with the padding hidden.
#   These arrays have an axis for the heads, so the mask needs one, too: `(B, 1, 1, n_source)`.
# - Each attention ends with its `W_O`, a sum and a norm. The network follows.
#
# Return logits of shape `(B, V)` and the new cache, a tuple with one `LayerCache` per layer. Leave the old cache as it was.
#
# **By hand.** Before the first token `K` has shape `(1, 4, 0, 16)` in our model, after it `(1, 4, 1, 16)`, after "me gustan" `(1, 4, 3, 16)`.


# %% solution="cached_decode_step"
def cached_decode_step(token_ids, cache, source_is_token, model):
    """Run the decoder for one more token of every sequence.

    token_ids (B,), int: the newest of each row; cache: a LayerCache per layer, with K, V, K_source, V_source;
    source_is_token (B, n_source), bool -> logits (B, V) for the token that comes next, and the new cache.
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
with skip_if_unimplemented():
    source_ids = encode(prepare_sentence("I like cats.", model), model.source_vocabulary)[None]  # a batch of one
    target_ids = np.array([[BOS, *map(model.target_words.index, ["me", "gustan", "los", "gatos"])]])
    is_token = np.ones(source_ids.shape, dtype=bool)
    memory = encode_source(source_ids, is_token, model)
    whole = decode_target(target_ids, memory, is_token, model)
    cache = start_cache(memory, model, project_memory)
    for newest in target_ids.T:
        logits, cache = cached_decode_step(newest, cache, is_token, model)
    print("keys", cache[0].K.shape, "largest difference", f"{np.abs(logits - whole[:, -1]).max():.1e}")

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
# The new ones follow the old ones along the axis of positions, the second to last.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Look up, scale, and add the position: the row whose index is the number of tokens in the cache.
# 2. In every layer: project queries, keys and values; extend keys and values; attend; merge the heads, multiply by W_O, add, norm.
# 3. Project queries for the source, attend to the kept keys and values with the mask; merge, W_O, add, norm.
# 4. Network, add, norm. Keep the layer's extended cache.
# 5. At the end multiply by the output matrix, as in `decode_target`, and drop the axis of length 1.
#
# </details>

# %% [markdown]
# The same numbers, up to rounding. How much work does the cache save? `count_multiplications` counts every multiplication by an entry of a weight matrix.
#
# ### Predict: twenty words
#
# A translation of 20 words is written step by step, once with `decode_target` on the whole prefix and once with the cache.
# By what factor do the two counts differ?
#
# - **A** about 2
# - **B** about 10
# - **C** about 20
# - **D** about 400

# %% answer="cached-steps"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("cached-steps", answer)

# %%
with skip_if_unimplemented():
    source, real, ids = np.array([[5, 8, 13, 21, 34, 4]]), np.ones((1, 6), dtype=bool), np.arange(4, 24)[None]
    memory = encode_source(source, real, model)
    kept, whole, cached = start_cache(memory, model, project_memory), [], []
    for t in range(20):
        whole.append(count_multiplications(decode_target, ids[:, : t + 1], memory, real, model)[0])
        count, (_, kept) = count_multiplications(cached_decode_step, ids[:, t], kept, real, model)
        cached.append(count)
    print(f"20 steps: {sum(whole):,} and {sum(cached):,}, {sum(whole) / sum(cached):.1f} times as many")

# %% [markdown]
# Products of queries with keys are not counted: they are few while sentences are short.
#
# ## The finale
#
# You have written the last line of the machine. Type a sentence of your own, and read the last line of the card.
# (Why does hardly any word get more than 90 %? That is how the model was trained, as unit 10 will show.)

# %%
my_sentence = "My sister wants to eat the apples."

# %%
with skip_if_unimplemented():
    display(finale(my_sentence, model, translate, mine))

# %% [markdown]
# None of these functions comes from a machine-learning library: each is a few lines of NumPy that you wrote and checked.
# In a terminal, `course export-library` puts them all into one file, `my_transformer.py`, which translates wherever there is NumPy.
# `print(*model.source_vocabulary)` shows the words that the model knows. Where the grammar that made its training sentences says something else,
# as for *I get up at seven*, or does not know such a sentence, the card tells you; what the model cannot read at all, `translate` refuses.
#
# ## What you have now
#
# A Transformer of your own functions, whose numbers agree with those of a trained model in every part; a reason to distrust a model
# that merely works, and a tool that finds the part at fault. One thing you were given: the weights. Where do they come from?
#
# **Next: [10 Training](../10_training/10_training.ipynb).** There a small Transformer learns before your eyes, in under a minute.
# How the translator of this unit decides between *el* and *la* is another story, and unit 11 tells it.
