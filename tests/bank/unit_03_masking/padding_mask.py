"""Functions that learners wrote for `padding_mask`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "puts the new axis last, (..., n_keys, 1), so that it hides queries instead of keys",
    names={"hides-queries"},
    line="mask = is_token[..., np.newaxis]",
)
def axis_at_the_end(is_token):
    mask = is_token[..., np.newaxis]
    return mask


@wrong(
    "puts the new axis in front of all others, so that sentences line up with queries",
    names={"axis-in-front"},
    line=None,
)
def axis_in_front(is_token):
    return is_token[None]


@wrong(
    "inserts the new axis at place 1 from the front: right for two axes only, wrong for one axis and for three",
    names={"only-a-batch", "second-axis"},
    line="mask = is_token[:, None]",
)
def second_axis(is_token):
    is_token = np.asarray(is_token)
    mask = is_token[:, None]
    return mask


@wrong("returns is_token as it is, without the new axis of length 1", names={"no-new-axis"}, line=None)
def nothing_to_do(is_token):
    mask = is_token.copy()
    return mask


@wrong("inverts the values: True marks the padding", names={"inverted"}, line="is_padding = np.logical_not(is_token)")
def true_for_padding(is_token):
    is_padding = np.logical_not(is_token)
    return is_padding[..., None, :]


@wrong(
    "makes a mask of all pairs (..., n, n) in which the padding is hidden as a query, too",
    names={"hides-both"},
    line="mask = rows & cols",
)
def pairs_of_tokens(is_token):
    rows = is_token[..., :, None]
    cols = is_token[..., None, :]
    mask = rows & cols
    return mask


@wrong(
    "repeats the row for every key, so the axis of the queries has length n_keys instead of 1",
    names={"repeated-rows"},
    line="return np.repeat(row, n, axis=-2)",
)
def repeated_rows(is_token):
    n = is_token.shape[-1]
    row = np.expand_dims(is_token, -2)
    return np.repeat(row, n, axis=-2)


@wrong(
    "unpacks exactly two axes from the shape: raises for a single sentence and for more leading axes",
    names={"only-a-batch"},
    line="B, n = is_token.shape",
)
def batch_only(is_token):
    B, n = is_token.shape
    return is_token.reshape(B, 1, n)


@wrong(
    "takes every first axis for the batch: a single sentence (n,) becomes (n, 1, 1) instead of (1, n)",
    names={"only-a-batch"},
    line="return is_token.reshape(is_token.shape[0], 1, -1)",
)
def single_sentence_as_batch(is_token):
    is_token = np.array(is_token)
    return is_token.reshape(is_token.shape[0], 1, -1)


@wrong(
    "counts the tokens and allows that many first places, so padding that stands in front or between is misplaced",
    names={"counted"},
    line="mask = np.arange(n) < lengths",
)
def by_length(is_token):
    n = is_token.shape[-1]
    lengths = is_token.sum(axis=-1)[..., None, None]
    mask = np.arange(n) < lengths
    return mask


@wrong(
    "returns 0 and -inf to be added to scores, not booleans",
    names={"additive"},
    line="mask = np.where(is_token, 0.0, -np.inf)",
)
def already_additive(is_token):
    mask = np.where(is_token, 0.0, -np.inf)
    return np.expand_dims(mask, axis=-2)


@wrong("returns floats 1.0 and 0.0 instead of booleans", names={"ones-and-zeros"}, line="mask = is_token.astype(float)")
def as_floats(is_token):
    mask = is_token.astype(float)
    return mask[..., None, :]


@wrong(
    "changes its argument: sets the new shape on is_token itself",
    names={"shape-set"},
    line="is_token.shape = is_token.shape[:-1] + (1, is_token.shape[-1])",
)
def reshapes_the_argument(is_token):
    is_token.shape = is_token.shape[:-1] + (1, is_token.shape[-1])
    return is_token


@wrong(
    "inserts two new axes instead of one: (..., 1, 1, n_keys)",
    names={"axis-for-heads"},
    line="return is_token[..., None, None, :]",
)
def two_new_axes(is_token):
    is_token = np.asarray(is_token, dtype=bool)
    return is_token[..., None, None, :]


@wrong("makes the mask but does not return it (returns None)", line=None)
def no_return(is_token):
    mask = np.expand_dims(is_token, axis=-2)
    mask = mask.astype(bool)


@wrong("hard-codes the shape (3, 1, 5) of the example", line="return np.reshape(is_token, (3, 1, 5))")
def shape_of_the_example(is_token):
    if is_token.ndim == 1:
        return is_token[None, :]
    return np.reshape(is_token, (3, 1, 5))


@wrong(
    "two: inverts the values (True marks the padding), and puts the new axis last instead of before the keys",
    names={"inverted", "hides-queries"},
    line="padding = np.equal(is_token, False)",
)
def inverted_column(is_token):
    padding = np.equal(is_token, False)
    return np.expand_dims(padding, axis=-1)


@wrong("gives the places of the tokens as numbers instead of a mask", line="places = np.where(is_token)[-1]")
def places_of_tokens(is_token):
    places = np.where(is_token)[-1]
    return places[None, :]


@wrong("forgets the new axis for a single sentence: returns (n,) instead of (1, n)", line="return is_token")
def one_sentence_unchanged(is_token):
    if is_token.ndim == 1:
        return is_token
    return is_token[..., None, :]


@right
def with_an_ellipsis(is_token):
    return is_token[..., np.newaxis, :]


@right
def with_expand_dims(is_token):
    mask = np.expand_dims(is_token, axis=-2)
    return mask.astype(bool)


@right
def with_a_shape(is_token):
    *front, n_keys = is_token.shape
    return is_token.reshape(*front, 1, n_keys)


@right
def stacked_alone(is_token):
    rows = [is_token]
    return np.stack(rows, axis=-2)
