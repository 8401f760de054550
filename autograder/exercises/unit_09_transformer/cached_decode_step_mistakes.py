"""The known mistakes of `cached_decode_step`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit.reference import (
    embed,
    layer_norm,
    masked_attention,
    merge_heads,
    padding_mask,
    position_wise_ffn,
    positional_encoding,
    project_memory,
    scaled_dot_product_attention,
    split_heads,
)

SECTION = "Exercise 9.6: cached_decode_step"
STEP = "One token through all layers"
CACHE = "What the cache holds"
POSITION = "Which position is this?"


def _step(
    *,
    position=lambda n_before: n_before,
    scale=None,
    own=None,
    kept=None,
    look=None,
    visible=lambda mask: mask,
    queries=lambda X, before: X,
    matrix=None,
    norms=("norm_1", "norm_2", "norm_3"),
):
    """Make a decoding step with something changed; what is not given is right.

    Parameters
    ----------
    position : callable
        Makes of the number of earlier tokens that of the new one; None for no position.
    scale : float, optional
        The factor of the embedding.
    own : callable, optional
        ``own(layer, K, V)``: the cache of a layer that the self-attention reads.
    kept : callable, optional
        ``kept(layer, extended)``: the cache of a layer that is returned.
    look : callable, optional
        ``look(layer, X, cross, n_heads)``: the keys and values of the source.
    visible : callable
        Changes the mask of the source.
    queries : callable
        ``queries(X, before)``: what the queries to the source are made of; `before` is the input of the layer.
    matrix : callable, optional
        The output matrix of a model.
    norms : tuple of str
    """

    def step(token_ids, cache, source_is_token, model):
        E, layers = model.target_embedding, []
        n_before, d_model = cache[0].K.shape[-2], E.shape[-1]
        X = embed(np.asarray(token_ids)[:, None], E) * (d_model**0.5 if scale is None else scale)
        if position(n_before) is not None:
            P = positional_encoding(position(n_before) + 1, d_model)[-1:]
            X = X + P.astype(X.dtype)
        mask = visible(padding_mask(source_is_token)[:, None])
        for params, layer in zip(model.decoder, cache, strict=True):
            mine, cross = params.self_attention, params.cross_attention
            K, V = project_memory(X, mine, model.n_heads)
            extended = _extended(layer, K, V)
            read = extended if own is None else own(layer, K, V)
            attended, _ = scaled_dot_product_attention(split_heads(X @ mine.W_Q, model.n_heads), read.K, read.V)
            before, X = X, layer_norm(X + merge_heads(attended) @ mine.W_O, *getattr(params, norms[0]))
            K_source, V_source = (
                (layer.K_source, layer.V_source) if look is None else look(layer, X, cross, model.n_heads)
            )
            Q = split_heads(queries(X, before) @ cross.W_Q, model.n_heads)
            attended, _ = masked_attention(Q, K_source, V_source, mask)
            X = layer_norm(X + merge_heads(attended) @ cross.W_O, *getattr(params, norms[1]))
            X = layer_norm(X + position_wise_ffn(X, params.ffn), *getattr(params, norms[2]))
            layers.append(extended if kept is None else kept(layer, extended))
        output = (matrix or _matrix)(model)
        return (X @ output)[:, 0], tuple(layers)

    return step


def _extended(layer, K, V):
    """Put the new token's keys and values at the end."""
    return layer._replace(K=np.concatenate([layer.K, K], axis=-2), V=np.concatenate([layer.V, V], axis=-2))


def _matrix(model):
    return model.target_embedding.T if model.output_projection is None else model.output_projection


def _at_the_front(layer, extended):
    newest = np.s_[:, :, -1:]
    K = np.concatenate([extended.K[newest], layer.K], axis=-2)
    return layer._replace(K=K, V=np.concatenate([extended.V[newest], layer.V], axis=-2))


def _source_extended(layer, extended):
    newest = np.s_[:, :, -1:]
    K_source = np.concatenate([layer.K_source, extended.K[newest]], axis=-2)
    V_source = np.concatenate([layer.V_source, extended.V[newest]], axis=-2)
    return extended._replace(K_source=K_source, V_source=V_source)


def _token_axis_kept(token_ids, cache, source_is_token, model):
    logits, kept = _step()(token_ids, cache, source_is_token, model)
    return logits[:, None], kept


def _logits_only(token_ids, cache, source_is_token, model):
    return _step()(token_ids, cache, source_is_token, model)[0]


def _only_last_layer(token_ids, cache, source_is_token, model):
    logits, kept = _step()(token_ids, cache, source_is_token, model)
    return logits, kept[-1]


def _one_cache_for_all(token_ids, cache, source_is_token, model):
    return _step()(token_ids, cache[:1] * len(cache), source_is_token, model)


def _overwritten(token_ids, cache, source_is_token, model):
    logits, kept = _step()(token_ids, cache, source_is_token, model)
    for old, new in zip(cache, kept, strict=True):
        if old.K.shape[-2]:
            old.K[:, :, -1:], old.V[:, :, -1:] = new.K[:, :, -1:], new.V[:, :, -1:]
    return logits, kept


MISTAKES = (
    Mistake(
        "position-0",
        "Every token gets position 0",
        _step(position=lambda n_before: 0),
        "The token comes alone, but it does not stand at the beginning. The cache knows how many came before.",
        POSITION,
    ),
    Mistake(
        "position-from-1",
        "The position is one too high",
        _step(position=lambda n_before: n_before + 1),
        "The first token, with an empty cache, stands at position 0.",
        POSITION,
    ),
    Mistake(
        "position-one-behind",
        "The position is that of the token before",
        _step(position=lambda n_before: max(n_before - 1, 0)),
        "With one token in the cache, the new one is the second.",
        POSITION,
    ),
    Mistake(
        "no-position",
        "No position is added",
        _step(position=lambda n_before: None),
        "The keys in the cache were made of vectors with their positions. The new token needs its own.",
        POSITION,
    ),
    Mistake(
        "no-scale",
        "The embedding is not multiplied by the root of d_model",
        _step(scale=1),
        "The new token enters as in `decode_target`, with the same factor.",
        POSITION,
    ),
    Mistake(
        "sees-only-itself",
        "The new token attends to itself alone",
        _step(own=lambda layer, K, V: layer._replace(K=K, V=V)),
        "Its keys are those of all tokens so far, the kept ones and its own.",
        STEP,
    ),
    Mistake(
        "sees-only-the-others",
        "The new token attends to the tokens before it, and not to itself",
        _step(own=lambda layer, K, V: layer),
        "The causal mask lets every token see itself. Put its key and value into the cache first, then attend.",
        STEP,
    ),
    Mistake(
        "source-projected-anew",
        "The keys and values of the source are projected from the target's vectors",
        _step(look=lambda layer, X, cross, n_heads: project_memory(X, cross, n_heads)),
        "They come from the memory and have been kept, in K_source and V_source. There is nothing left to project.",
        CACHE,
    ),
    Mistake(
        "own-for-source",
        "The attention to the source reads the keys and values of the target",
        _step(
            look=lambda layer, X, cross, n_heads: (layer.K, layer.V),
            visible=lambda mask: None,
        ),
        "A layer's cache has four arrays: two of the target's tokens, two of the source's.",
        CACHE,
    ),
    Mistake(
        "no-source-mask",
        "The padding of the source is not hidden",
        _step(visible=lambda mask: None),
        "The cache has keys and values of the padding, too.",
        STEP,
    ),
    Mistake(
        "source-mask-inverted",
        "The mask shows the padding of the source and hides the words",
        _step(visible=lambda mask: ~mask),
        "True means “may attend”, and source_is_token is True where there is a word.",
        STEP,
    ),
    Mistake(
        "mask-without-heads",
        "The mask of the source has no axis for the heads",
        _step(visible=lambda mask: mask[:, 0]),
        "Keys and values come with an axis for the heads, second from the left. Where the mask has none, its axis of "
        "sentences meets the heads.",
        STEP,
    ),
    Mistake(
        "queries-before-self-attention",
        "The queries to the source are made of the layer's input",
        _step(queries=lambda X, before: before),
        "The sub-layers follow each other: the second one takes what the first one has made.",
        STEP,
    ),
    Mistake(
        "one-norm-for-all",
        "All three sub-layers use norm_1",
        _step(norms=("norm_1", "norm_1", "norm_1")),
        "Each sub-layer has a norm of its own.",
        STEP,
    ),
    Mistake(
        "norms-exchanged",
        "norm_2 and norm_3 have changed places",
        _step(norms=("norm_1", "norm_3", "norm_2")),
        "The norms are numbered in the order of the sub-layers.",
        STEP,
    ),
    Mistake(
        "not-extended",
        "The cache is returned as it came",
        _step(kept=lambda layer, extended: layer),
        "At the next step this token will be one of those before. Its keys and values have to be there.",
        CACHE,
    ),
    Mistake(
        "only-newest-kept",
        "The cache returned holds the newest token alone",
        _step(kept=lambda layer, extended: extended._replace(K=extended.K[:, :, -1:], V=extended.V[:, :, -1:])),
        "It has to hold the keys and values of all tokens so far.",
        CACHE,
    ),
    Mistake(
        "at-the-front",
        "The newest token stands at the front of the cache",
        _step(kept=_at_the_front),
        "Attention would not mind, but the order of the cache is the order of the sentence.",
        CACHE,
    ),
    Mistake(
        "source-extended",
        "The source's keys and values grow, too",
        _step(kept=_source_extended),
        "The source is known from the beginning, and nothing is added to it.",
        CACHE,
    ),
    Mistake(
        "keys-for-values",
        "Keys are kept in the place of the values",
        _step(kept=lambda layer, extended: extended._replace(V=np.concatenate([layer.V, extended.K[:, :, -1:]], -2))),
        "Every token leaves two things behind: what it is found by, and what it says.",
        CACHE,
    ),
    Mistake(
        "last-layer-only",
        "Only the last layer's cache is returned",
        _only_last_layer,
        "Every layer of the decoder has keys and values of its own, and so an entry of its own.",
        CACHE,
    ),
    Mistake(
        "one-cache-for-all",
        "All layers use the cache of the first one",
        _one_cache_for_all,
        "Every layer of the decoder has keys and values of its own, and so an entry of its own.",
        CACHE,
    ),
    Mistake(
        "old-cache-overwritten",
        "The last entries of the old cache are overwritten",
        _overwritten,
        "The old cache may be needed again: a beam search goes on from it in several ways.",
        CACHE,
    ),
    Mistake(
        "own-projection-ignored",
        "The logits are always made with the target's embedding",
        _step(matrix=lambda model: model.target_embedding.T),
        "A model may have a matrix of its own for them, as in `decode_target`.",
        STEP,
    ),
    Mistake(
        "axis-kept",
        "The logits have an axis for the one position",
        _token_axis_kept,
        "One row for each sequence is asked for: (B, V).",
        STEP,
    ),
    Mistake(
        "logits-only",
        "The cache is not returned",
        _logits_only,
        "Two results are asked for: logits, and the cache for the next step.",
        STEP,
    ),
)
