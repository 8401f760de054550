"""Specification of `cached_decode_step`."""

import numpy as np

from autograder.exercises.unit_09_transformer import calls, lookalikes
from autograder.exercises.unit_09_transformer.inputs import (
    D_MODEL,
    LONG,
    N_HEADS,
    TARGET,
    small_model,
    trained,
    trained_batch,
)
from autograder.exercises.unit_09_transformer.sublayers import (
    take_exchanged_norms,
    take_one_attention,
    take_other_norms,
)
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import LayerCache
from transformer_kit.parameters.cache import start_cache

STEP = "One token through all layers"
CACHE = "What the cache holds"
POSITION = "Which position is this?"

D_K = D_MODEL // N_HEADS

EXERCISE = Exercise(
    reference=reference.cached_decode_step,
    asks="the logits for the next token from the newest one and the cache, and the cache with the newest one in it.",
    returns=(Output("logits", "(B, V)"), Output("cache")),
    where=STEP,
    calls=calls.CACHED_DECODE_STEP,
    may_be_view=True,
    lookalike=lookalikes.CACHED_DECODE_STEP,
)


def _given(rng, model, lengths=(6, 6), n_before=3):
    """Draw the newest tokens, a cache in which no two numbers are alike, and where the source has tokens."""
    batch, n_source = len(lengths), max(lengths)
    shapes = [(batch, N_HEADS, n, D_K) for n in (n_before, n_before, n_source, n_source)]
    cache = tuple(LayerCache(*(rng.standard_normal(shape) for shape in shapes)) for _ in model.decoder)
    is_token = np.arange(n_source) < np.array(lengths)[:, None]
    return rng.integers(4, len(TARGET), batch).astype(np.intp), cache, is_token


@EXERCISE.claim(2.5)
def logits(call, rng):
    """the logits are made of the newest token and of what the cache holds"""
    for n_before, n_layers in ((4, 3), (0, 2)):
        model = small_model(rng, n_layers)
        call.agrees_in(0, *_given(rng, model, n_before=n_before), model)
    for n_before in (3, LONG - 1):
        model = small_model(rng, 1, tied=False)._replace(max_len=LONG)
        call.agrees_in(0, *_given(rng, model, n_before=n_before), model)


@EXERCISE.claim(1.5)
def cache(call, rng):
    """the cache returned has the newest token's keys and values at its end"""
    model = small_model(rng)._replace(max_len=LONG)
    for lengths, n_before in (((6, 6), 0), ((5, 5, 5), 4), ((3,), 150)):
        call.agrees_in(1, *_given(rng, model, lengths, n_before), model)


@EXERCISE.claim(0.5, side=True)
def old_cache(call, rng):
    """the old cache is as it was"""
    model = small_model(rng, 1)
    args = *_given(rng, model), model
    call.leaves_inputs_alone(*args)
    call.agrees_in(1, *args)


def _array(call, token_ids, *args):
    return call.is_array(call.results(token_ids, *args)[0], (len(token_ids), len(TARGET)), name="logits")


@EXERCISE.claim(1)
def padding(call, rng):
    """the padding of the source is hidden"""
    model = small_model(rng)
    token_ids, cache, is_token = _given(rng, model, (4, 7))
    hidden = rng.standard_normal((2, N_HEADS, 7, D_K)) * ~is_token[:, None, :, None]
    changed = tuple(c._replace(K_source=c.K_source + hidden, V_source=c.V_source + hidden) for c in cache)
    before, after = (_array(call, token_ids, c, is_token, model) for c in (cache, changed))
    leak = np.abs(after - before).max()
    call.holds(
        leak < 1e-9, f"other keys and values in the place of the source's padding move the logits by {leak:.3g}."
    )
    other = tuple(c._replace(V_source=c.V_source[:, :, ::-1]) for c in cache)
    effect = np.abs(_array(call, token_ids, other, is_token, model) - before).max(axis=1).min()
    call.holds(effect > 1e-6, "other values of the source do not move the logits.")
    plain, shown = (_array(call, token_ids, c, np.ones_like(is_token), model) for c in (cache, changed))
    call.holds(np.abs(shown - plain).max() > 1e-6, "where nothing is padding, the last words move no logits either.")
    call.agrees_in(0, *_given(rng, model, (4, 7), n_before=6), model)  # as many tokens as the source has


@EXERCISE.claim(1.5)
def sentence(call, rng):
    """token by token, the trained model says what it says about the whole prefix"""
    model, (source_ids, is_token, target_ids) = trained(), trained_batch(rng)
    memory = reference.encode_source(source_ids, is_token, model)
    expected = reference.decode_target(target_ids, memory, is_token, model)
    cache = start_cache(memory, model, reference.project_memory)
    for step, newest in enumerate(target_ids.T):
        logits, cache = call.results(newest, cache, is_token, model)
        call.equals(logits, expected[:, step], call.exercise.returns[0], (expected,))


wrong = WrongAnswers(EXERCISE, globals())

# By the name that the parameters of an attention have in the reference: ids and words.
ATTENTIONS = {"own": ("self-attention", "self-attention"), "cross": ("cross-attention", "attention to the source")}
QUERIES = {
    "own": ("own-queries", "queries of the self-attention"),
    "cross": ("queries-to-the-source", "queries to the source"),
}

wrong.at(POSITION)
wrong("position-0", {"_positions(n_before + 1, E.shape[-1])[-1:]": "_positions(1, E.shape[-1])"}, """
    Every token gets position 0.
    The token arrives alone, but it is not the first of its sentence. The cache knows how many came before.""")

wrong("position-from-1", {"n_before + 1,": "n_before + 2,"}, """
    The position is one too high.
    The first token, with an empty cache, stands at position 0.""")

wrong("position-one-behind", {"n_before + 1,": "max(n_before, 1),"}, """
    The position is that of the previous token.
    With one token in the cache, the new one is the second.""")

wrong("no-position", {"    X = X + P.astype(X.dtype)\n": ""}, """
    No position is added.
    The keys in the cache were made from vectors with positions. The new token needs its own.""")

wrong("no-scale", {" * math.sqrt(E.shape[-1])": ""}, """
    The embedding is not multiplied by the root of d_model.
    The new token enters as in `decode_target`, with the same factor.""")

wrong.at(STEP)
wrong("sees-only-itself", {"layer.K, layer.V)\n": "K, V)\n"}, """
    The new token attends to itself alone.
    It needs the keys of all tokens so far, those in the cache and its own.""")

wrong("sees-only-the-others", {"layer.K, layer.V)\n": "layer.K[:, :, :-1], layer.V[:, :, :-1])\n"}, """
    The new token attends to the tokens before it, and not to itself.
    The causal mask lets every token see itself. Put its key and value into the cache first, then attend.""")

wrong.at(CACHE)
wrong("source-projected-anew", {"layer.K_source, layer.V_source": "*project_memory(X, cross, model.n_heads)"}, """
    The keys and values of the source are projected from the target's vectors.
    They were made from the memory and are in the cache, as K_source and V_source. There is nothing left to project.""")

wrong("own-for-source", {
    "layer = layer._replace(": "old, layer = layer, layer._replace(",
    "layer.K_source, layer.V_source, mask": "old.K, old.V, None",
}, """
    The attention to the source reads the keys and values of the target.
    A layer's cache has four arrays: two of the target's tokens, two of the source's.""")

wrong.at(STEP)
wrong("no-source-mask", {"layer.V_source, mask": "layer.V_source, None"}, """
    The padding of the source is not hidden.
    The cache has keys and values of the padding, too.""")

wrong("source-mask-inverted", {"padding_mask(source_is_token)": "~padding_mask(source_is_token)"}, """
    The mask shows the padding of the source and hides the words.
    True means “may attend”, and source_is_token is True where there is a word.""")

wrong("mask-without-heads", {"padding_mask(source_is_token)[:, None]": "padding_mask(source_is_token)"}, """
    The mask of the source has no axis for the heads.
    Keys and values come with an axis for the heads, second from the left. If the mask has none, its axis for the
    sentences lines up with the heads.""")

wrong("queries-before-self-attention", {
    "X = layer_norm(X + merge_heads(attended) @ own": "before, X = X, layer_norm(X + merge_heads(attended) @ own",
    "X @ cross.W_Q": "before @ cross.W_Q",
}, """
    The queries to the source are made from the layer's input.
    The sub-layers follow each other: the second takes the output of the first.""")

wrong("one-norm-for-all", {"norm_2": "norm_1", "norm_3": "norm_1"}, """
    All three sub-layers use norm_1.
    Each sub-layer has a norm of its own.""")

take_exchanged_norms(wrong, "norms-exchanged", 2, 3)

wrong.at(POSITION)
wrong("position-from-heads", {"n_before + 1,": "model.n_heads + 1,"}, """
    The position is the number of heads.
    K has the shape `(B, n_heads, n_before, d_k)`: the tokens are counted by the second to last axis.""")

wrong("position-from-source", {"n_before + 1,": "source_is_token.shape[-1] + 1,"}, """
    The position is the length of the source.
    What counts is how many tokens of the *target* came before. The cache has their keys in K, not in K_source.""")

wrong.at(STEP)
wrong("keys-of-source-as-values", {"layer.K_source, layer.V_source": "layer.K_source, layer.K_source"}, """
    The attention to the source uses the keys as values, too.
    The cache has both: K_source says how much, V_source what.""")

wrong.at(CACHE)
wrong("not-extended", {
    "layer = layer._replace(": "former, layer = layer, layer._replace(",
    "kept.append(layer)": "kept.append(former)",
}, """
    The cache is returned as it came.
    At the next step this token will be one of those before. Its keys and values have to be there.""")

wrong("only-newest-kept", {"kept.append(layer)": "kept.append(layer._replace(K=K, V=V))"}, """
    The cache returned holds the newest token alone.
    It has to hold the keys and values of all tokens so far.""")

wrong("at-the-front", {
    "kept.append(layer)": "kept.append(layer._replace(K=np.roll(layer.K, 1, axis=-2), V=np.roll(layer.V, 1, axis=-2)))",
}, """
    The newest token stands at the front of the cache.
    Attention would not mind, but the order of the cache is the order of the sentence.""")

wrong("source-extended", {
    "kept.append(layer)":
        "K, V = np.concatenate([layer.K_source, K], axis=-2), np.concatenate([layer.V_source, V], axis=-2)\n"
        "        kept.append(layer._replace(K_source=K, V_source=V))",
}, """
    The source's keys and values grow, too.
    The source is known from the beginning, and nothing is added to it.""")

wrong("keys-for-values",
      {"kept.append(layer)": "kept.append(layer._replace(V=np.concatenate([layer.V[:, :, :-1], K], axis=-2)))"}, """
    Keys are kept in place of the values.
    Every token leaves two things behind: what it is found by, and what it says.""")

wrong("last-layer-only", {"tuple(kept)": "kept[-1]"}, """
    Only the last layer's cache is returned.
    Every layer of the decoder has keys and values of its own, and so an entry of its own.""")

wrong("one-cache-for-all", {"zip(model.decoder, cache,": "zip(model.decoder, cache[:1] * len(cache),"}, """
    All layers use the cache of the first one.
    Every layer of the decoder has keys and values of its own, and so an entry of its own.""")

wrong("old-cache-overwritten", {
    "layer = layer._replace(": "old, layer = layer, layer._replace(",
    "kept.append(layer)": "kept.append(layer)\n        old.K[:, :, -1:], old.V[:, :, -1:] = K, V",
}, """
    The last entries of the old cache are overwritten.
    The old cache may be needed again: a beam search goes on from it in several ways.""")

wrong.at(STEP)
wrong("own-projection-ignored", {"_output_projection(model))": "E.T)"}, """
    The logits are always made with the target's embedding.
    A model may have a matrix of its own for them, as in `decode_target`.""")

wrong("axis-kept", {"(X @ _output_projection(model))[:, 0]": "X @ _output_projection(model)"}, """
    The logits have an axis for the one position.
    The result has one row for each sequence: (B, V).""")

wrong("logits-only", {", tuple(kept)": ""}, """
    The cache is not returned.
    The task asks for two results: logits, and the cache for the next step.""")

for whose, (id, attention) in ATTENTIONS.items():
    wrong(f"no-residual-of-{id}", {f"X + merge_heads(attended) @ {whose}": f"merge_heads(attended) @ {whose}"}, f"""
    The input of the {attention} is not added to its output.
    Each attention ends with its W_O, a sum and a norm. The sum is that of input and output.""")

wrong("no-residual-of-ffn", {"X + position_wise_ffn": "position_wise_ffn"}, """
    The input of the feed-forward network is not added to its output.
    The network has a residual connection, as both attentions do.""")

wrong("no-output-matrix", {" @ own.W_O": "", " @ cross.W_O": ""}, """
    The attentions end without their W_O.
    The heads stand side by side when they are merged. W_O mixes them.""")

wrong.at(CACHE)
wrong("keys-and-values-exchanged", {"K, V = project_memory": "V, K = project_memory"}, """
    Keys and values of the new token are swapped.
    `project_memory` returns the keys first.""")

wrong.everywhere("joined-along-heads", {"axis=-2)": "axis=1)"}, """
    Old and new keys are joined along the axis of the heads.
    Keys have the shape (B, n_heads, n, d_k). What grows is the third axis, the one of the tokens.""")

wrong.at(POSITION)
wrong("half-of-width", {"math.sqrt(E.shape[-1])": "(E.shape[-1] / 2)"}, """
    The embeddings are multiplied by half of d_model.
    `d_model ** 1 / 2` divides by 2, because `**` comes before `/`. The root is `d_model ** 0.5`.""")

wrong("short-table", {"_positions(n_before + 1, E.shape[-1])[-1:]": "_positions(100, E.shape[-1])[[n_before]]"}, """
    The positions come from a table of 100 rows.
    Models differ in how long a sequence may be. Make as many positions as there are tokens.""")

wrong.at(STEP)
for whose, (id, attention) in reversed(ATTENTIONS.items()):
    wrong(f"no-output-matrix-of-{id}", {f"merge_heads(attended) @ {whose}.W_O": "merge_heads(attended)"}, f"""
    The {attention} ends without its W_O.
    W_O mixes what the heads have found. Both attentions have one.""")

wrong("output-matrix-of-self-attention-twice", {"(attended) @ cross.W_O": "(attended) @ own.W_O"}, """
    The attention to the source ends with the W_O of the self-attention.
    The two attentions of a layer have four matrices each.""")

for whose, (id, queries) in reversed(QUERIES.items()):
    wrong(f"{id}-not-projected", {f"split_heads(X @ {whose}.W_Q": "split_heads(X"}, f"""
    The {queries} are made without W_Q.
    The keys in the cache were projected, and a query meets them only after it has been projected, too.""")

wrong("queries-to-the-source-with-own-matrix", {"split_heads(X @ cross.W_Q": "split_heads(X @ own.W_Q"}, """
    The queries to the source are made with the W_Q of the self-attention.
    The two attentions of a layer have four matrices each.""")

wrong("own-queries-with-matrix-of-the-other", {"split_heads(X @ own.W_Q": "split_heads(X @ cross.W_Q"}, """
    The queries of the self-attention are made with the W_Q of the attention to the source.
    The two attentions of a layer have four matrices each.""")

wrong.at(CACHE)
wrong("own-keys-with-matrices-of-the-other", {"project_memory(X, own": "project_memory(X, cross"}, """
    Keys and values of the new token are made with the matrices of the attention to the source.
    What is kept of the target's tokens belongs to the self-attention, which has W_K and W_V of its own.""")

wrong.at(STEP)
wrong("source-exchanged", {"layer.K_source, layer.V_source": "layer.V_source, layer.K_source"}, """
    The keys and the values of the source are swapped.
    Both have the same shape, so nothing complains. `masked_attention` takes the queries, the keys and the values.""")

wrong("own-exchanged", {"layer.K, layer.V)": "layer.V, layer.K)"}, """
    The self-attention reads the values as keys, and the keys as values.
    Both have the same shape, so nothing complains. `scaled_dot_product_attention` takes Q, K and V.""")

wrong.at(CACHE)
wrong("values-behind-keys", {"[layer.V, V]": "[layer.K, V]"}, """
    The new value is put behind the old keys, not behind the old values.
    Both have the same shape, so nothing complains. Keys go on from keys, values from values.""")

wrong("key-kept-as-value", {"[layer.V, V]": "[layer.V, K]"}, """
    The key of the new token is put behind the old values.
    Both have the same shape, so nothing complains. Keys go on from keys, values from values.""")

wrong.at(STEP)
take_one_attention(wrong, "self-attention-for-both", 1)
take_one_attention(wrong, "cross-attention-for-both", 2)

for whose, (id, queries) in QUERIES.items():
    wrong(f"{id}-by-W_K", {f"{whose}.W_Q": f"{whose}.W_K"}, f"""
    The {queries} are made with W_K.
    Queries, keys and values have a matrix each.""")

wrong("own-keys-as-values", {"layer.K, layer.V)": "layer.K, layer.K)"}, """
    The self-attention uses the keys as values, too.
    The weights come from queries and keys. What they average are the values.""")

wrong.at(POSITION)
wrong("source-table",
      {"embed(np.asarray(token_ids)[:, None], E)": "embed(token_ids[:, None], model.source_embedding)"}, """
    The words are looked up in the source's embedding.
    The ids are those of target words. The two languages have a table each.""")

wrong.at(STEP)
take_other_norms(wrong, {"norm-2-twice": (3, 2), "norm-1-twice": (2, 1), "norm-1-for-the-network": (3, 1)})

wrong("norms-1-and-2-exchanged", {"norm_1": "norm_2", "norm_2": "norm_1"}, """
    norm_1 and norm_2 are swapped.
    The norms are numbered in the order of their sub-layers.""")

KEEP_X = {"        own, cross =": "        X_in, own, cross = X,"}

wrong("input-of-the-layer-added-to-cross-attention",
      KEEP_X | {"X + merge_heads(attended) @ cross.W_O": "X_in + merge_heads(attended) @ cross.W_O"}, """
    What the attention to the source brings is added to the input of the layer, so the self-attention is lost.
    Each sub-layer adds to what has come out of the one before.""")

wrong("input-of-the-layer-added-to-the-network", KEEP_X | {"X + position_wise_ffn": "X_in + position_wise_ffn"}, """
    What the feed-forward network brings is added to the input of the layer, so both attentions are lost.
    Each sub-layer adds to what has come out of the one before.""")

wrong("network-gets-the-input-of-the-layer", KEEP_X | {"position_wise_ffn(X,": "position_wise_ffn(X_in,"}, """
    The feed-forward network gets the input of the layer, not what comes out of the two attentions.
    The sub-layers stand one behind the other.""")

take_other_norms(wrong, {"norm-3-for-attention-to-source": (2, 3), "norm-2-for-both-attentions": (1, 2)})

for number, sublayer, after in (
    (1, "self-attention", "merge_heads(attended) @ own.W_O"),
    (2, "attention to the source", "merge_heads(attended) @ cross.W_O"),
    (3, "feed-forward network", "position_wise_ffn(X, params.ffn)"),
):
    wrong(f"norm-{number}-missing", {f"layer_norm(X + {after}, *params.norm_{number})": f"X + {after}"}, f"""
    The sum behind the {sublayer} is not normalised.
    Each of the three sub-layers ends with a sum and a norm, here norm_{number}.""")

wrong.at(CACHE)
for name, place in (("key", "W_K"), ("value", "W_V")):
    wrong(f"{name}-with-matrix-of-the-other", {"(X, own,": f"(X, own._replace({place}=cross.{place}),"}, f"""
    The {name} of the new token is made with the {place} of the attention to the source.
    What is kept of the target's tokens belongs to the self-attention, which has W_K and W_V of its own.""")

for name, letter in (("key", "K"), ("value", "V")):
    wrong(f"{name}-in-front", {f"[layer.{letter}, {letter}]": f"[{letter}, layer.{letter}]"}, f"""
    The {name} of the new token is put in front of the old ones.
    Then keys and values of one token stand at different places. What is new comes at the end, in both arrays.""")

wrong.at(STEP)
wrong("queries-used-twice", {
    "split_heads(X @ own.W_Q, model.n_heads)": "(Q := split_heads(X @ own.W_Q, model.n_heads))",
    "split_heads(X @ cross.W_Q, model.n_heads)": "Q",
}, """
    The attention to the source takes the queries of the self-attention.
    It should make its own queries, with its own W_Q, from what comes out of the self-attention.""")

wrong.small(
    "position-0 position-from-1 position-one-behind no-position no-scale queries-before-self-attention "
    "one-norm-for-all norms-exchanged position-from-heads position-from-source keys-of-source-as-values "
    "no-residual-of-self-attention no-residual-of-cross-attention no-residual-of-ffn no-output-matrix "
    "half-of-width no-output-matrix-of-cross-attention no-output-matrix-of-self-attention "
    "output-matrix-of-self-attention-twice queries-to-the-source-not-projected own-queries-not-projected "
    "queries-to-the-source-with-own-matrix own-queries-with-matrix-of-the-other source-exchanged own-exchanged "
    "own-queries-by-W_K queries-to-the-source-by-W_K own-keys-as-values source-table norm-2-twice norm-1-twice "
    "norm-1-for-the-network norms-1-and-2-exchanged input-of-the-layer-added-to-cross-attention "
    "input-of-the-layer-added-to-the-network network-gets-the-input-of-the-layer norm-3-for-attention-to-source "
    "norm-2-for-both-attentions norm-1-missing norm-2-missing norm-3-missing queries-used-twice",
    logits,
)
