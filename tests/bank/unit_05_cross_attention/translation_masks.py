"""Functions that learners wrote for `translation_masks`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference


@wrong(
    "makes the cross mask of the target's padding instead of the source's",
    names={"cross-by-target"},
    line="cross = reference.padding_mask(target_is_token)",
)
def cross_from_target(source_is_token, target_is_token):
    encoder = reference.padding_mask(source_is_token)
    causal = reference.causal_mask(target_is_token.shape[1])
    decoder = reference.combine_masks(causal, reference.padding_mask(target_is_token))
    cross = reference.padding_mask(target_is_token)
    return encoder, decoder, cross


@wrong(
    "the decoder mask is not causal: only the padding of the target is hidden",
    names={"causal_mask/everything-visible", "decoder-not-causal"},
    line="decoder = np.repeat(target_is_token[:, None, :], n, axis=1)",
)
def decoder_sees_the_future(source_is_token, target_is_token):
    n = target_is_token.shape[1]
    encoder = source_is_token[:, None, :]
    decoder = np.repeat(target_is_token[:, None, :], n, axis=1)
    cross = source_is_token[:, None, :].copy()
    return encoder, decoder, cross


@wrong(
    "the decoder mask hides only the future, not the padding of the target",
    names={"decoder-without-padding"},
    line="decoder = np.stack([reference.causal_mask(n)] * B)",
)
def decoder_sees_padding(source_is_token, target_is_token):
    B, n = target_is_token.shape
    encoder = reference.padding_mask(source_is_token)
    decoder = np.stack([reference.causal_mask(n)] * B)
    cross = reference.padding_mask(source_is_token)
    return encoder, decoder, cross


@wrong(
    "returns the masks in the order encoder, cross, decoder",
    names={"decoder-last"},
    line="return encoder, cross, decoder",
)
def wrong_order(source_is_token, target_is_token):
    encoder = cross = reference.padding_mask(source_is_token)
    causal = reference.causal_mask(target_is_token.shape[-1])
    decoder = reference.combine_masks(causal, reference.padding_mask(target_is_token))
    return encoder, cross, decoder


@wrong(
    "the encoder mask is causal, too: it hides later source tokens",
    names={"encoder-causal"},
    line="encoder = reference.combine_masks(reference.causal_mask(n_source), source)",
)
def causal_encoder(source_is_token, target_is_token):
    n_source, n_target = source_is_token.shape[1], target_is_token.shape[1]
    source = reference.padding_mask(source_is_token)
    encoder = reference.combine_masks(reference.causal_mask(n_source), source)
    decoder = reference.combine_masks(reference.causal_mask(n_target), reference.padding_mask(target_is_token))
    return encoder, decoder, source


@wrong(
    "the cross mask is causal, too: a target position does not see later source tokens",
    names={"cross-causal"},
    line="cross = source & (np.arange(n_source) <= np.arange(n_target)[:, None])",
)
def causal_cross(source_is_token, target_is_token):
    n_source, n_target = source_is_token.shape[1], target_is_token.shape[1]
    source = reference.padding_mask(source_is_token)
    decoder = reference.causal_mask(n_target) & reference.padding_mask(target_is_token)
    cross = source & (np.arange(n_source) <= np.arange(n_target)[:, None])
    return source, decoder, cross


@wrong(
    "encoder and cross mask lack the axis of length 1 for the queries: they have the shape (B, n_source)",
    names={"no-query-axis"},
    line="encoder = cross = source_is_token.copy()",
)
def without_query_axis(source_is_token, target_is_token):
    encoder = cross = source_is_token.copy()
    causal = reference.causal_mask(target_is_token.shape[1])
    decoder = reference.combine_masks(causal, reference.padding_mask(target_is_token))
    return encoder, decoder, cross


@wrong(
    "hides padding as a query, too: the rows of padding positions in the decoder mask see nothing",
    names={"decoder-hides-both"},
    line="decoder = causal & target_is_token[:, None, :] & target_is_token[:, :, None]",
)
def padding_may_not_ask(source_is_token, target_is_token):
    encoder = source_is_token[:, None, :]
    causal = reference.causal_mask(target_is_token.shape[1])
    decoder = causal & target_is_token[:, None, :] & target_is_token[:, :, None]
    return encoder, decoder, encoder.copy()


@wrong(
    "hides the padding of the target as a query in the cross mask, which then is (B, n_target, n_source)",
    names={"cross-hides-both"},
    line="cross = target_is_token[:, :, None] & source_is_token[:, None, :]",
)
def cross_of_pairs(source_is_token, target_is_token):
    encoder = reference.padding_mask(source_is_token)
    causal = reference.causal_mask(target_is_token.shape[1])
    decoder = reference.combine_masks(causal, reference.padding_mask(target_is_token))
    cross = target_is_token[:, :, None] & source_is_token[:, None, :]
    return encoder, decoder, cross


@wrong(
    "allows a pair in the decoder mask as soon as the causal mask or the padding mask allows it (or instead of and)",
    names={"decoder-or"},
    line="decoder = causal | padding",
)
def or_instead_of_and(source_is_token, target_is_token):
    encoder = reference.padding_mask(source_is_token)
    padding = reference.padding_mask(target_is_token)
    causal = reference.causal_mask(target_is_token.shape[-1])
    decoder = causal | padding
    return encoder, decoder, encoder


@wrong(
    "makes the causal mask of the source's length instead of the target's, which does not fit when they differ",
    names={"length-of-source"},
    line="causal = reference.causal_mask(source_is_token.shape[1])",
)
def causal_of_source_length(source_is_token, target_is_token):
    source = reference.padding_mask(source_is_token)
    causal = reference.causal_mask(source_is_token.shape[1])
    decoder = reference.combine_masks(causal, reference.padding_mask(target_is_token))
    return source, decoder, source


@wrong(
    "makes the causal mask of the number of sentences instead of the target's length",
    names={"length-of-batch"},
    line="causal = reference.causal_mask(len(target_is_token))",
)
def causal_of_the_batch(source_is_token, target_is_token):
    source = reference.padding_mask(source_is_token)
    causal = reference.causal_mask(len(target_is_token))
    decoder = reference.combine_masks(causal, reference.padding_mask(target_is_token))
    return source, decoder, source


@wrong(
    "marks the hidden pairs with True in all three masks",
    names={"inverted"},
    line="source = ~source_is_token[:, np.newaxis]",
)
def true_means_hidden(source_is_token, target_is_token):
    n = target_is_token.shape[1]
    source = ~source_is_token[:, np.newaxis]
    future = np.triu(np.ones((n, n), dtype=bool), k=1)
    decoder = future | ~target_is_token[:, np.newaxis]
    return source, decoder, source


@wrong(
    "the decoder mask hides a position from itself (strictly below the diagonal only)",
    names={"diagonal-hidden"},
    line="causal = np.tril(np.ones((n, n), dtype=bool), k=-1)",
)
def strictly_causal(source_is_token, target_is_token):
    n = target_is_token.shape[1]
    source = reference.padding_mask(source_is_token)
    causal = np.tril(np.ones((n, n), dtype=bool), k=-1)
    decoder = reference.combine_masks(causal, reference.padding_mask(target_is_token))
    return source, decoder, source


@wrong(
    "gives the padding of the target as a column instead of a row: the decoder mask hides queries, not keys",
    names={"decoder-hides-queries"},
    line="decoder = causal & target_is_token[:, :, None]",
)
def padding_as_a_column(source_is_token, target_is_token):
    source = source_is_token[:, None, :]
    causal = reference.causal_mask(target_is_token.shape[1])
    decoder = causal & target_is_token[:, :, None]
    return source, decoder, source


@wrong(
    "exchanges source and target in encoder and decoder mask: the encoder mask is the target's, the decoder mask "
    "the source's",
    names={"sides-exchanged"},
    line="encoder = reference.padding_mask(target_is_token)",
)
def source_and_target_exchanged(source_is_token, target_is_token):
    encoder = reference.padding_mask(target_is_token)
    causal = reference.causal_mask(source_is_token.shape[1])
    decoder = reference.combine_masks(causal, reference.padding_mask(source_is_token))
    cross = reference.padding_mask(source_is_token)
    return encoder, decoder, cross


@wrong("returns only encoder and decoder mask: the cross mask is missing", line="return encoder, decoder")
def only_two(source_is_token, target_is_token):
    encoder = reference.padding_mask(source_is_token)
    causal = reference.causal_mask(target_is_token.shape[1])
    decoder = reference.combine_masks(causal, reference.padding_mask(target_is_token))
    return encoder, decoder


@wrong(
    "the encoder mask is that of all pairs (B, n_source, n_source) and hides padding as a query, too",
    names={"encoder-hides-both"},
    line="encoder = source & np.swapaxes(source, -1, -2)",
)
def encoder_of_pairs(source_is_token, target_is_token):
    source = reference.padding_mask(source_is_token)
    encoder = source & np.swapaxes(source, -1, -2)
    decoder = reference.causal_mask(target_is_token.shape[1]) & reference.padding_mask(target_is_token)
    return encoder, decoder, source


@wrong(
    "combines the target's is_token with the causal mask without a new axis, so sentences line up with queries",
    names={"padding-without-axis"},
    line="decoder = reference.combine_masks(causal, target_is_token)",
)
def target_without_axis(source_is_token, target_is_token):
    source = reference.padding_mask(source_is_token)
    causal = reference.causal_mask(target_is_token.shape[1])
    decoder = reference.combine_masks(causal, target_is_token)
    return source, decoder, source


@wrong(
    "returns floats 1.0 and 0.0 instead of booleans",
    names={"ones-and-zeros"},
    line="source = source_is_token[:, None, :].astype(float)",
)
def as_floats(source_is_token, target_is_token):
    n = target_is_token.shape[1]
    source = source_is_token[:, None, :].astype(float)
    decoder = np.tril(np.ones((n, n))) * target_is_token[:, None, :]
    return source, decoder, source


@wrong(
    "two: the decoder mask is not causal, and the cross mask is made of the target's padding",
    names={"cross-by-target", "decoder-not-causal"},
    line="decoder = reference.padding_mask(target_is_token)",
)
def no_future_and_wrong_cross(source_is_token, target_is_token):
    encoder = reference.padding_mask(source_is_token)
    decoder = reference.padding_mask(target_is_token)
    cross = decoder
    return encoder, decoder, cross


@wrong(
    "two: the decoder mask forgets the padding (and so has no axis of sentences), and the masks come in the order "
    "decoder, encoder, cross",
    names={"decoder-without-padding"},
    line="decoder = reference.causal_mask(target_is_token.shape[1])",
)
def causal_only_first(source_is_token, target_is_token):
    encoder = reference.padding_mask(source_is_token)
    decoder = reference.causal_mask(target_is_token.shape[1])
    cross = encoder
    return decoder, encoder, cross


@wrong("half-finished: returns None for the decoder mask", line="decoder = None")
def decoder_to_do(source_is_token, target_is_token):
    encoder = reference.padding_mask(source_is_token)
    decoder = None
    cross = encoder
    return encoder, decoder, cross


@right
def from_helpers(source_is_token, target_is_token):
    source = reference.padding_mask(source_is_token)
    causal = reference.causal_mask(target_is_token.shape[-1])
    decoder = reference.combine_masks(causal, reference.padding_mask(target_is_token))
    return source, decoder, source


@right
def by_broadcasting(source_is_token, target_is_token):
    n = target_is_token.shape[1]
    decoder = np.tri(n, dtype=bool) & target_is_token[:, None, :]
    return source_is_token[:, None, :], decoder, source_is_token[:, None, :].copy()


@right
def filled_in_loops(source_is_token, target_is_token):
    B, n = target_is_token.shape
    encoder = source_is_token.reshape(B, 1, -1)
    decoder = np.zeros((B, n, n), dtype=bool)
    for b in range(B):
        for i in range(n):
            decoder[b, i, : i + 1] = target_is_token[b, : i + 1]
    return encoder, decoder, encoder.copy()


@right
def where_the_future_ends(source_is_token, target_is_token):
    positions = np.arange(target_is_token.shape[1])
    future = positions[None, None, :] > positions[None, :, None]
    decoder = np.where(future, False, np.expand_dims(target_is_token, 1))
    source = np.expand_dims(source_is_token, axis=1)
    return source, decoder, source
