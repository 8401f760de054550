"""The known mistakes of `translation_masks` with what each of the three masks hides."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import causal_mask, padding_mask

PLACES = "Which mask goes where"
KEYS = "Keys are hidden, never queries"

MISTAKES = KnownMistakes()


def around(decoder, source_is_token):
    """Return a wrong mask of the decoder between the right ones."""
    encoder = padding_mask(source_is_token)
    return encoder, decoder, encoder


@MISTAKES.add(where=PLACES)
def cross_by_target(source_is_token, target_is_token):
    """The cross mask hides the padding of the target.

    In cross-attention the keys are source tokens. The mask is about the keys, so it is made from the source.
    """
    encoder, decoder, _ = reference.translation_masks(source_is_token, target_is_token)
    return encoder, decoder, padding_mask(target_is_token)


@MISTAKES.add(where=KEYS)
def cross_hides_both(source_is_token, target_is_token):
    """The cross mask hides padding of the target, too.

    A target position is a query here. What a padding position finds is thrown away later, so there is no need to
    hide anything from it.
    """
    encoder, decoder, cross = reference.translation_masks(source_is_token, target_is_token)
    return encoder, decoder, cross & target_is_token[:, :, None]


@MISTAKES.add(where=PLACES)
def cross_causal(source_is_token, target_is_token):
    """The cross mask is causal.

    The source is known from its first to its last word before the first target word is written. Word order differs
    between languages, so the word that is needed may stand anywhere.
    """
    encoder, decoder, cross = reference.translation_masks(source_is_token, target_is_token)
    return encoder, decoder, cross & np.tri(target_is_token.shape[1], source_is_token.shape[1], dtype=bool)


@MISTAKES.add(where=PLACES)
def cross_repeated(source_is_token, target_is_token):
    """The row of the cross mask is copied once for every target position.

    It hides the right things. But all target positions see the same source tokens, and an axis of length 1 says so
    for any number of them.
    """
    encoder, decoder, cross = reference.translation_masks(source_is_token, target_is_token)
    return encoder, decoder, np.repeat(cross, target_is_token.shape[1], axis=1)


@MISTAKES.add(where=PLACES)
def encoder_causal(source_is_token, target_is_token):
    """The encoder mask is causal.

    The whole source sentence is given, so each of its tokens may look at all others. Only the decoder has a future.
    """
    encoder, decoder, cross = reference.translation_masks(source_is_token, target_is_token)
    return encoder & causal_mask(source_is_token.shape[1]), decoder, cross


@MISTAKES.add(where=KEYS)
def encoder_hides_both(source_is_token, target_is_token):
    """The encoder mask hides padding as a key and as a query.

    Nobody reads what a padding query computes, and a row in which nothing is visible is a risk of its own.
    """
    encoder, decoder, cross = reference.translation_masks(source_is_token, target_is_token)
    return encoder & source_is_token[:, :, None], decoder, cross


@MISTAKES.add(where=PLACES)
def decoder_not_causal(source_is_token, target_is_token):
    """The decoder mask hides padding only.

    Then every target position can read the word that it is to predict.
    """
    return around(padding_mask(target_is_token), source_is_token)


@MISTAKES.add(where=PLACES)
def decoder_without_padding(source_is_token, target_is_token):
    """The decoder mask is causal only.

    After the last token the causal mask alone hides the padding from every token. But padding may also stand in front
    of a sentence, so hide it by name.
    """
    causal = causal_mask(target_is_token.shape[1])
    return around(np.repeat(causal[None], len(target_is_token), axis=0), source_is_token)


@MISTAKES.add(where=PLACES)
def decoder_or(source_is_token, target_is_token):
    """The decoder mask allows what either of its two masks allows.

    A pair is allowed only if both masks allow it.
    """
    causal = causal_mask(target_is_token.shape[1])
    return around(causal | target_is_token[:, None, :], source_is_token)


@MISTAKES.add(where=KEYS)
def decoder_hides_queries(source_is_token, target_is_token):
    """The decoder mask hides the padding among the queries, not among the keys.

    The last axis of a mask is the keys. Yours hides it along the rows.
    """
    causal = causal_mask(target_is_token.shape[1])
    return around(causal & target_is_token[:, :, None], source_is_token)


@MISTAKES.add(where=KEYS)
def decoder_hides_both(source_is_token, target_is_token):
    """The decoder mask hides padding as a key and as a query.

    Nobody reads what a padding query computes, and a row in which nothing is visible is a risk of its own.
    """
    causal = causal_mask(target_is_token.shape[1])
    return around(causal & target_is_token[:, :, None] & target_is_token[:, None, :], source_is_token)


@MISTAKES.add(where=PLACES)
def decoder_anti_causal(source_is_token, target_is_token):
    """The decoder mask hides the past, not the future.

    Row i may see the columns up to i: that is the lower triangle.
    """
    causal = causal_mask(target_is_token.shape[1])
    return around(causal.T & target_is_token[:, None, :], source_is_token)


@MISTAKES.add(where=PLACES)
def diagonal_hidden(source_is_token, target_is_token):
    """In the decoder mask a position does not see itself.

    Because the decoder's input is shifted by one, a position may see itself: the word to predict is the next one.
    And the first position would see nothing at all.
    """
    causal = causal_mask(target_is_token.shape[1])
    return around((causal & ~np.eye(len(causal), dtype=bool)) & target_is_token[:, None, :], source_is_token)
