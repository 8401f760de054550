"""Functions that learners wrote for `one_hot`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong("gives integers instead of floats", names={"integers"}, line=None)
def integers(token_ids, vocab_size):
    return np.eye(vocab_size, dtype=int)[token_ids]


@wrong(
    "returns the comparison itself, so the entries are True and False and not floats",
    names={"booleans"},
    line="return ids == columns",
)
def booleans(token_ids, vocab_size):
    ids = token_ids[..., None]
    columns = np.arange(vocab_size)
    return ids == columns


@wrong(
    "takes the width from the largest id that occurs instead of vocab_size",
    names={"width-from-ids"},
    line="width = token_ids.max() + 1",
)
def width_from_largest_id(token_ids, vocab_size):
    width = token_ids.max() + 1
    out = np.zeros(token_ids.shape + (width,))
    np.put_along_axis(out, token_ids[..., None], 1.0, axis=-1)
    return out


@wrong(
    "works for a single sentence only: a batch or a single id is not handled",
    names={"first-axis-only"},
    line="out = np.zeros((len(token_ids), vocab_size))",
)
def one_sentence_only(token_ids, vocab_size):
    out = np.zeros((len(token_ids), vocab_size))
    for i, t in enumerate(token_ids):
        out[i, t] = 1.0
    return out


@wrong(
    "counts the ids from 1, so every 1 stands one column too far left",
    names={"counted-from-1"},
    line="result[..., t - 1][token_ids == t] = 1.0",
)
def counts_from_one(token_ids, vocab_size):
    result = np.zeros((*np.shape(token_ids), vocab_size))
    for t in range(vocab_size):
        result[..., t - 1][token_ids == t] = 1.0
    return result


@wrong(
    "numbers the columns from 1 to V instead of from 0 to V - 1",
    names={"counted-from-1"},
    line="columns = np.arange(1, vocab_size + 1)",
)
def columns_from_one(token_ids, vocab_size):
    columns = np.arange(1, vocab_size + 1)
    hits = token_ids[..., np.newaxis] == columns
    return hits.astype(float)


@wrong("puts the axis of the vocabulary first instead of last", names={"vocabulary-first"}, line=None)
def picks_columns_of_identity(token_ids, vocab_size):
    return np.eye(vocab_size)[:, token_ids]


@wrong(
    "compares ids and column numbers without adding an axis, so the shapes do not fit or entries are compared one by "
    "one",
    line="result = token_ids == np.arange(vocab_size)",
)
def no_new_axis(token_ids, vocab_size):
    result = token_ids == np.arange(vocab_size)
    return np.array(result).astype(float)


@wrong("adds the new axis to the ids in front instead of at the end", line="ids = token_ids[None, ...]")
def axis_in_front(token_ids, vocab_size):
    ids = token_ids[None, ...]
    columns = np.arange(vocab_size)
    return (ids == columns).astype(float)


@wrong(
    "adds the new axis as axis 1, which is the end only for a single sentence",
    names={"first-axis-only"},
    line="ids = np.expand_dims(token_ids, 1)",
)
def axis_one(token_ids, vocab_size):
    ids = np.expand_dims(token_ids, 1)
    return (ids == np.arange(vocab_size)).astype(np.float64)


@wrong(
    "sets the columns of all ids in every row, instead of one column per row",
    names={"every-id-in-every-row"},
    line="one_hots[..., token_ids] = 1.0",
)
def all_rows_all_columns(token_ids, vocab_size):
    one_hots = np.zeros(token_ids.shape + (vocab_size,))
    one_hots[..., token_ids] = 1.0
    return one_hots


@wrong(
    "marks the whole sentence in one single vector instead of giving a row per token",
    names={"one-row-for-all"},
    line="vec = np.zeros(vocab_size)",
)
def bag_of_words(token_ids, vocab_size):
    vec = np.zeros(vocab_size)
    vec[token_ids] = 1
    return vec


@wrong(
    "writes the id itself instead of 1",
    names={"id-in-place-of-1"},
    line="out[place + (token_ids[place],)] = token_ids[place]",
)
def writes_the_id(token_ids, vocab_size):
    out = np.zeros(token_ids.shape + (vocab_size,))
    for place in np.ndindex(token_ids.shape):
        out[place + (token_ids[place],)] = token_ids[place]
    return out


@wrong("flattens the ids and never restores their shape", names={"flattened"}, line="flat = token_ids.ravel()")
def stays_flat(token_ids, vocab_size):
    flat = token_ids.ravel()
    out = np.zeros((flat.size, vocab_size))
    out[np.arange(flat.size), flat] = 1.0
    return out


@wrong(
    "fills with 1 all columns up to the id instead of the column of the id alone",
    line="filled = columns <= token_ids[..., None]",
)
def thermometer(token_ids, vocab_size):
    columns = np.arange(vocab_size)
    filled = columns <= token_ids[..., None]
    return filled.astype(float)


@wrong("has 0 and 1 exchanged", names={"opposite"}, line="out = np.ones(token_ids.shape + (vocab_size,))")
def inverted(token_ids, vocab_size):
    out = np.ones(token_ids.shape + (vocab_size,))
    np.put_along_axis(out, np.expand_dims(token_ids, -1), 0.0, -1)
    return out


@wrong(
    "uses one and the same row array for all tokens, so every row has the ones of all tokens",
    names={"every-id-in-every-row"},
    line="row = np.zeros(vocab_size)",
)
def shared_row(token_ids, vocab_size):
    rows = []
    row = np.zeros(vocab_size)
    for t in np.ravel(token_ids):
        row[t] = 1.0
        rows.append(row)
    return np.array(rows).reshape(*np.shape(token_ids), vocab_size)


@wrong("loop ends one token too early: the last token's row stays all 0", line="for i in range(len(flat) - 1):")
def last_token_missing(token_ids, vocab_size):
    flat = token_ids.reshape(-1)
    out = np.zeros((len(flat), vocab_size))
    for i in range(len(flat) - 1):
        out[i, flat[i]] = 1.0
    return out.reshape(token_ids.shape + (vocab_size,))


@wrong("has the shape of the example hard-coded, 3 tokens and 4 words", line="out = np.zeros((3, 4))")
def shape_of_example(token_ids, vocab_size):
    out = np.zeros((3, 4))
    for row in range(3):
        out[row][token_ids[row]] = 1
    return out


@wrong("is one column too wide", line="table = np.identity(vocab_size + 1)")
def too_wide(token_ids, vocab_size):
    table = np.identity(vocab_size + 1)
    return table[token_ids]


@wrong(
    "two: gives integers instead of floats, and works for a single sentence only",
    names={"integers", "first-axis-only"},
    line="rows.append([1 if j == t else 0 for j in range(vocab_size)])",
)
def integer_lists(token_ids, vocab_size):
    rows = []
    for t in token_ids:
        rows.append([1 if j == t else 0 for j in range(vocab_size)])
    return np.array(rows)


@wrong(
    "two: puts the axis of the vocabulary first instead of last, and returns True and False instead of floats",
    names={"vocabulary-first", "booleans"},
    line="return columns == token_ids",
)
def first_axis_booleans(token_ids, vocab_size):
    columns = np.arange(vocab_size).reshape((vocab_size,) + (1,) * token_ids.ndim)
    return columns == token_ids


@wrong("is half-finished: it returns zeros and never writes a 1", line=None)
def only_zeros(token_ids, vocab_size):
    out = np.zeros((*np.shape(token_ids), vocab_size))
    for t in np.ravel(token_ids):
        out[..., int(t)] = 0.0
    return out


@wrong(
    "two: takes the width from the largest id instead of vocab_size, and flattens the ids for good",
    names={"width-from-ids", "flattened"},
    line="width = int(token_ids.max()) + 1",
)
def width_and_flat(token_ids, vocab_size):
    width = int(token_ids.max()) + 1
    rows = []
    for t in token_ids.ravel():
        row = np.zeros(width)
        row[t] = 1.0
        rows.append(row)
    return np.array(rows)


@right
def rows_of_identity(token_ids, vocab_size):
    return np.eye(vocab_size)[token_ids]


@right
def by_comparison(token_ids, vocab_size):
    token_ids = np.asarray(token_ids)
    return (token_ids[..., None] == np.arange(vocab_size)).astype(float)


@right
def put_along(token_ids, vocab_size):
    token_ids = np.asarray(token_ids)
    out = np.zeros((*token_ids.shape, vocab_size))
    np.put_along_axis(out, token_ids[..., None], 1.0, axis=-1)
    return out


@right
def flat_and_back(token_ids, vocab_size):
    shape = np.shape(token_ids)
    rows = []
    for t in np.ravel(token_ids):
        row = [0.0] * vocab_size
        row[t] = 1.0
        rows.append(row)
    return np.array(rows, dtype=float).reshape(shape + (vocab_size,))


@right
def with_where(token_ids, vocab_size):
    ids = np.expand_dims(token_ids, axis=-1)
    return np.where(ids == np.arange(vocab_size), 1.0, 0.0)
