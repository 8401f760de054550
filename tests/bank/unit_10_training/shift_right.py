"""Functions that learners wrote for `shift_right`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "the last token of the target comes in at the front instead of the start symbol",
    names={"rolled"},
    line="return np.roll(target_ids, 1, axis=1)",
)
def rolls_only(target_ids, bos_id):
    return np.roll(target_ids, 1, axis=1)


@wrong(
    "no token leaves: the start symbol is put before the whole target, so the result has n + 1 columns",
    names={"longer"},
    line="return np.concatenate([start, target_ids], axis=1)",
)
def one_column_too_many(target_ids, bos_id):
    B = target_ids.shape[0]
    start = np.full((B, 1), bos_id)
    return np.concatenate([start, target_ids], axis=1)


@wrong(
    "shifts to the left and puts the start symbol at the end",
    names={"to-the-left"},
    line="result[:, :-1] = target_ids[:, 1:]",
)
def shifts_left(target_ids, bos_id):
    result = np.empty_like(target_ids)
    result[:, :-1] = target_ids[:, 1:]
    result[:, -1] = bos_id
    return result


@wrong(
    "shifts inside target_ids itself, so the caller's array is changed",
    names={"in-place"},
    line="target_ids[:, 1:] = target_ids[:, :-1]",
)
def shifts_in_place(target_ids, bos_id):
    target_ids[:, 1:] = target_ids[:, :-1]
    target_ids[:, 0] = bos_id
    return target_ids


@wrong("the start symbol is fixed at 2 instead of bos_id", names={"own-start"}, line="out[:, 0] = 2")
def always_two(target_ids, bos_id):
    out = np.zeros_like(target_ids)
    out[:, 0] = 2
    out[:, 1:] = target_ids[:, :-1]
    return out


@wrong(
    "the result has floats instead of ints: np.zeros makes an array of floats",
    names={"floats"},
    line="shifted = np.zeros((B, n))",
)
def floats(target_ids, bos_id):
    B, n = target_ids.shape
    shifted = np.zeros((B, n))
    shifted[:, 0] = bos_id
    shifted[:, 1:] = target_ids[:, :-1]
    return shifted


@wrong(
    "the first token is overwritten by the start symbol and nothing is shifted",
    names={"overwritten"},
    line="result[:, 0] = bos_id",
)
def overwrites_first(target_ids, bos_id):
    result = target_ids.copy()
    result[:, 0] = bos_id
    return result


@wrong(
    "shifts along the batch: every row gets the sentence before it, and the first sentence is all start symbols",
    names={"other-axis"},
    line="result[1:] = target_ids[:-1]",
)
def shifts_rows(target_ids, bos_id):
    result = np.zeros_like(target_ids)
    result[0] = bos_id
    result[1:] = target_ids[:-1]
    return result


@wrong(
    "the loop copies from the array that it is writing, so every column becomes the start symbol",
    names={"one-after-the-other"},
    line="result[:, t] = result[:, t - 1]",
)
def spreads_start(target_ids, bos_id):
    result = np.array(target_ids)
    result[:, 0] = bos_id
    for t in range(1, result.shape[1]):
        result[:, t] = result[:, t - 1]
    return result


@wrong(
    "the column of start symbols has a single row, so a batch of several sentences fails",
    names={"one-row-of-starts"},
    line="start = np.array([[bos_id]])",
)
def one_row_of_starts(target_ids, bos_id):
    start = np.array([[bos_id]])
    rest = target_ids[:, :-1]
    return np.concatenate([start, rest], axis=1)


@wrong(
    "the first token of the target leaves instead of the last one",
    names={"overwritten"},
    line="return np.concatenate([bos, target_ids[:, 1:]], axis=1)",
)
def first_leaves(target_ids, bos_id):
    bos = np.full((len(target_ids), 1), bos_id)
    return np.concatenate([bos, target_ids[:, 1:]], axis=1)


@wrong(
    "works on the first sentence alone and returns an array of shape (n,) instead of the whole batch",
    names={"first-sentence-only"},
    line="ids = list(target_ids[0])",
)
def first_sentence(target_ids, bos_id):
    ids = list(target_ids[0])
    ids.insert(0, bos_id)
    ids.pop()
    return np.array(ids)


@wrong(
    "the loop ends one column too early, so the last column stays 0",
    names={"loop-ends-too-early"},
    line="for t in range(1, n - 1):",
)
def loop_too_short(target_ids, bos_id):
    B, n = target_ids.shape
    out = np.zeros((B, n), dtype=int)
    out[:, 0] = bos_id
    for t in range(1, n - 1):
        out[:, t] = target_ids[:, t - 1]
    return out


@wrong(
    "two: the tokens are cut off at the front instead of the end, and the start symbols are put at the end",
    names={"to-the-left"},
    line="return np.hstack([target_ids[:, 1:], starts])",
)
def wrong_end_twice(target_ids, bos_id):
    starts = np.full((target_ids.shape[0], 1), bos_id, dtype=target_ids.dtype)
    return np.hstack([target_ids[:, 1:], starts])


@wrong(
    "every token moves two places instead of one, and the second column stays 0",
    names={"by-two"},
    line="result[:, 2:] = target_ids[:, :-2]",
)
def two_places(target_ids, bos_id):
    result = np.zeros(target_ids.shape, dtype=int)
    result[:, 0] = bos_id
    result[:, 2:] = target_ids[:, :-2]
    return result


@wrong(
    "two: the start symbol is fixed at 1, and a whole column too many is returned because the last token stays",
    names={"longer"},
    line="rows.append([1] + list(row))",
)
def one_and_too_long(target_ids, bos_id):
    rows = []
    for row in target_ids:
        rows.append([1] + list(row))
    return np.array(rows)


@right
def new_array(target_ids, bos_id):
    result = np.empty_like(target_ids)
    result[:, 0] = bos_id
    result[:, 1:] = target_ids[:, :-1]
    return result


@right
def concatenated(target_ids, bos_id):
    start = np.full((target_ids.shape[0], 1), bos_id, dtype=target_ids.dtype)
    return np.concatenate([start, target_ids[:, :-1]], axis=1)


@right
def rolled_copy(target_ids, bos_id):
    rolled = np.roll(target_ids, 1, axis=-1)
    rolled[:, 0] = bos_id
    return rolled


@right
def with_lists(target_ids, bos_id):
    rows = []
    for row in target_ids.tolist():
        rows.append([bos_id] + row[:-1])
    return np.array(rows)


@right
def padded(target_ids, bos_id):
    return np.pad(target_ids, ((0, 0), (1, 0)), constant_values=bos_id)[:, :-1]


@wrong(
    "only the first sentence gets the start symbol; the others begin with the last token of the one before",
    names={"one-sentence"},
    line="rolled[0, 0] = bos_id",
)
def start_in_first_row(target_ids, bos_id):
    rolled = np.roll(target_ids.ravel(), 1).reshape(target_ids.shape)
    rolled[0, 0] = bos_id
    return rolled


@wrong(
    "reverses the sentence before it puts the start symbol in front",
    names={"backwards"},
    line="backwards = target_ids[:, ::-1]",
)
def reversed_sentence(target_ids, bos_id):
    start = np.full((len(target_ids), 1), bos_id)
    backwards = target_ids[:, ::-1]
    return np.concatenate([start, backwards[:, :-1]], axis=1)


@wrong(
    "shifts to the left and writes the start symbol over what is then first",
    names={"to-the-left-behind-the-start"},
    line="out = np.roll(target_ids, -1, axis=1)",
)
def rolled_the_other_way(target_ids, bos_id):
    out = np.roll(target_ids, -1, axis=1)
    out[:, 0] = bos_id
    return out
