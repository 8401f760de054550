"""The known mistakes of `cached_decode_step` with the position of the newest token, with attention and norms."""

from autograder.exercises.unit_09_transformer.cached_decode_step_variants import step
from autograder.specification import KnownMistakes
from transformer_kit.reference import project_memory

STEP = "One token through all layers"
CACHE = "What the cache holds"
POSITION = "Which position is this?"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=POSITION)
def position_0(token_ids, cache, source_is_token, model):
    """Every token gets position 0.

    The token arrives alone, but it is not the first of its sentence. The cache knows how many came before.
    """
    return step(token_ids, cache, source_is_token, model, position=lambda n_before: 0)


@MISTAKES.add(where=POSITION)
def position_from_1(token_ids, cache, source_is_token, model):
    """The position is one too high.

    The first token, with an empty cache, stands at position 0.
    """
    return step(token_ids, cache, source_is_token, model, position=lambda n_before: n_before + 1)


@MISTAKES.add(where=POSITION)
def position_one_behind(token_ids, cache, source_is_token, model):
    """The position is that of the previous token.

    With one token in the cache, the new one is the second.
    """
    return step(token_ids, cache, source_is_token, model, position=lambda n_before: max(n_before - 1, 0))


@MISTAKES.add(where=POSITION)
def no_position(token_ids, cache, source_is_token, model):
    """No position is added.

    The keys in the cache were made from vectors with positions. The new token needs its own.
    """
    return step(token_ids, cache, source_is_token, model, position=lambda n_before: None)


@MISTAKES.add(where=POSITION)
def no_scale(token_ids, cache, source_is_token, model):
    """The embedding is not multiplied by the root of d_model.

    The new token enters as in `decode_target`, with the same factor.
    """
    return step(token_ids, cache, source_is_token, model, scale=1)


@MISTAKES.add(where=STEP)
def sees_only_itself(token_ids, cache, source_is_token, model):
    """The new token attends to itself alone.

    It needs the keys of all tokens so far, those in the cache and its own.
    """
    return step(token_ids, cache, source_is_token, model, own=lambda layer, K, V: layer._replace(K=K, V=V))


@MISTAKES.add(where=STEP)
def sees_only_the_others(token_ids, cache, source_is_token, model):
    """The new token attends to the tokens before it, and not to itself.

    The causal mask lets every token see itself. Put its key and value into the cache first, then attend.
    """
    return step(token_ids, cache, source_is_token, model, own=lambda layer, K, V: layer)


@MISTAKES.add(where=CACHE)
def source_projected_anew(token_ids, cache, source_is_token, model):
    """The keys and values of the source are projected from the target's vectors.

    They were made from the memory and are in the cache, as K_source and V_source. There is nothing left to project.
    """
    return step(token_ids, cache, source_is_token, model, look=lambda layer, *given: project_memory(*given))


@MISTAKES.add(where=CACHE)
def own_for_source(token_ids, cache, source_is_token, model):
    """The attention to the source reads the keys and values of the target.

    A layer's cache has four arrays: two of the target's tokens, two of the source's.
    """
    return step(
        token_ids, cache, source_is_token, model, look=lambda layer, *_: (layer.K, layer.V), visible=lambda mask: None
    )


@MISTAKES.add(where=STEP)
def no_source_mask(token_ids, cache, source_is_token, model):
    """The padding of the source is not hidden.

    The cache has keys and values of the padding, too.
    """
    return step(token_ids, cache, source_is_token, model, visible=lambda mask: None)


@MISTAKES.add(where=STEP)
def source_mask_inverted(token_ids, cache, source_is_token, model):
    """The mask shows the padding of the source and hides the words.

    True means “may attend”, and source_is_token is True where there is a word.
    """
    return step(token_ids, cache, source_is_token, model, visible=lambda mask: ~mask)


@MISTAKES.add(where=STEP)
def mask_without_heads(token_ids, cache, source_is_token, model):
    """The mask of the source has no axis for the heads.

    Keys and values come with an axis for the heads, second from the left. If the mask has none, its axis for the
    sentences lines up with the heads.
    """
    return step(token_ids, cache, source_is_token, model, visible=lambda mask: mask[:, 0])


@MISTAKES.add(where=STEP)
def queries_before_self_attention(token_ids, cache, source_is_token, model):
    """The queries to the source are made from the layer's input.

    The sub-layers follow each other: the second takes the output of the first.
    """
    return step(token_ids, cache, source_is_token, model, queries=lambda X, before: before)


@MISTAKES.add(where=STEP)
def one_norm_for_all(token_ids, cache, source_is_token, model):
    """All three sub-layers use norm_1.

    Each sub-layer has a norm of its own.
    """
    return step(token_ids, cache, source_is_token, model, norms=("norm_1", "norm_1", "norm_1"))


@MISTAKES.add(where=STEP)
def norms_exchanged(token_ids, cache, source_is_token, model):
    """norm_2 and norm_3 are swapped.

    The norms are numbered in the order of the sub-layers.
    """
    return step(token_ids, cache, source_is_token, model, norms=("norm_1", "norm_3", "norm_2"))


@MISTAKES.add(where=POSITION)
def position_from_heads(token_ids, cache, source_is_token, model):
    """The position is the number of heads.

    K has the shape `(B, n_heads, n_before, d_k)`: the tokens are counted by the second to last axis.
    """
    return step(token_ids, cache, source_is_token, model, position=lambda n_before: model.n_heads)


@MISTAKES.add(where=POSITION)
def position_from_source(token_ids, cache, source_is_token, model):
    """The position is the length of the source.

    What counts is how many tokens of the *target* came before. The cache has their keys in K, not in K_source.
    """
    return step(token_ids, cache, source_is_token, model, position=lambda n_before: source_is_token.shape[-1])


@MISTAKES.add(where=STEP)
def keys_of_source_as_values(token_ids, cache, source_is_token, model):
    """The attention to the source uses the keys as values, too.

    The cache has both: K_source says how much, V_source what.
    """
    return step(token_ids, cache, source_is_token, model, look=lambda layer, *_: (layer.K_source, layer.K_source))
