"""Specification of `translation_masks`."""

import numpy as np

from autograder.exercises.inputs import random_mask
from autograder.exercises.unit_05_cross_attention import lookalikes
from autograder.exercises.unit_05_cross_attention.inputs import lengths_mask, mask_of
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.reference import causal_mask, padding_mask

PLACES = "Which mask goes where"
KEYS = "Keys are hidden, never queries"

ENCODER, DECODER, CROSS = 0, 1, 2

EXERCISE = Exercise(
    reference=reference.translation_masks,
    asks="the masks of the three attentions: in the encoder, in the decoder, and from the decoder to the source.",
    returns=(
        Output("encoder", "(B, 1, n_source)"),
        Output("decoder", "(B, n_target, n_target)"),
        Output("cross", "(B, 1, n_source)"),
    ),
    where=PLACES,
    may_be_view=True,
    lookalike=lookalikes.TRANSLATION_MASKS,
)


def _batch(rng, B, n_source, n_target):
    """Draw a batch in which every length is at least 1, one sentence is full, and one is padded, on both sides."""
    masks = []
    for n in (n_source, n_target):
        lengths = rng.integers(1, n + 1, B)
        lengths[:2] = rng.permutation([n, rng.integers(1, n)])
        masks.append(lengths_mask(lengths, n))
    return masks


def _one_mask(call, rng, number):
    """Require that one of the three masks is right, whatever the others are, wherever there is padding."""
    call.agrees_in(number, np.array([[True, True, False]]), np.array([[True, False]]))
    call.agrees_in(number, *_batch(rng, 3, 6, 4))
    call.agrees_in(number, *_batch(rng, 2, 4, 7))
    call.agrees_in(number, *(is_token[:, ::-1].copy() for is_token in _batch(rng, 3, 5, 4)))  # in front
    call.agrees_in(number, random_mask(rng, 3, 5), random_mask(rng, 3, 6))


@EXERCISE.claim(1)
def encoder(call, rng):
    """encoder: hides the padding of the source"""
    _one_mask(call, rng, ENCODER)


@EXERCISE.claim(1.5)
def decoder(call, rng):
    """decoder: hides the future and the padding of the target"""
    _one_mask(call, rng, DECODER)
    call.agrees_in(DECODER, lengths_mask([2], 3), lengths_mask([390], 400))  # no table of a fixed size


@EXERCISE.claim(1)
def cross(call, rng):
    """cross: hides the padding of the source and nothing else"""
    _one_mask(call, rng, CROSS)


@EXERCISE.claim(1)
def padding_queries(call, rng):
    """padding in the target is hidden as a key only: as a query it still sees tokens"""
    source, target = _batch(rng, 3, 6, 5)
    decoder = mask_of(call, DECODER, (3, 5, 5), source, target)
    shown = decoder & ~target[:, None, :]
    in_front = target[:, ::-1]
    shown |= mask_of(call, DECODER, (3, 5, 5), source, in_front) & ~in_front[:, None, :]
    call.holds(not shown.any(), f"decoder: padding of the target is visible as a key, in {int(shown.sum())} entries.")
    blind = int((~decoder.any(axis=-1)).sum())
    call.holds(not blind, f"decoder: {blind} queries may attend to nothing. All targets here begin with a token.")


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    source, target = _batch(rng, 3, 5, 4)
    call.leaves_inputs_alone(source, target)
    call.agrees_in(ENCODER, source, target)


wrong = WrongAnswers(EXERCISE, globals())


def around(decoder, source_is_token):
    """Return a wrong mask of the decoder between the right ones."""
    encoder = padding_mask(source_is_token)
    return encoder, decoder, encoder


wrong("cross-by-target", {"encoder.copy()": "padding_mask(target_is_token)"}, """
    The cross mask hides the padding of the target.
    In cross-attention the keys are source tokens. The mask is about the keys, so it is made from the source.""")

wrong.at(KEYS)
wrong("cross-hides-both", {".copy()": " & target_is_token[:, :, None]"}, """
    The cross mask hides padding of the target, too.
    A target position is a query here. What a padding position finds is thrown away later, so there is no need to hide
    anything from it.""")

wrong.at(PLACES)
wrong("cross-causal",
      {"encoder.copy()": "encoder & np.tri(target_is_token.shape[1], source_is_token.shape[1], dtype=bool)"}, """
    The cross mask is causal.
    The source is known from its first to its last word before the first target word is written. Word order differs
    between languages, so the word that is needed may stand anywhere.""")

wrong("cross-repeated", {"encoder.copy()": "np.repeat(encoder, target_is_token.shape[1], axis=1)"}, """
    The row of the cross mask is copied once for every target position.
    It hides the right things. But all target positions see the same source tokens, and an axis of length 1 says so for
    any number of them.""")

wrong("encoder-causal", {"return encoder": "return encoder & causal_mask(source_is_token.shape[1])"}, """
    The encoder mask is causal.
    The whole source sentence is given, so each of its tokens may look at all others. Only the decoder has a future.""")

wrong.at(KEYS)
wrong("encoder-hides-both", {"return encoder": "return encoder & source_is_token[:, :, None]"}, """
    The encoder mask hides padding as a key and as a query.
    Nobody reads what a padding query computes, and a row in which nothing is visible is a risk of its own.""")

wrong.at(PLACES)
wrong("decoder-not-causal", "around(padding_mask(target_is_token), source_is_token)", """
    The decoder mask hides padding only.
    Then every target position can read the word that it is to predict.""")

wrong("decoder-without-padding",
      {"padding_mask(target_is_token))": "np.ones((len(target_is_token), 1, 1), dtype=bool))"}, """
    The decoder mask is causal only.
    After the last token the causal mask alone hides the padding from every token. But padding may also stand in front
    of a sentence, so hide it by name.""")

wrong("decoder-without-padding-or-batch", "around(causal_mask(target_is_token.shape[1])[None], source_is_token)", """
    The decoder mask is causal only, one mask for all sentences.
    Where the padding is differs from sentence to sentence, so the mask does, too. Hide the padding of each target by
    name, as a key.""")

wrong("decoder-or", "around(causal_mask(target_is_token.shape[1]) | target_is_token[:, None, :], source_is_token)", """
    The decoder mask allows what either of its two masks allows.
    A pair is allowed only if both masks allow it.""")

wrong.at(KEYS)
wrong("decoder-hides-queries",
      {", decoder": ", causal_mask(target_is_token.shape[1]) & target_is_token[:, :, None]"}, """
    The decoder mask hides the padding among the queries, not among the keys.
    The last axis of a mask is the keys. Yours hides it along the rows.""")

wrong("decoder-hides-both",
      {"padding_mask(target_is_token))": "padding_mask(target_is_token), target_is_token[:, :, None])"}, """
    The decoder mask hides padding as a key and as a query.
    Nobody reads what a padding query computes, and a row in which nothing is visible is a risk of its own.""")

wrong.at(PLACES)
wrong("decoder-anti-causal",
      {", decoder": ", causal_mask(target_is_token.shape[1]).T & target_is_token[:, None, :]"}, """
    The decoder mask hides the past, not the future.
    Row i may see the columns up to i: that is the lower triangle.""")

wrong("diagonal-hidden",
      {"causal_mask(np.shape(target_is_token)[-1])": "np.tri(target_is_token.shape[1], k=-1, dtype=bool)"}, """
    In the decoder mask a position does not see itself.
    Because the decoder's input is shifted by one, a position may see itself: the word to predict is the next one. And
    the first position would see nothing at all.""")

wrong("no-query-axis", {"encoder, decoder, encoder.copy()": "(source_is_token, decoder, source_is_token)"}, """
    The axis for the queries is missing in the encoder and cross masks.
    Without it, NumPy lines the sentences up with the queries. Your `padding_mask` of unit 03 adds the axis.""")

wrong("inverted", "tuple(~mask for mask in translation_masks(source_is_token, target_is_token))", """
    True and False are exchanged.
    In this course True means “may attend”.""")

wrong("ones-and-zeros",
      {"encoder, decoder, encoder.copy()": "tuple(mask.astype(float) for mask in (encoder, decoder, encoder))"}, """
    The masks hold the numbers 1 and 0.
    Masks are boolean in this course, so that `~` and `&` work on them.""")

wrong("additive", "tuple(additive_mask(mask) for mask in translation_masks(source_is_token, target_is_token))", """
    The masks hold 0 and minus infinity.
    That is the form that is added to the scores. The attention makes it out of a boolean mask.""")

wrong("axis-for-heads", "tuple(mask[:, None] for mask in translation_masks(source_is_token, target_is_token))", """
    The masks have an axis for the heads.
    Your attention adds that axis itself. Here a mask has three axes: sentence, query, key.""")

wrong.at()
wrong("decoder-last", {"encoder, decoder, encoder.copy()": "(encoder, encoder, decoder)"}, """
    The decoder mask comes last and the cross mask second.
    The order is encoder, decoder, cross.""")

wrong.at(PLACES)


@wrong.function
def no_room(source_is_token, target_is_token):
    """The padding is written into the causal mask in place.
    There is one causal mask for all sentences, but the result differs from sentence to sentence. It needs one more
    axis, so make a new array."""
    decoder = causal_mask(target_is_token.shape[1])
    decoder &= padding_mask(target_is_token)
    return padding_mask(source_is_token), decoder, padding_mask(source_is_token)


wrong("length-of-source", {"causal_mask(np.shape(target_is_token)[-1])": "causal_mask(source_is_token.shape[1])"}, """
    The causal mask of the decoder is as large as the source.
    In the decoder's self-attention queries and keys are both target positions. How long the source is does not matter
    there.""")

wrong("length-of-batch",
      "around(causal_mask(len(target_is_token)) & padding_mask(target_is_token), source_is_token)", """
    The causal mask of the decoder is as large as the batch.
    `len` counts the sentences. The causal mask is about the positions of one of them.""")

wrong.at(KEYS)
wrong("padding-without-axis", "around(causal_mask(target_is_token.shape[1]) & target_is_token, source_is_token)", """
    The padding of the target meets the causal mask without an axis for the queries.
    Without it, NumPy lines the sentences up with the queries. Your `padding_mask` of unit 03 adds the axis.""")

wrong.at(PLACES)


@wrong.function
def sides_exchanged(source_is_token, target_is_token):
    """The encoder mask is made from the target and the decoder mask from the source.
    The encoder reads the source sentence, and the decoder writes the target sentence."""
    _, decoder, encoder = reference.translation_masks(target_is_token, source_is_token)
    return encoder, decoder, padding_mask(source_is_token)


wrong.at(KEYS)


@wrong.function
def by_number(source_is_token, target_is_token):
    """The tokens are counted, and the padding is taken to come after them.
    How many tokens there are does not say where they are. The arguments say so, place by place."""
    source, target = (np.sort(is_token, axis=-1)[:, ::-1] for is_token in (source_is_token, target_is_token))
    encoder = reference.padding_mask(source)
    causal = reference.causal_mask(target.shape[-1])
    return encoder, reference.combine_masks(causal, reference.padding_mask(target)), encoder

wrong.at(PLACES)
wrong("decoder-not-causal-in-any-row",
      {"causal_mask(np.shape(target_is_token)[-1])": "np.ones((target_is_token.shape[1],) * 2, dtype=bool)"}, """
    The decoder mask has a row for every position, but all rows hide the same: the padding.
    Then every target position can read the word that it is to predict. Row i may see the columns up to i only.""")
