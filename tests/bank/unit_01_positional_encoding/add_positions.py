"""Functions that learners wrote for `add_positions`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong("adds the whole table instead of its first n rows", names={"whole-table"}, line="return X + P")
def whole_table(X, P):
    n, n_max = X.shape[-2], P.shape[0]
    if n > n_max:
        raise ValueError(f"{n} tokens but {n_max} rows")
    return X + P


@wrong(
    "takes n from the first axis of X, which for a batch is the number of sequences",
    names={"first-axis"},
    line="n = X.shape[0]",
)
def n_from_first_axis(X, P):
    n = X.shape[0]
    if n > len(P):
        raise ValueError(f"{n} tokens are more than {len(P)} rows")
    return X + P[:n]


@wrong(
    "takes n from len(X), which for a batch is the number of sequences",
    names={"first-axis"},
    line="if len(X) > len(P):",
)
def n_from_len(X, P):
    if len(X) > len(P):
        raise ValueError(f"{len(X)} tokens, only {len(P)} positions")
    rows = P[: len(X)]
    return X + rows


@wrong(
    "works for a batch with one leading axis only, because n is taken from axis 1",
    names={"second-axis"},
    line="n = X.shape[1]",
)
def n_from_axis_one(X, P):
    n = X.shape[1]
    n_max = P.shape[0]
    if n > n_max:
        raise ValueError(f"n = {n} is larger than n_max = {n_max}")
    return X + P[:n, :]


@wrong("unpacks exactly two axes, so batches are refused", names={"two-axes-only"}, line="n, d_model = X.shape")
def exactly_two_axes(X, P):
    n, d_model = X.shape
    n_max = P.shape[0]
    if n > n_max:
        raise ValueError(f"{n} > {n_max}")
    out = np.zeros((n, d_model))
    for p in range(n):
        out[p] = X[p] + P[p]
    return out


@wrong("changes X itself instead of making a new array", names={"in-place"}, line="X += P[:n]")
def changes_x(X, P):
    n = X.shape[-2]
    if n > P.shape[0]:
        raise ValueError(f"{n} tokens for {P.shape[0]} rows")
    X += P[:n]
    return X


@wrong(
    "changes X itself, because the new name stands for the same array",
    names={"in-place"},
    line="out[...] = out + P[:n]",
)
def second_name(X, P):
    out = X
    n = out.shape[-2]
    if n > len(P):
        raise ValueError(f"too many tokens: {n} of {len(P)}")
    out[...] = out + P[:n]
    return out


@wrong(
    "raises no ValueError with both numbers when there are more tokens than rows", names={"no-length-check"}, line=None
)
def no_check(X, P):
    n = X.shape[-2]
    return X + P[:n]


@wrong(
    "message of the error contains neither of the two numbers",
    names={"numbers-not-mentioned"},
    line='raise ValueError("more tokens than rows")',
)
def message_without_numbers(X, P):
    n = X.shape[-2]
    if P.shape[0] < n:
        raise ValueError("more tokens than rows")
    return X + P[:n]


@wrong(
    "message of the error contains the number of tokens only, not that of the rows",
    names={"numbers-not-mentioned"},
    line='raise ValueError(f"sequence of {n} tokens is too long")',
)
def message_with_one_number(X, P):
    n = X.shape[-2]
    n_max = len(P)
    if n > n_max:
        raise ValueError(f"sequence of {n} tokens is too long")
    return X + P[:n]


@wrong("refuses a sequence that is exactly as long as the table", names={"exact-fit-refused"}, line="if n >= n_max:")
def exact_fit_refused(X, P):
    n = X.shape[-2]
    n_max = P.shape[0]
    if n >= n_max:
        raise ValueError(f"{n} tokens but only {n_max} rows")
    return X + P[:n]


@wrong("takes the rows 1 to n instead of 0 to n - 1", names={"rows-from-1"}, line="return X + P[1 : n + 1]")
def rows_from_one(X, P):
    n = X.shape[-2]
    if n > P.shape[0]:
        raise ValueError(f"{n} tokens, {P.shape[0]} rows")
    return X + P[1 : n + 1]


@wrong("takes the last n rows of the table instead of the first", names={"last-rows"}, line="return X + P[-n:]")
def last_rows(X, P):
    n = X.shape[-2]
    if n > len(P):
        raise ValueError(f"need {n} rows, have {len(P)}")
    return X + P[-n:]


@wrong("multiplies by the positions instead of adding them", names={"multiplied"}, line="out = X * P[:n]")
def multiplies(X, P):
    n = X.shape[-2]
    if n > P.shape[0]:
        raise ValueError(f"table has {P.shape[0]} rows for {n} tokens")
    out = X * P[:n]
    return out


@wrong(
    "puts the positions beside the vectors instead of adding them, so the width doubles",
    names={"concatenated"},
    line="return np.concatenate([X, rows], axis=-1)",
)
def concatenates(X, P):
    n = X.shape[-2]
    if n > P.shape[0]:
        raise ValueError(f"{n} tokens but {P.shape[0]} positions")
    rows = np.broadcast_to(P[:n], X.shape)
    return np.concatenate([X, rows], axis=-1)


@wrong(
    "multiplies the token vectors by the square root of d_model first, which is not part of this exercise",
    names={"scaled"},
    line="scaled = X * np.sqrt(d_model)",
)
def scales_first(X, P):
    n, d_model = X.shape[-2:]
    if n > len(P):
        raise ValueError(f"{n} is more than {len(P)}")
    scaled = X * np.sqrt(d_model)
    return scaled + P[:n]


@wrong(
    "adds the one row P[n] to all tokens instead of row p to token p (or fails when there is no row n)",
    line="return X + P[n]",
)
def one_row_for_all(X, P):
    n = X.shape[-2]
    if n > P.shape[0]:
        raise ValueError(f"{n} tokens and {P.shape[0]} rows")
    return X + P[n]


@wrong(
    "compares the width of the vectors with the number of rows instead of the number of tokens",
    names={"width-compared"},
    line="n = X.shape[-1]",
)
def width_for_n(X, P):
    n = X.shape[-1]
    if n > P.shape[0]:
        raise ValueError(f"{n} tokens but {P.shape[0]} rows")
    return X + P[: X.shape[-2]]


@wrong(
    "cuts off the tokens that have no row instead of raising a ValueError",
    names={"sequence-cut"},
    line="n = min(X.shape[-2], P.shape[0])",
)
def cuts_off(X, P):
    n = min(X.shape[-2], P.shape[0])
    return X[..., :n, :] + P[:n]


@wrong(
    "starts again at row 0 when the table ends instead of raising a ValueError",
    names={"table-repeated"},
    line="rows = np.arange(X.shape[-2]) % len(P)",
)
def starts_again(X, P):
    rows = np.arange(X.shape[-2]) % len(P)
    return X + P[rows]


@wrong("slices the columns of the table instead of its rows", line="return X + P[:, :n]")
def slices_columns(X, P):
    n = X.shape[-2]
    if n > P.shape[0]:
        raise ValueError(f"{n} tokens, but {P.shape[0]} rows")
    return X + P[:, :n]


@wrong("goes on counting from one sequence of a batch to the next instead of starting each at row 0", line="p = 0")
def counts_through_batch(X, P):
    n, d_model = X.shape[-2:]
    if n > len(P):
        raise ValueError(f"{n} tokens, {len(P)} rows")
    out = X.reshape(-1, d_model).copy()
    p = 0
    for row in out:
        row += P[p % len(P)]
        p += 1
    return out.reshape(X.shape)


@wrong("loop ends too early: the last token gets no position", line="for p in range(n - 1):")
def last_token_without(X, P):
    n = X.shape[-2]
    if P.shape[0] < n:
        raise ValueError(f"{P.shape[0]} rows are too few for {n} tokens")
    out = np.array(X, dtype=float)
    for p in range(n - 1):
        out[..., p, :] += P[p]
    return out


@wrong("writes the sum into the table P, which changes the argument (and fails for a batch)", line="rows += X")
def changes_table(X, P):
    n = X.shape[-2]
    if n > len(P):
        raise ValueError(f"{n} tokens, {len(P)} rows")
    rows = P[:n]
    rows += X
    return rows


@wrong(
    "two: takes n from the first axis of X, which is wrong for a batch, and changes X itself",
    names={"first-axis", "in-place"},
    line="n = len(X)",
)
def first_axis_and_in_place(X, P):
    n = len(X)
    if n > len(P):
        raise ValueError(f"{n} tokens but {len(P)} rows")
    X += P[:n]
    return X


@wrong(
    "two: takes the rows 1 to n instead of 0 to n - 1, and raises no ValueError with both numbers for too many tokens",
    names={"rows-from-1", "no-length-check"},
    line="rows = P[1 : n + 1]",
)
def from_one_unchecked(X, P):
    n = X.shape[-2]
    rows = P[1 : n + 1]
    return X + rows


@wrong(
    "returns the first n rows of the table alone, without the token vectors",
    line="return np.zeros(X.shape) + P[:n]",
)
def positions_alone(X, P):
    n = X.shape[-2]
    if n > P.shape[0]:
        raise ValueError(f"{n} tokens, {P.shape[0]} rows")
    return np.zeros(X.shape) + P[:n]


@wrong(
    "two: refuses a sequence that is exactly as long as the table, and the message of the error contains no numbers",
    names={"exact-fit-refused"},
    line="if X.shape[-2] >= P.shape[0]:",
)
def exact_fit_and_message(X, P):
    if X.shape[-2] >= P.shape[0]:
        raise ValueError("table too short")
    return X + P[: X.shape[-2]]


@right
def slice_and_add(X, P):
    n, n_max = X.shape[-2], P.shape[0]
    if n > n_max:
        raise ValueError(f"{n} tokens, but the table has only {n_max} rows")
    return X + P[:n]


@right
def copy_in_place(X, P):
    n = X.shape[-2]
    if len(P) < n:
        raise ValueError("The table has " + str(len(P)) + " rows, the sequence " + str(n) + " tokens")
    out = np.array(X, dtype=float)
    out += P[:n]
    return out


@right
def token_by_token(X, P):
    *_, n, d_model = X.shape
    if n > P.shape[0]:
        raise ValueError(f"n = {n} > n_max = {P.shape[0]}")
    out = np.zeros(X.shape)
    for p in range(n):
        out[..., p, :] = X[..., p, :] + P[p, :]
    return out


@right
def with_take(X, P):
    positions = np.arange(X.shape[-2])
    if positions.size > P.shape[0]:
        raise ValueError(f"cannot place {positions.size} tokens in {P.shape[0]} rows")
    return np.add(X, np.take(P, positions, axis=0))


@wrong(
    "takes axis 1 for the number of positions to add, after a right check of the length",
    names={"rows-of-second-axis"},
    line="return X + P[: X.shape[1]]",
)
def rows_by_axis_1(X, P):
    n = X.shape[-2]
    if n > P.shape[0]:
        raise ValueError(f"{n} tokens but only {P.shape[0]} positions")
    return X + P[: X.shape[1]]


@wrong(
    "takes axis 1 for the number of positions in the check alone",
    names={"second-axis-compared"},
    line="if X.shape[1] > len(P):",
)
def check_by_axis_1(X, P):
    if X.shape[1] > len(P):
        raise ValueError(f"{X.shape[1]} tokens but only {len(P)} positions")
    return X + P[: X.shape[-2]]


@wrong("takes axis 1 for the number of positions, and has no check", names={"second-axis-unchecked"})
def axis_1_without_check(X, P):
    return X + P[: X.shape[1]]


@wrong("takes axis 1 for the number of positions", names={"second-axis"}, line="n = X.shape[1]")
def axis_1(X, P):
    n = X.shape[1]
    if n > P.shape[0]:
        raise ValueError(f"The sequence has {n} tokens, the table only {P.shape[0]} rows.")
    return X + P[:n, :]


@wrong(
    "compares no lengths, so that a table of one row is stretched and other short tables end in NumPy's own error",
    names={"no-length-check"},
)
def leaves_the_check_to_numpy(X, P):
    n = X.shape[-2]
    return X + P[:n, :]
