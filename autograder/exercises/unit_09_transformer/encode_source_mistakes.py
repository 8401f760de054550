"""The known mistakes of `encode_source` with the input of its first layer."""

from autograder.exercises.unit_09_transformer.embedding_variants import (
    both_scaled,
    embedded,
    with_short_table,
    without_positions,
)
from autograder.exercises.unit_09_transformer.encode_source_variants import from_input, through
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import padding_mask

INPUT = "The input of the first layer"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=INPUT)
def no_scale(source_ids, source_is_token, model):
    """The embeddings are not multiplied by the root of d_model.

    The entries of the table are small, and next to the positions, which go up to 1, the words would be drowned out.
    Section 3.4 of the paper has the factor.
    """
    return from_input(source_ids, source_is_token, model, scale=1)


@MISTAKES.add(where=INPUT)
def scale_on_positions(source_ids, source_is_token, model):
    """The positions are multiplied by the root of d_model, too.

    The factor belongs to the embeddings alone. First scale, then add.
    """
    return from_input(source_ids, source_is_token, model, scale=1, combine=both_scaled(model.source_embedding))


@MISTAKES.add(where=INPUT)
def positions_scaled_only(source_ids, source_is_token, model):
    """The positions are multiplied by the root of d_model, and the embeddings are not.

    The factor belongs to the embeddings: it lifts the words above the positions.
    """
    d_model = model.source_embedding.shape[-1]
    return from_input(source_ids, source_is_token, model, scale=1, combine=lambda X, P: X + P * d_model**0.5)


@MISTAKES.add(where=INPUT)
def divided_by_root(source_ids, source_is_token, model):
    """The embeddings are divided by the root of d_model.

    Scores are divided by a root. Embeddings are multiplied by one.
    """
    return from_input(source_ids, source_is_token, model, scale=model.source_embedding.shape[-1] ** -0.5)


@MISTAKES.add(where=INPUT)
def times_d_model(source_ids, source_is_token, model):
    """The embeddings are multiplied by d_model, not by its root.

    Look at the formula once more: there is a root.
    """
    return from_input(source_ids, source_is_token, model, scale=model.source_embedding.shape[-1])


@MISTAKES.add(where=INPUT)
def root_of_length(source_ids, source_is_token, model):
    """The embeddings are multiplied by the root of the number of tokens.

    What counts is the width of the vectors, not how many there are. Which axis is which?
    """
    return from_input(source_ids, source_is_token, model, scale=source_ids.shape[-1] ** 0.5)


@MISTAKES.add(where=INPUT)
def no_positions(source_ids, source_is_token, model):
    """The positions are not added.

    Without them the encoder reads a bag of words: it cannot tell who does what.
    """
    return from_input(source_ids, source_is_token, model, combine=without_positions)


@MISTAKES.add(where=INPUT)
def positions_from_1(source_ids, source_is_token, model):
    """The positions are counted from 1.

    The first word has the first row of the table, position 0. The model translates nearly as well from position 1
    on, so only a comparison of numbers shows it.
    """
    return from_input(source_ids, source_is_token, model, first=1)


@MISTAKES.add(where=INPUT)
def target_table(source_ids, source_is_token, model):
    """The words are looked up in the target's embedding.

    The ids are those of English words. The other table has the vectors of Spanish ones.
    """
    return reference.encode_source(source_ids, source_is_token, model._replace(source_embedding=model.target_embedding))


@MISTAKES.add(where=INPUT)
def table_scaled_in_place(source_ids, source_is_token, model):
    """The model's table is scaled in place.

    The first call is right, and every further one multiplies again. Scale what you have looked up, not the table.
    """
    model.source_embedding[...] *= model.source_embedding.shape[-1] ** 0.5
    return through(embedded(source_ids, model.source_embedding, scale=1), model, padding_mask(source_is_token))


@MISTAKES.add(where=INPUT)
def half_of_width(source_ids, source_is_token, model):
    """The embeddings are multiplied by half of d_model.

    `d_model ** 1 / 2` divides by 2, because `**` comes before `/`. The root is `d_model ** 0.5`.
    """
    return from_input(source_ids, source_is_token, model, scale=model.source_embedding.shape[-1] / 2)


@MISTAKES.add(where=INPUT)
def root_of_vocabulary(source_ids, source_is_token, model):
    """The embeddings are multiplied by the root of the number of words.

    The table has a row for each word. Its width, the last axis, is d_model.
    """
    return from_input(source_ids, source_is_token, model, scale=len(model.source_embedding) ** 0.5)


@MISTAKES.add(where=INPUT)
def short_table(source_ids, source_is_token, model):
    """The positions come from a table of 100 rows.

    Models differ in how long a sequence may be. Make as many positions as there are tokens.
    """
    return from_input(source_ids, source_is_token, model, combine=with_short_table)
