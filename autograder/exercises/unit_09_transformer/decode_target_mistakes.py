"""The known mistakes of `decode_target` with its input and its masks."""

import numpy as np

from autograder.exercises.unit_09_transformer.decode_target_variants import from_input, matrix, through, under_masks
from autograder.exercises.unit_09_transformer.embedding_variants import (
    both_scaled,
    embedded,
    with_short_table,
    without_positions,
)
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.corpus.vocabulary import BOS

INPUT = "The input of the first layer"
STACK = "The decoder's stack"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=INPUT)
def no_scale(target_ids, memory, source_is_token, model):
    """The embeddings are not multiplied by the root of d_model.

    The decoder begins as the encoder does, with the same factor.
    """
    X = embedded(target_ids, model.target_embedding, scale=1)
    return from_input(X, memory, source_is_token, model)


@MISTAKES.add(where=INPUT)
def scale_on_positions(target_ids, memory, source_is_token, model):
    """The positions are multiplied by the root of d_model, too.

    The factor belongs to the embeddings alone. First scale, then add.
    """
    X = embedded(target_ids, model.target_embedding, scale=1, combine=both_scaled(model.target_embedding))
    return from_input(X, memory, source_is_token, model)


@MISTAKES.add(where=INPUT)
def divided_by_root(target_ids, memory, source_is_token, model):
    """The embeddings are divided by the root of d_model.

    Scores are divided by a root. Embeddings are multiplied by one.
    """
    X = embedded(target_ids, model.target_embedding, scale=model.target_embedding.shape[-1] ** -0.5)
    return from_input(X, memory, source_is_token, model)


@MISTAKES.add(where=INPUT)
def times_d_model(target_ids, memory, source_is_token, model):
    """The embeddings are multiplied by d_model, not by its root.

    Look at the formula once more: there is a root.
    """
    X = embedded(target_ids, model.target_embedding, scale=model.target_embedding.shape[-1])
    return from_input(X, memory, source_is_token, model)


@MISTAKES.add(where=INPUT)
def no_positions(target_ids, memory, source_is_token, model):
    """The positions are not added.

    The words that are already written have an order, too, and attention is blind to it.
    """
    X = embedded(target_ids, model.target_embedding, combine=without_positions)
    return from_input(X, memory, source_is_token, model)


@MISTAKES.add(where=INPUT)
def positions_from_1(target_ids, memory, source_is_token, model):
    """The positions are counted from 1.

    The start symbol stands at position 0.
    """
    X = embedded(target_ids, model.target_embedding, first=1)
    return from_input(X, memory, source_is_token, model)


@MISTAKES.add(where=INPUT)
def source_table(target_ids, memory, source_is_token, model):
    """The words are looked up in the source's embedding.

    The ids are those of Spanish words. The other table has the vectors of English ones.
    """
    return through(embedded(target_ids, model.source_embedding), memory, source_is_token, model) @ matrix(model)


@MISTAKES.add(where=INPUT)
def shifted_again(target_ids, memory, source_is_token, model):
    """A start symbol is put in front, and the last word is lost.

    The rows of target_ids begin with the start symbol already. In training the target is shifted before it gets here,
    and when decoding it grows word by word; this function does neither.
    """
    shifted = np.concatenate([np.full_like(target_ids[:, :1], BOS), target_ids[:, :-1]], axis=1)
    return reference.decode_target(shifted, memory, source_is_token, model)


@MISTAKES.add(where=STACK)
def no_causal_mask(target_ids, memory, source_is_token, model):
    """There is no causal mask.

    Every position has to predict the word that comes next, and without the mask it can look it up.
    """
    return under_masks(lambda causal, padding: (None, padding), target_ids, memory, source_is_token, model)


@MISTAKES.add(where=STACK)
def no_source_mask(target_ids, memory, source_is_token, model):
    """The padding of the source is not hidden.

    The memory has rows for padding, too. Every layer of the decoder needs the mask that hides them.
    """
    return under_masks(lambda causal, padding: (causal, None), target_ids, memory, source_is_token, model)


@MISTAKES.add(where=STACK)
def masks_exchanged(target_ids, memory, source_is_token, model):
    """The causal mask and the mask of the source are swapped.

    The first mask is for the self-attention, whose keys are words of the target; the second one for the attention
    to the source.
    """
    return under_masks(lambda causal, padding: (padding, causal), target_ids, memory, source_is_token, model)


@MISTAKES.add(where=STACK)
def source_mask_for_both(target_ids, memory, source_is_token, model):
    """The mask of the source is used in the self-attention, too.

    In the self-attention the keys are words of the target, and what comes later has to be hidden.
    """
    return under_masks(lambda causal, padding: (padding, padding), target_ids, memory, source_is_token, model)


@MISTAKES.add(where=STACK)
def cannot_see_itself(target_ids, memory, source_is_token, model):
    """The causal mask hides every word from itself, too.

    A position predicts the word after its own, so its own may be seen.
    """
    return under_masks(
        lambda causal, padding: (np.tri(len(causal), k=-1, dtype=bool), padding),
        target_ids,
        memory,
        source_is_token,
        model,
    )


@MISTAKES.add(where=STACK)
def looks_ahead(target_ids, memory, source_is_token, model):
    """The causal mask is off by one: every word sees the next one.

    The next word is the very one that has to be predicted.
    """
    return under_masks(
        lambda causal, padding: (np.tri(len(causal), k=1, dtype=bool), padding),
        target_ids,
        memory,
        source_is_token,
        model,
    )


@MISTAKES.add(where=STACK)
def causal_transposed(target_ids, memory, source_is_token, model):
    """The causal mask is transposed: every word sees itself and what comes later.

    Rows of a mask belong to queries, columns to keys.
    """
    return under_masks(lambda causal, padding: (causal.T, padding), target_ids, memory, source_is_token, model)


@MISTAKES.add(where=INPUT)
def half_of_width(target_ids, memory, source_is_token, model):
    """The embeddings are multiplied by half of d_model.

    `d_model ** 1 / 2` divides by 2, because `**` comes before `/`. The root is `d_model ** 0.5`.
    """
    X = embedded(target_ids, model.target_embedding, scale=model.target_embedding.shape[-1] / 2)
    return from_input(X, memory, source_is_token, model)


@MISTAKES.add(where=INPUT)
def root_of_vocabulary(target_ids, memory, source_is_token, model):
    """The embeddings are multiplied by the root of the number of words.

    The table has a row for each word. Its width, the last axis, is d_model.
    """
    X = embedded(target_ids, model.target_embedding, scale=len(model.target_embedding) ** 0.5)
    return from_input(X, memory, source_is_token, model)


@MISTAKES.add(where=INPUT)
def short_table(target_ids, memory, source_is_token, model):
    """The positions come from a table of 100 rows.

    Models differ in how long a sequence may be. Make as many positions as there are tokens.
    """
    X = embedded(target_ids, model.target_embedding, combine=with_short_table)
    return from_input(X, memory, source_is_token, model)


@MISTAKES.add(where=STACK)
def mask_of_source_length(target_ids, memory, source_is_token, model):
    """The causal mask has the length of the source.

    It hides later words of the target, so it has a row and a column for each of these.
    """
    own = reference.causal_mask(memory.shape[-2])
    return under_masks(lambda causal, padding: (own, padding), target_ids, memory, source_is_token, model)
