"""The known mistakes of `cached_decode_step` with the cache that it returns, and with the logits."""

import numpy as np

from autograder.exercises.unit_09_transformer.cached_decode_step_mistakes import CACHE, STEP
from autograder.exercises.unit_09_transformer.cached_decode_step_variants import step
from autograder.specification import KnownMistakes

MISTAKES = KnownMistakes()


@MISTAKES.add(where=CACHE)
def not_extended(token_ids, cache, source_is_token, model):
    """The cache is returned as it came.

    At the next step this token will be one of those before. Its keys and values have to be there.
    """
    return step(token_ids, cache, source_is_token, model, kept=lambda layer, extended: layer)


@MISTAKES.add(where=CACHE)
def only_newest_kept(token_ids, cache, source_is_token, model):
    """The cache returned holds the newest token alone.

    It has to hold the keys and values of all tokens so far.
    """

    def newest(layer, extended):
        return extended._replace(K=extended.K[:, :, -1:], V=extended.V[:, :, -1:])

    return step(token_ids, cache, source_is_token, model, kept=newest)


def _at_the_front(layer, extended):
    newest = np.s_[:, :, -1:]
    K = np.concatenate([extended.K[newest], layer.K], axis=-2)
    return layer._replace(K=K, V=np.concatenate([extended.V[newest], layer.V], axis=-2))


@MISTAKES.add(where=CACHE)
def at_the_front(token_ids, cache, source_is_token, model):
    """The newest token stands at the front of the cache.

    Attention would not mind, but the order of the cache is the order of the sentence.
    """
    return step(token_ids, cache, source_is_token, model, kept=_at_the_front)


def _source_extended(layer, extended):
    newest = np.s_[:, :, -1:]
    K_source = np.concatenate([layer.K_source, extended.K[newest]], axis=-2)
    V_source = np.concatenate([layer.V_source, extended.V[newest]], axis=-2)
    return extended._replace(K_source=K_source, V_source=V_source)


@MISTAKES.add(where=CACHE)
def source_extended(token_ids, cache, source_is_token, model):
    """The source's keys and values grow, too.

    The source is known from the beginning, and nothing is added to it.
    """
    return step(token_ids, cache, source_is_token, model, kept=_source_extended)


@MISTAKES.add(where=CACHE)
def keys_for_values(token_ids, cache, source_is_token, model):
    """Keys are kept in place of the values.

    Every token leaves two things behind: what it is found by, and what it says.
    """

    def mixed(layer, extended):
        return extended._replace(V=np.concatenate([layer.V, extended.K[:, :, -1:]], -2))

    return step(token_ids, cache, source_is_token, model, kept=mixed)


@MISTAKES.add(where=CACHE)
def last_layer_only(token_ids, cache, source_is_token, model):
    """Only the last layer's cache is returned.

    Every layer of the decoder has keys and values of its own, and so an entry of its own.
    """
    logits, kept = step(token_ids, cache, source_is_token, model)
    return logits, kept[-1]


@MISTAKES.add(where=CACHE)
def one_cache_for_all(token_ids, cache, source_is_token, model):
    """All layers use the cache of the first one.

    Every layer of the decoder has keys and values of its own, and so an entry of its own.
    """
    return step(token_ids, cache[:1] * len(cache), source_is_token, model)


@MISTAKES.add(where=CACHE)
def old_cache_overwritten(token_ids, cache, source_is_token, model):
    """The last entries of the old cache are overwritten.

    The old cache may be needed again: a beam search goes on from it in several ways.
    """
    logits, kept = step(token_ids, cache, source_is_token, model)
    for old, new in zip(cache, kept, strict=True):
        if old.K.shape[-2]:
            old.K[:, :, -1:], old.V[:, :, -1:] = new.K[:, :, -1:], new.V[:, :, -1:]
    return logits, kept


@MISTAKES.add(where=STEP)
def own_projection_ignored(token_ids, cache, source_is_token, model):
    """The logits are always made with the target's embedding.

    A model may have a matrix of its own for them, as in `decode_target`.
    """
    return step(token_ids, cache, source_is_token, model, matrix=lambda model: model.target_embedding.T)


@MISTAKES.add(where=STEP)
def axis_kept(token_ids, cache, source_is_token, model):
    """The logits have an axis for the one position.

    The result has one row for each sequence: (B, V).
    """
    logits, kept = step(token_ids, cache, source_is_token, model)
    return logits[:, None], kept


@MISTAKES.add(where=STEP)
def logits_only(token_ids, cache, source_is_token, model):
    """The cache is not returned.

    The task asks for two results: logits, and the cache for the next step.
    """
    return step(token_ids, cache, source_is_token, model)[0]
