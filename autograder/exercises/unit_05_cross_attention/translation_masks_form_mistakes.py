"""The known mistakes of `translation_masks` with the form of the masks, and with what they are made from."""

import numpy as np

from autograder.exercises.unit_05_cross_attention.translation_masks_mistakes import KEYS, PLACES, around
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import causal_mask, padding_mask

SECTION = "Exercise 5.5: translation_masks"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=PLACES)
def no_query_axis(source_is_token, target_is_token):
    """The axis for the queries is missing in the encoder and cross masks.

    Without it, NumPy lines the sentences up with the queries. Your `padding_mask` of unit 03 adds the axis.
    """
    _, decoder, _ = reference.translation_masks(source_is_token, target_is_token)
    return source_is_token, decoder, source_is_token


@MISTAKES.add(where=PLACES)
def inverted(source_is_token, target_is_token):
    """True and False are exchanged.

    In this course True means “may attend”.
    """
    return tuple(~mask for mask in reference.translation_masks(source_is_token, target_is_token))


@MISTAKES.add(where=PLACES)
def ones_and_zeros(source_is_token, target_is_token):
    """The masks hold the numbers 1 and 0.

    Masks are boolean in this course, so that `~` and `&` work on them.
    """
    return tuple(mask.astype(float) for mask in reference.translation_masks(source_is_token, target_is_token))


@MISTAKES.add(where=PLACES)
def additive(source_is_token, target_is_token):
    """The masks hold 0 and minus infinity.

    That is the form that is added to the scores. The attention makes it out of a boolean mask.
    """
    masks = reference.translation_masks(source_is_token, target_is_token)
    return tuple(reference.additive_mask(mask) for mask in masks)


@MISTAKES.add(where=PLACES)
def axis_for_heads(source_is_token, target_is_token):
    """The masks have an axis for the heads.

    Your attention adds that axis itself. Here a mask has three axes: sentence, query, key.
    """
    return tuple(mask[:, None] for mask in reference.translation_masks(source_is_token, target_is_token))


@MISTAKES.add(where=SECTION)
def decoder_last(source_is_token, target_is_token):
    """The decoder mask comes last and the cross mask second.

    The order is encoder, decoder, cross.
    """
    encoder, decoder, cross = reference.translation_masks(source_is_token, target_is_token)
    return encoder, cross, decoder


@MISTAKES.add(where=PLACES)
def no_room(source_is_token, target_is_token):
    """The padding is written into the causal mask in place.

    There is one causal mask for all sentences, but the result differs from sentence to sentence. It needs one more
    axis, so make a new array.
    """
    decoder = causal_mask(target_is_token.shape[1])
    decoder &= padding_mask(target_is_token)
    return padding_mask(source_is_token), decoder, padding_mask(source_is_token)


@MISTAKES.add(where=PLACES)
def length_of_source(source_is_token, target_is_token):
    """The causal mask of the decoder is as large as the source.

    In the decoder's self-attention queries and keys are both target positions. How long the source is does not
    matter there.
    """
    decoder = causal_mask(source_is_token.shape[1]) & padding_mask(target_is_token)
    return padding_mask(source_is_token), decoder, padding_mask(source_is_token)


@MISTAKES.add(where=PLACES)
def length_of_batch(source_is_token, target_is_token):
    """The causal mask of the decoder is as large as the batch.

    `len` counts the sentences. The causal mask is about the positions of one of them.
    """
    decoder = causal_mask(len(target_is_token)) & padding_mask(target_is_token)
    return around(decoder, source_is_token)


@MISTAKES.add(where=KEYS)
def padding_without_axis(source_is_token, target_is_token):
    """The padding of the target meets the causal mask without an axis for the queries.

    Without it, NumPy lines the sentences up with the queries. Your `padding_mask` of unit 03 adds the axis.
    """
    return around(causal_mask(target_is_token.shape[1]) & target_is_token, source_is_token)


@MISTAKES.add(where=PLACES)
def sides_exchanged(source_is_token, target_is_token):
    """The encoder mask is made from the target and the decoder mask from the source.

    The encoder reads the source sentence, and the decoder writes the target sentence.
    """
    _, decoder, encoder = reference.translation_masks(target_is_token, source_is_token)
    return encoder, decoder, padding_mask(source_is_token)


@MISTAKES.add(where=KEYS)
def by_number(source_is_token, target_is_token):
    """The tokens are counted, and the padding is taken to come after them.

    How many tokens there are does not say where they are. The arguments say so, place by place.
    """
    source, target = (np.sort(is_token, axis=-1)[:, ::-1] for is_token in (source_is_token, target_is_token))
    return reference.translation_masks(source, target)
