"""The known mistakes of `translation_masks`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference
from transformer_kit.reference import causal_mask, padding_mask

SECTION = "Exercise 5.5: translation_masks"
PLACES = "Which mask goes where"
KEYS = "Keys are hidden, never queries"


def _cross_by_target(source_is_token, target_is_token):
    encoder, decoder, _ = reference.translation_masks(source_is_token, target_is_token)
    return encoder, decoder, padding_mask(target_is_token)


def _cross_hides_both(source_is_token, target_is_token):
    encoder, decoder, cross = reference.translation_masks(source_is_token, target_is_token)
    return encoder, decoder, cross & target_is_token[:, :, None]


def _cross_causal(source_is_token, target_is_token):
    encoder, decoder, cross = reference.translation_masks(source_is_token, target_is_token)
    return encoder, decoder, cross & np.tri(target_is_token.shape[1], source_is_token.shape[1], dtype=bool)


def _cross_repeated(source_is_token, target_is_token):
    encoder, decoder, cross = reference.translation_masks(source_is_token, target_is_token)
    return encoder, decoder, np.repeat(cross, target_is_token.shape[1], axis=1)


def _encoder_causal(source_is_token, target_is_token):
    encoder, decoder, cross = reference.translation_masks(source_is_token, target_is_token)
    return encoder & causal_mask(source_is_token.shape[1]), decoder, cross


def _encoder_hides_both(source_is_token, target_is_token):
    encoder, decoder, cross = reference.translation_masks(source_is_token, target_is_token)
    return encoder & source_is_token[:, :, None], decoder, cross


def _with_decoder(decoder):
    def translation_masks(source_is_token, target_is_token):
        encoder = padding_mask(source_is_token)
        return encoder, decoder(causal_mask(target_is_token.shape[1]), target_is_token), encoder

    return translation_masks


def _diagonal_hidden(causal, target):
    return (causal & ~np.eye(len(causal), dtype=bool)) & target[:, None, :]


def _no_query_axis(source_is_token, target_is_token):
    _, decoder, _ = reference.translation_masks(source_is_token, target_is_token)
    return source_is_token, decoder, source_is_token


def _inverted(source_is_token, target_is_token):
    return tuple(~mask for mask in reference.translation_masks(source_is_token, target_is_token))


def _numbers(source_is_token, target_is_token):
    return tuple(mask.astype(float) for mask in reference.translation_masks(source_is_token, target_is_token))


def _additive(source_is_token, target_is_token):
    masks = reference.translation_masks(source_is_token, target_is_token)
    return tuple(reference.additive_mask(mask) for mask in masks)


def _axis_for_heads(source_is_token, target_is_token):
    return tuple(mask[:, None] for mask in reference.translation_masks(source_is_token, target_is_token))


def _decoder_last(source_is_token, target_is_token):
    encoder, decoder, cross = reference.translation_masks(source_is_token, target_is_token)
    return encoder, cross, decoder


def _no_room(source_is_token, target_is_token):
    decoder = causal_mask(target_is_token.shape[1])
    decoder &= padding_mask(target_is_token)
    return padding_mask(source_is_token), decoder, padding_mask(source_is_token)


def _length_of_source(source_is_token, target_is_token):
    decoder = causal_mask(source_is_token.shape[1]) & padding_mask(target_is_token)
    return padding_mask(source_is_token), decoder, padding_mask(source_is_token)


MISTAKES = (
    Mistake(
        "cross-by-target",
        "The cross mask hides the padding of the target",
        _cross_by_target,
        "In cross-attention the keys are source tokens. The mask is about the keys, so it is made from the source.",
        PLACES,
    ),
    Mistake(
        "cross-hides-both",
        "The cross mask hides padding of the target, too",
        _cross_hides_both,
        "A target position is a query here. What a padding position finds is thrown away later, so there is no "
        "need to hide anything from it.",
        KEYS,
    ),
    Mistake(
        "cross-causal",
        "The cross mask is causal",
        _cross_causal,
        "The source is known from its first to its last word before the first target word is written. Word order "
        "differs between languages, so the word that is needed may stand anywhere.",
        PLACES,
    ),
    Mistake(
        "cross-repeated",
        "The row of the cross mask is copied once for every target position",
        _cross_repeated,
        "It hides the right things. But all target positions see the same source tokens, and an axis of length 1 "
        "says so for any number of them.",
        PLACES,
    ),
    Mistake(
        "encoder-causal",
        "The encoder mask is causal",
        _encoder_causal,
        "The whole source sentence is given, so each of its tokens may look at all others. Only the decoder has a "
        "future.",
        PLACES,
    ),
    Mistake(
        "encoder-hides-both",
        "The encoder mask hides padding as a key and as a query",
        _encoder_hides_both,
        "Nobody reads what a padding query computes, and a row in which nothing is visible is a risk of its own.",
        KEYS,
    ),
    Mistake(
        "decoder-not-causal",
        "The decoder mask hides padding only",
        _with_decoder(lambda causal, target: padding_mask(target)),
        "Then every target position can read the word that it is to predict.",
        PLACES,
    ),
    Mistake(
        "decoder-without-padding",
        "The decoder mask is causal only",
        _with_decoder(lambda causal, target: np.repeat(causal[None], len(target), axis=0)),
        "Behind the last token the causal mask hides the padding from every token, too. But padding may also stand "
        "in front of a sentence, so hide it by name.",
        PLACES,
    ),
    Mistake(
        "decoder-or",
        "The decoder mask allows what either of its two masks allows",
        _with_decoder(lambda causal, target: causal | target[:, None, :]),
        "A pair is allowed only if both masks allow it.",
        PLACES,
    ),
    Mistake(
        "decoder-hides-queries",
        "The decoder mask hides the padding among the queries, not among the keys",
        _with_decoder(lambda causal, target: causal & target[:, :, None]),
        "The last axis of a mask is the keys. Your padding lies along the rows.",
        KEYS,
    ),
    Mistake(
        "decoder-hides-both",
        "The decoder mask hides padding as a key and as a query",
        _with_decoder(lambda causal, target: causal & target[:, :, None] & target[:, None, :]),
        "Nobody reads what a padding query computes, and a row in which nothing is visible is a risk of its own.",
        KEYS,
    ),
    Mistake(
        "decoder-anti-causal",
        "The decoder mask hides the past, not the future",
        _with_decoder(lambda causal, target: causal.T & target[:, None, :]),
        "Row i may see the columns up to i: that is the lower triangle.",
        PLACES,
    ),
    Mistake(
        "diagonal-hidden",
        "In the decoder mask a position does not see itself",
        _with_decoder(_diagonal_hidden),
        "Because the decoder's input is shifted by one, a position may see itself: the word to predict is the "
        "next one. And the first position would see nothing at all.",
        PLACES,
    ),
    Mistake(
        "no-query-axis",
        "The axis for the queries is missing in the encoder and cross masks",
        _no_query_axis,
        "Without it, NumPy lines the sentences up with the queries. Your `padding_mask` of unit 03 adds the axis.",
        PLACES,
    ),
    Mistake(
        "inverted",
        "True and False are exchanged",
        _inverted,
        "In this course True means “may attend”.",
        PLACES,
    ),
    Mistake(
        "ones-and-zeros",
        "The masks hold the numbers 1 and 0",
        _numbers,
        "Masks are boolean in this course, so that `~` and `&` work on them.",
        PLACES,
    ),
    Mistake(
        "additive",
        "The masks hold 0 and minus infinity",
        _additive,
        "That is the form that is added to the scores. The attention makes it out of a boolean mask.",
        PLACES,
    ),
    Mistake(
        "axis-for-heads",
        "The masks have an axis for the heads",
        _axis_for_heads,
        "Your attention adds that axis itself. Here a mask has three axes: sentence, query, key.",
        PLACES,
    ),
    Mistake(
        "decoder-last",
        "The decoder mask comes last and the cross mask second",
        _decoder_last,
        "The order is encoder, decoder, cross.",
        SECTION,
    ),
    Mistake(
        "no-room",
        "The padding is written into the causal mask in place",
        _no_room,
        "There is one causal mask for all sentences, but the result differs from sentence to sentence. It needs "
        "an axis more, so make a new array.",
        PLACES,
    ),
    Mistake(
        "length-of-source",
        "The causal mask of the decoder is as large as the source",
        _length_of_source,
        "In the decoder's self-attention queries and keys are both target positions. How long the source is does "
        "not matter there.",
        PLACES,
    ),
)
