"""Functions that learners wrote for `smooth_labels`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.reference import one_hot


@wrong(
    "spreads epsilon over the V - 1 wrong words only, and the right one gets 1 - epsilon",
    names={"others-only"},
    line="t = np.full((*token_ids.shape, vocab_size), epsilon / (vocab_size - 1))",
)
def only_wrong_words(token_ids, vocab_size, epsilon):
    t = np.full((*token_ids.shape, vocab_size), epsilon / (vocab_size - 1))
    np.put_along_axis(t, token_ids[..., None], 1 - epsilon, axis=-1)
    return t


@wrong(
    "the right word gets 1 - epsilon without its own epsilon / V, so the row does not sum to 1",
    names={"own-share-forgotten"},
    line="return np.where(hot == 1, 1 - epsilon, epsilon / vocab_size)",
)
def right_without_share(token_ids, vocab_size, epsilon):
    hot = reference.one_hot(token_ids, vocab_size)
    return np.where(hot == 1, 1 - epsilon, epsilon / vocab_size)


@wrong(
    "the one-hot rows are not scaled down by 1 - epsilon, so a row sums to 1 + epsilon",
    names={"nothing-taken-away"},
    line="return one_hot + epsilon / vocab_size",
)
def not_scaled_down(token_ids, vocab_size, epsilon):
    one_hot = reference.one_hot(token_ids, vocab_size)
    return one_hot + epsilon / vocab_size


@wrong(
    "the share is not divided by V: every word gets the whole epsilon",
    names={"not-divided"},
    line="return (1 - epsilon) * labels + epsilon",
)
def whole_share_each(token_ids, vocab_size, epsilon):
    labels = np.eye(vocab_size)[token_ids]
    return (1 - epsilon) * labels + epsilon


@wrong(
    "only the right word gets anything: the others stay 0",
    names={"others-get-nothing"},
    line="return one_hot * (1 - epsilon + epsilon / vocab_size)",
)
def others_stay_zero(token_ids, vocab_size, epsilon):
    one_hot = reference.one_hot(token_ids, vocab_size)
    return one_hot * (1 - epsilon + epsilon / vocab_size)


@wrong(
    "the array has whole numbers, so all probabilities are cut off to 0 or 1",
    names={"whole-numbers"},
    line="t = np.zeros(token_ids.shape + (vocab_size,), dtype=int)",
)
def integer_array(token_ids, vocab_size, epsilon):
    t = np.zeros(token_ids.shape + (vocab_size,), dtype=int)
    t[...] = epsilon / vocab_size
    np.put_along_axis(t, token_ids[..., None], 1 - epsilon + epsilon / vocab_size, axis=-1)
    return t


@wrong("epsilon is fixed at the paper's 0.1 and the argument ignored", names={"always-a-tenth"}, line="epsilon = 0.1")
def always_a_tenth(token_ids, vocab_size, epsilon):
    epsilon = 0.1
    one_hot = reference.one_hot(token_ids, vocab_size)
    smooth = one_hot * (1 - epsilon) + epsilon / vocab_size
    return smooth


@wrong(
    "works for a single axis of tokens only: two axes lose one, and no axis raises",
    names={"one_hot/first-axis-only"},
    line="result = np.full((len(token_ids), vocab_size), epsilon / vocab_size)",
)
def one_axis_only(token_ids, vocab_size, epsilon):
    result = np.full((len(token_ids), vocab_size), epsilon / vocab_size)
    for i, token in enumerate(token_ids):
        result[i, token] += 1 - epsilon
    return result


@wrong(
    "picks the columns of all tokens in every row: each row has the right word's share at the ids of all tokens",
    names={"every-id-in-every-row"},
    line="t[..., token_ids] = 1 - epsilon + epsilon / vocab_size",
)
def all_columns_at_once(token_ids, vocab_size, epsilon):
    t = np.ones(token_ids.shape + (vocab_size,)) * epsilon / vocab_size
    t[..., token_ids] = 1 - epsilon + epsilon / vocab_size
    return t


@wrong(
    "divides by the number of tokens instead of the number of words",
    names={"divided-by-tokens"},
    line="share = epsilon / token_ids.size",
)
def divided_by_tokens(token_ids, vocab_size, epsilon):
    share = epsilon / token_ids.size
    one_hot = reference.one_hot(token_ids, vocab_size)
    return (1 - epsilon) * one_hot + share


@wrong(
    "epsilon and 1 - epsilon are exchanged: the right word gets the small share",
    names={"exchanged"},
    line="return epsilon * hot + (1 - epsilon) / vocab_size",
)
def shares_exchanged(token_ids, vocab_size, epsilon):
    hot = reference.one_hot(token_ids, vocab_size)
    return epsilon * hot + (1 - epsilon) / vocab_size


@wrong(
    "divides the sum by V: a bracket stands around one-hot part and share together",
    names={"everything-divided"},
    line="return ((1 - epsilon) * one_hot + epsilon) / vocab_size",
)
def bracket_too_wide(token_ids, vocab_size, epsilon):
    one_hot = reference.one_hot(token_ids, vocab_size)
    return ((1 - epsilon) * one_hot + epsilon) / vocab_size


@wrong(
    "uses integer division for the even share, which is 0 for every epsilon below V",
    names={"floor-division"},
    line="even = epsilon // vocab_size",
)
def integer_division(token_ids, vocab_size, epsilon):
    one_hot = reference.one_hot(token_ids, vocab_size)
    even = epsilon // vocab_size
    return (1 - epsilon) * one_hot + even


@wrong(
    "two: the axis of the words comes first instead of last, and the wrong words get nothing",
    names={"one_hot/vocabulary-first", "others-get-nothing"},
    line="words = np.arange(vocab_size).reshape(-1, *[1] * token_ids.ndim)",
)
def words_first(token_ids, vocab_size, epsilon):
    words = np.arange(vocab_size).reshape(-1, *[1] * token_ids.ndim)
    is_right = words == token_ids
    return is_right * (1 - epsilon + epsilon / vocab_size)


@wrong("spreads random amounts over the words instead of even ones", line="noise = np.random.rand(*hot.shape)")
def random_shares(token_ids, vocab_size, epsilon):
    hot = reference.one_hot(token_ids, vocab_size)
    noise = np.random.rand(*hot.shape)
    noise = noise / noise.sum(axis=-1, keepdims=True)
    return (1 - epsilon) * hot + epsilon * noise


@wrong(
    "the even share is epsilon / (V - 1) instead of epsilon / V but goes to the right word, too, so rows exceed 1",
    names={"one-too-few"},
    line="share = epsilon / (vocab_size - 1)",
)
def larger_share_for_all(token_ids, vocab_size, epsilon):
    share = epsilon / (vocab_size - 1)
    result = (1 - epsilon) * reference.one_hot(token_ids, vocab_size)
    result += share
    return result


@wrong(
    "two: epsilon is taken in per cent and divided by 100, and the right word gets no even share",
    names={"own-share-forgotten"},
    line="epsilon = epsilon / 100",
)
def in_per_cent(token_ids, vocab_size, epsilon):
    epsilon = epsilon / 100
    hot = reference.one_hot(token_ids, vocab_size)
    return hot * (1 - epsilon) + (1 - hot) * epsilon / vocab_size


@right
def one_hot_and_share(token_ids, vocab_size, epsilon):
    one_hot = reference.one_hot(token_ids, vocab_size)
    return (1 - epsilon) * one_hot + epsilon / vocab_size


@right
def compared_with_words(token_ids, vocab_size, epsilon):
    is_right = np.asarray(token_ids)[..., None] == np.arange(vocab_size)
    share = epsilon / vocab_size
    return np.where(is_right, 1 - epsilon + share, share)


@right
def put_along(token_ids, vocab_size, epsilon):
    token_ids = np.asarray(token_ids)
    result = np.full(token_ids.shape + (vocab_size,), epsilon / vocab_size)
    np.put_along_axis(result, token_ids[..., None], 1 - epsilon + epsilon / vocab_size, axis=-1)
    return result


@right
def row_by_row(token_ids, vocab_size, epsilon):
    ids = np.array(token_ids)
    rows = np.zeros((ids.size, vocab_size))
    for row, token in zip(rows, ids.ravel()):
        row += epsilon / vocab_size
        row[token] += 1 - epsilon
    return rows.reshape(*ids.shape, vocab_size)


@right
def smoothed_table(token_ids, vocab_size, epsilon):
    table = np.eye(vocab_size) * (1 - epsilon) + np.ones((vocab_size, vocab_size)) * epsilon / vocab_size
    return table[token_ids]


@wrong("gives the right word no part of the even shares", names={"own-share-forgotten"})
def right_word_without_share(token_ids, vocab_size, epsilon):
    t = np.full((*np.shape(token_ids), vocab_size), epsilon / vocab_size)
    return np.where(one_hot(token_ids, vocab_size) == 1, 1 - epsilon, t)


@wrong("adds the shares to a whole 1, and divides by the sum", names={"divided-by-the-sum"})
def renormalised(token_ids, vocab_size, epsilon):
    t = one_hot(token_ids, vocab_size) + epsilon / vocab_size
    return t / t.sum(axis=-1, keepdims=True)


@wrong("exchanges epsilon and 1 - epsilon", names={"exchanged"})
def shares_exchanged_too(token_ids, vocab_size, epsilon):
    return epsilon * one_hot(token_ids, vocab_size) + (1 - epsilon) / vocab_size


@wrong(
    "gives the wrong words epsilon / (V - 1), although the right one gets its epsilon / V",
    names={"too-much-for-the-others"},
    line="out = np.full((*np.shape(token_ids), vocab_size), epsilon / (vocab_size - 1))",
)
def wrong_words_too_much(token_ids, vocab_size, epsilon):
    out = np.full((*np.shape(token_ids), vocab_size), epsilon / (vocab_size - 1))
    right_word = 1 - epsilon + epsilon / vocab_size
    np.put_along_axis(out, np.asarray(token_ids)[..., None], right_word, axis=-1)
    return out


@wrong(
    "cuts the plain labels off at epsilon and 1 - epsilon",
    names={"clipped"},
    line="return np.clip(np.eye(vocab_size)[token_ids], epsilon, 1 - epsilon)",
)
def clipped_labels(token_ids, vocab_size, epsilon):
    return np.clip(np.eye(vocab_size)[token_ids], epsilon, 1 - epsilon)


@wrong(
    "adds epsilon to every entry and divides by the sum of the row",
    names={"normalised-sum"},
    line="raised = np.eye(vocab_size)[token_ids] + epsilon",
)
def added_and_divided(token_ids, vocab_size, epsilon):
    raised = np.eye(vocab_size)[token_ids] + epsilon
    return raised / raised.sum(axis=-1, keepdims=True)


@wrong("gives every token 1 / V in place of epsilon / V", names={"whole-share-for-everybody"})
def one_over_V(token_ids, vocab_size, epsilon):
    return (1 - epsilon) * one_hot(token_ids, vocab_size) + 1 / vocab_size
