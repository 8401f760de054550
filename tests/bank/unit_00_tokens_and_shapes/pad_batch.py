"""Functions that learners wrote for `pad_batch`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "derives is_token from the ids, so a real token whose id is pad_id counts as padding",
    names={"mask-from-ids"},
    line="is_token = token_ids != pad_id",
)
def mask_from_ids(sequences, pad_id):
    n_max = max(len(s) for s in sequences)
    token_ids = np.full((len(sequences), n_max), pad_id)
    for b, s in enumerate(sequences):
        token_ids[b, : len(s)] = s
    is_token = token_ids != pad_id
    return token_ids, is_token


@wrong(
    "puts the padding in front, so the sentences end in the last column",
    names={"in-front"},
    line="ids[b, n_max - len(seq) :] = seq",
)
def pads_left(sequences, pad_id):
    n_max = max(map(len, sequences))
    ids = np.full((len(sequences), n_max), pad_id, dtype=int)
    mask = np.zeros((len(sequences), n_max), dtype=bool)
    for b, seq in enumerate(sequences):
        ids[b, n_max - len(seq) :] = seq
        mask[b, n_max - len(seq) :] = True
    return ids, mask


@wrong(
    "cuts all sequences to the length of the shortest one instead of filling them up",
    names={"cut"},
    line="n = min(len(s) for s in sequences)",
)
def cuts_to_shortest(sequences, pad_id):
    n = min(len(s) for s in sequences)
    token_ids = np.full((len(sequences), n), pad_id, dtype=int)
    is_token = np.zeros((len(sequences), n), dtype=bool)
    for b, s in enumerate(sequences):
        token_ids[b] = s[:n]
        is_token[b] = True
    return token_ids, is_token


@wrong(
    "takes the length of the first sequence for the longest one",
    names={"first-length"},
    line="n_max = len(sequences[0])",
)
def first_is_longest(sequences, pad_id):
    n_max = len(sequences[0])
    token_ids = np.full((len(sequences), n_max), pad_id)
    is_token = np.full((len(sequences), n_max), False)
    for b in range(len(sequences)):
        n = len(sequences[b])
        token_ids[b, :n] = sequences[b]
        is_token[b, :n] = True
    return token_ids, is_token


@wrong("returns only the ids and no is_token", names={"ids-only"}, line="return token_ids")
def only_ids(sequences, pad_id):
    n_max = max(len(s) for s in sequences)
    token_ids = np.full((len(sequences), n_max), pad_id, dtype=int)
    for b, s in enumerate(sequences):
        token_ids[b, : len(s)] = s
    return token_ids


@wrong(
    "has True and False exchanged: it marks the padding",
    names={"inverted"},
    line="is_padding = np.ones((B, n_max), dtype=bool)",
)
def marks_padding(sequences, pad_id):
    B, n_max = len(sequences), max(len(s) for s in sequences)
    ids = np.full((B, n_max), pad_id, dtype=int)
    is_padding = np.ones((B, n_max), dtype=bool)
    for b, s in enumerate(sequences):
        ids[b, : len(s)] = s
        is_padding[b, : len(s)] = False
    return ids, is_padding


@wrong(
    "always fills up with 0 instead of pad_id",
    names={"zeros"},
    line="token_ids = np.zeros((len(sequences), n_max), dtype=int)",
)
def pads_with_zero(sequences, pad_id):
    lengths = [len(s) for s in sequences]
    n_max = max(lengths)
    token_ids = np.zeros((len(sequences), n_max), dtype=int)
    is_token = np.zeros((len(sequences), n_max), dtype=bool)
    for b, length in enumerate(lengths):
        token_ids[b, :length] = sequences[b]
        is_token[b, :length] = True
    return token_ids, is_token


@wrong("gives the ids as floats", names={"float-ids"}, line="token_ids = np.ones((len(sequences), n_max)) * pad_id")
def float_ids(sequences, pad_id):
    n_max = max(len(s) for s in sequences)
    token_ids = np.ones((len(sequences), n_max)) * pad_id
    is_token = np.zeros((len(sequences), n_max), dtype=bool)
    for b, s in enumerate(sequences):
        token_ids[b, : len(s)] = s
        is_token[b, : len(s)] = True
    return token_ids, is_token


@wrong(
    "gives is_token as numbers 0 and 1 instead of booleans",
    names={"mask-of-numbers"},
    line="is_token = np.zeros((B, n_max), dtype=int)",
)
def mask_of_numbers(sequences, pad_id):
    B = len(sequences)
    n_max = max(len(s) for s in sequences)
    token_ids = np.full((B, n_max), pad_id, dtype=int)
    is_token = np.zeros((B, n_max), dtype=int)
    for b in range(B):
        token_ids[b, : len(sequences[b])] = sequences[b]
        is_token[b, : len(sequences[b])] = 1
    return token_ids, is_token


@wrong("returns the two arrays in the wrong order", names={"exchanged"}, line="return is_token, token_ids")
def wrong_order(sequences, pad_id):
    n_max = max(len(s) for s in sequences)
    token_ids = np.full((len(sequences), n_max), pad_id, dtype=int)
    is_token = np.full((len(sequences), n_max), False)
    for b, s in enumerate(sequences):
        token_ids[b, : len(s)] = s
        is_token[b, : len(s)] = True
    return is_token, token_ids


@wrong("returns lists instead of arrays", names={"lists-returned"}, line="return token_ids, is_token")
def lists(sequences, pad_id):
    n_max = max(len(s) for s in sequences)
    token_ids = [list(s) + [pad_id] * (n_max - len(s)) for s in sequences]
    is_token = [[True] * len(s) + [False] * (n_max - len(s)) for s in sequences]
    return token_ids, is_token


@wrong(
    "appends the padding to the sequences themselves: it changes the caller's lists, and arrays have no append",
    names={"appended"},
    line="s.append(pad_id)",
)
def appends_to_argument(sequences, pad_id):
    lengths = [len(s) for s in sequences]
    n_max = max(lengths)
    for s in sequences:
        while len(s) < n_max:
            s.append(pad_id)
    is_token = [[j < n for j in range(n_max)] for n in lengths]
    return np.array(sequences, dtype=int), np.array(is_token, dtype=bool)


@wrong(
    "reads the lengths after the padding was added, so is_token is True everywhere",
    names={"all-tokens"},
    line="is_token[b, : len(padded[b])] = True",
)
def length_after_padding(sequences, pad_id):
    n_max = max(len(s) for s in sequences)
    padded = [list(s) + [pad_id] * (n_max - len(s)) for s in sequences]
    is_token = np.zeros((len(sequences), n_max), dtype=bool)
    for b in range(len(padded)):
        is_token[b, : len(padded[b])] = True
    return np.array(padded, dtype=int), is_token


@wrong(
    "marks one place too many, the one behind the end of each sequence",
    names={"length-counts-too"},
    line="is_token = np.arange(n_max) <= lengths[:, None]",
)
def mask_one_too_long(sequences, pad_id):
    lengths = np.array([len(s) for s in sequences])
    n_max = lengths.max()
    token_ids = np.full((len(sequences), n_max), pad_id, dtype=int)
    for row, s in zip(token_ids, sequences):
        row[: len(s)] = s
    is_token = np.arange(n_max) <= lengths[:, None]
    return token_ids, is_token


@wrong(
    "joins a sequence and the padding with +, which adds numbers or fails when the sequence is an array",
    names={"lists-only"},
    line="row = s + [pad_id] * missing",
)
def plus_on_arrays(sequences, pad_id):
    n_max = max(len(s) for s in sequences)
    rows, marks = [], []
    for s in sequences:
        missing = n_max - len(s)
        row = s + [pad_id] * missing
        rows.append(row)
        marks.append([True] * len(s) + [False] * missing)
    return np.array(rows, dtype=int), np.array(marks, dtype=bool)


@wrong(
    "takes every token with the id 0 for padding, whatever pad_id is",
    names={"mask-from-zeros"},
    line="is_token = token_ids.astype(bool)",
)
def zero_is_padding(sequences, pad_id):
    n_max = max(len(s) for s in sequences)
    token_ids = np.full((len(sequences), n_max), pad_id, dtype=int)
    for b, s in enumerate(sequences):
        token_ids[b, : len(s)] = s
    is_token = token_ids.astype(bool)
    return token_ids, is_token


@wrong(
    "makes an array of the ragged list straight away, which NumPy refuses",
    names={"ragged"},
    line="token_ids = np.array(sequences)",
)
def ragged_array(sequences, pad_id):
    token_ids = np.array(sequences)
    is_token = np.ones(token_ids.shape, dtype=bool)
    return token_ids, is_token


@wrong("leaves out empty sequences, so their rows are missing", names={"empty-left-out"}, line="if len(s) == 0:")
def skips_empty(sequences, pad_id):
    n_max = max(len(s) for s in sequences)
    ids, mask = [], []
    for s in sequences:
        if len(s) == 0:
            continue
        ids.append(list(s) + [pad_id] * (n_max - len(s)))
        mask.append([True] * len(s) + [False] * (n_max - len(s)))
    return np.array(ids, dtype=int), np.array(mask, dtype=bool)


@wrong(
    "repeats one and the same list as every row, so all rows show the sequences written over each other",
    line="ids = [[pad_id] * n_max] * B",
)
def same_row_repeated(sequences, pad_id):
    B, n_max = len(sequences), max(len(s) for s in sequences)
    ids = [[pad_id] * n_max] * B
    is_token = np.zeros((B, n_max), dtype=bool)
    for b in range(B):
        for j in range(len(sequences[b])):
            ids[b][j] = sequences[b][j]
            is_token[b, j] = True
    return np.array(ids, dtype=int), is_token


@wrong(
    "fills up by repeating the last token instead of with pad_id",
    names={"last-token-repeated"},
    line="ids[b, len(s) :] = s[-1] if len(s) else pad_id",
)
def repeats_last_token(sequences, pad_id):
    n_max = max(len(s) for s in sequences)
    ids = np.full((len(sequences), n_max), pad_id, dtype=int)
    is_token = np.zeros(ids.shape, dtype=bool)
    for b, s in enumerate(sequences):
        ids[b, : len(s)] = s
        ids[b, len(s) :] = s[-1] if len(s) else pad_id
        is_token[b, : len(s)] = True
    return ids, is_token


@wrong(
    "returns the lengths of the sequences instead of the booleans",
    names={"lengths"},
    line="return token_ids, np.array(lengths)",
)
def lengths_for_mask(sequences, pad_id):
    lengths = [len(s) for s in sequences]
    token_ids = np.full((len(lengths), max(lengths)), pad_id, dtype=int)
    for b, n in enumerate(lengths):
        token_ids[b, :n] = sequences[b]
    return token_ids, np.array(lengths)


@wrong("adds one column too many behind the longest sequence", line="n_max = max(len(s) for s in sequences) + 1")
def one_column_more(sequences, pad_id):
    n_max = max(len(s) for s in sequences) + 1
    token_ids = np.full((len(sequences), n_max), pad_id, dtype=int)
    is_token = np.zeros((len(sequences), n_max), dtype=bool)
    for b, s in enumerate(sequences):
        token_ids[b, : len(s)] = s
        is_token[b, : len(s)] = True
    return token_ids, is_token


@wrong(
    "two: puts the padding in front, and derives is_token from the ids, so a token with the id pad_id counts as "
    "padding",
    names={"in-front", "mask-from-ids"},
    line="rows.append([pad_id] * (n_max - len(s)) + list(s))",
)
def left_and_from_ids(sequences, pad_id):
    n_max = max(len(s) for s in sequences)
    rows = []
    for s in sequences:
        rows.append([pad_id] * (n_max - len(s)) + list(s))
    token_ids = np.array(rows, dtype=int)
    return token_ids, token_ids != pad_id


@wrong(
    "two: fills up with 0 instead of pad_id, and has True and False exchanged in is_token",
    names={"zeros", "inverted"},
    line="token_ids[b, len(s) :] = 0",
)
def zero_and_exchanged(sequences, pad_id):
    n_max = max(len(s) for s in sequences)
    token_ids = np.full((len(sequences), n_max), pad_id, dtype=int)
    is_token = np.zeros((len(sequences), n_max), dtype=bool)
    for b, s in enumerate(sequences):
        token_ids[b, : len(s)] = s
        token_ids[b, len(s) :] = 0
        is_token[b, len(s) :] = True
    return token_ids, is_token


@wrong("is half-finished: is_token is made but never filled, so it is False everywhere", names={"no-tokens"}, line=None)
def mask_never_filled(sequences, pad_id):
    n_max = max(len(s) for s in sequences)
    token_ids = np.full((len(sequences), n_max), pad_id, dtype=int)
    is_token = np.zeros((len(sequences), n_max), dtype=bool)
    for b, s in enumerate(sequences):
        token_ids[b, : len(s)] = s
    return token_ids, is_token


@wrong(
    "two: returns the two arrays in the wrong order, and gives the ids as floats",
    names={"exchanged", "float-ids"},
    line="ids = np.zeros((B, n_max)) + pad_id",
)
def order_and_floats(sequences, pad_id):
    B, n_max = len(sequences), max(len(s) for s in sequences)
    ids = np.zeros((B, n_max)) + pad_id
    mask = np.zeros((B, n_max), dtype=bool)
    for b in range(B):
        ids[b, : len(sequences[b])] = sequences[b]
        mask[b, : len(sequences[b])] = True
    return mask, ids


@right
def full_and_slices(sequences, pad_id):
    n_max = max(len(s) for s in sequences)
    token_ids = np.full((len(sequences), n_max), pad_id, dtype=int)
    is_token = np.full((len(sequences), n_max), False)
    for b, s in enumerate(sequences):
        token_ids[b, : len(s)] = s
        is_token[b, : len(s)] = True
    return token_ids, is_token


@right
def lists_then_arrays(sequences, pad_id):
    n_max = max([len(s) for s in sequences])
    ids = [[*s, *[pad_id] * (n_max - len(s))] for s in sequences]
    real = [[j < len(s) for j in range(n_max)] for s in sequences]
    return np.array(ids, dtype=int), np.array(real, dtype=bool)


@right
def mask_first(sequences, pad_id):
    lengths = np.array([len(s) for s in sequences])
    is_token = np.arange(lengths.max()) < lengths[:, None]
    token_ids = np.full(is_token.shape, pad_id, dtype=int)
    token_ids[is_token] = np.concatenate([np.asarray(s, dtype=int) for s in sequences])
    return token_ids, is_token


@right
def with_np_pad(sequences, pad_id):
    n_max = max(map(len, sequences))
    ids, real = [], []
    for s in sequences:
        width = (0, n_max - len(s))
        ids.append(np.pad(np.array(s, dtype=int), width, constant_values=pad_id))
        real.append(np.pad(np.ones(len(s), dtype=bool), width, constant_values=False))
    return np.stack(ids), np.stack(real)


@wrong(
    "takes the length of the largest sequence, in the order of lists, for the largest length",
    line="n_max = len(max(sequences, default=[]))",
)
def longest_by_value(sequences, pad_id):
    sequences = [list(s) for s in sequences]
    n_max = len(max(sequences, default=[]))
    token_ids = np.full((len(sequences), n_max), pad_id)
    is_token = np.zeros((len(sequences), n_max), dtype=bool)
    for b, s in enumerate(sequences):
        token_ids[b, : len(s)] = s
        is_token[b, : len(s)] = True
    return token_ids, is_token


@wrong(
    "counts one place after the end as a token",
    names={"length-counts-too"},
    line="is_token = np.arange(n_max) <= lengths[:, None]",
)
def one_more(sequences, pad_id):
    lengths = np.array([len(s) for s in sequences])
    n_max = lengths.max()
    token_ids = np.full((len(sequences), n_max), pad_id)
    for b, s in enumerate(sequences):
        token_ids[b, : len(s)] = s
    is_token = np.arange(n_max) <= lengths[:, None]
    return token_ids, is_token


@wrong(
    "replaces tokens of the id 0 by padding, too",
    names={"zeros-replaced"},
    line="token_ids[token_ids == 0] = pad_id",
)
def zeros_replaced(sequences, pad_id):
    n_max = max(len(s) for s in sequences)
    token_ids = np.zeros((len(sequences), n_max), dtype=int)
    is_token = np.zeros((len(sequences), n_max), dtype=bool)
    for b, s in enumerate(sequences):
        token_ids[b, : len(s)] = s
        is_token[b, : len(s)] = True
    token_ids[token_ids == 0] = pad_id
    return token_ids, is_token
