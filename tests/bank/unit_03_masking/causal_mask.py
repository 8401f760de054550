"""Functions that learners wrote for `causal_mask`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "hides a position from itself (strictly below the diagonal only)",
    names={"without-diagonal"},
    line="return np.tril(np.ones((n_queries, n_keys), dtype=bool), k=offset - 1)",
)
def strictly_below(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    if n_keys < n_queries:
        raise ValueError(f"{n_keys} keys are fewer than {n_queries} queries")
    offset = n_keys - n_queries
    return np.tril(np.ones((n_queries, n_keys), dtype=bool), k=offset - 1)


@wrong(
    "ignores the offset n_keys - n_queries: with more keys, the queries stand at the first positions, not the last",
    names={"queries-first"},
    line="i = np.arange(n_queries).reshape(-1, 1)",
)
def queries_at_the_start(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    if n_keys < n_queries:
        raise ValueError("got %d queries but only %d keys" % (n_queries, n_keys))
    i = np.arange(n_queries).reshape(-1, 1)
    j = np.arange(n_keys)
    return j <= i


@wrong(
    "marks the hidden pairs with True: allows only the future (the mask is inverted)",
    names={"inverted"},
    line="mask = np.triu(np.ones((n_queries, n_keys)), k=1 + n_keys - n_queries)",
)
def true_means_hidden(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    if n_queries > n_keys:
        raise ValueError(f"n_queries={n_queries} is larger than n_keys={n_keys}")
    mask = np.triu(np.ones((n_queries, n_keys)), k=1 + n_keys - n_queries)
    return mask.astype(bool)


@wrong(
    "looks the wrong way: allows a position itself and what comes after it instead of what comes before it",
    names={"upper-triangle"},
    line="return key_positions >= query_positions",
)
def sees_only_later(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    if n_keys < n_queries:
        raise ValueError(f"too few keys: {n_keys} for {n_queries}")
    query_positions = np.arange(n_keys - n_queries, n_keys)[:, None]
    key_positions = np.arange(n_keys)[None, :]
    return key_positions >= query_positions


@wrong(
    "returns floats 1.0 and 0.0 instead of booleans",
    names={"ones-and-zeros"},
    line="return np.tri(n_queries, n_keys, n_keys - n_queries)",
)
def ones_and_zeros(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    if n_keys < n_queries:
        raise ValueError(f"n_keys {n_keys} < n_queries {n_queries}")
    return np.tri(n_queries, n_keys, n_keys - n_queries)


@wrong("raises no ValueError when there are fewer keys than queries", names={"never-refuses"}, line=None)
def no_refusal(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    shift = n_keys - n_queries
    rows, cols = np.indices((n_queries, n_keys))
    return cols <= rows + shift


@wrong(
    "the message of its ValueError contains neither of the two numbers",
    names={"numbers-not-mentioned"},
    line='raise ValueError("there must be at least as many keys as queries")',
)
def message_without_numbers(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    elif n_keys < n_queries:
        raise ValueError("there must be at least as many keys as queries")
    return np.arange(n_keys) <= np.arange(n_queries)[:, None] + (n_keys - n_queries)


@wrong(
    "subtracts the offset n_keys - n_queries instead of adding it (its sign is wrong)",
    names={"offset-reversed"},
    line="offset = n_queries - n_keys",
)
def offset_backwards(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    if n_keys < n_queries:
        raise ValueError(f"only {n_keys} keys for {n_queries} queries")
    offset = n_queries - n_keys
    mask = np.zeros((n_queries, n_keys), dtype=bool)
    for i in range(n_queries):
        for j in range(n_keys):
            mask[i, j] = j <= i + offset
    return mask


@wrong(
    "refuses as many keys as queries, too: raises the ValueError for equal numbers",
    names={"equal-refused"},
    line="if n_keys <= n_queries:",
)
def refuses_equal(n_queries, n_keys=None):
    if n_keys is None:
        return np.tril(np.ones((n_queries, n_queries), dtype=bool))
    if n_keys <= n_queries:
        raise ValueError(f"{n_queries} queries and {n_keys} keys")
    return np.tril(np.ones((n_queries, n_keys), dtype=bool), n_keys - n_queries)


@wrong(
    "swaps the axes: keys are the rows and queries the columns of its mask, shape (n_keys, n_queries)",
    names={"keys-as-rows"},
    line="q = np.arange(n_queries) + n_keys - n_queries",
)
def rows_are_keys(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    if n_keys < n_queries:
        raise ValueError(f"{n_keys} < {n_queries}")
    q = np.arange(n_queries) + n_keys - n_queries
    k = np.arange(n_keys)[:, np.newaxis]
    return k <= q


@wrong(
    "compares two flat arrays of positions without making the queries a column, so no matrix of pairs comes out",
    line="return keys <= queries + (n_keys - n_queries)",
)
def no_column(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    if n_keys < n_queries:
        raise ValueError(f"n_keys must be >= n_queries, got {n_keys} and {n_queries}")
    queries = np.arange(n_queries)
    keys = np.arange(n_keys)
    return keys <= queries + (n_keys - n_queries)


@wrong(
    "lets every query see one key too many, the next position after its own",
    names={"one-ahead"},
    line="mask[i, : i + offset + 2] = True",
)
def one_too_far(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    if n_keys < n_queries:
        raise ValueError(f"need n_keys >= n_queries but {n_keys} < {n_queries}")
    offset = n_keys - n_queries
    mask = np.full((n_queries, n_keys), False)
    for i in range(n_queries):
        mask[i, : i + offset + 2] = True
    return mask


@wrong(
    "its loop ends one query too early, so the last row stays all False",
    names={"last-row-missing"},
    line="for i in range(n_queries - 1):",
)
def last_row_missing(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    if n_keys < n_queries:
        raise ValueError(f"{n_queries} queries, {n_keys} keys")
    mask = np.zeros((n_queries, n_keys), bool)
    for i in range(n_queries - 1):
        mask[i, : i + n_keys - n_queries + 1] = True
    return mask


@wrong(
    "returns the ValueError as its result instead of raising it",
    line='return ValueError(f"n_queries = {n_queries} but n_keys = {n_keys}")',
)
def returns_the_error(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    if n_keys < n_queries:
        return ValueError(f"n_queries = {n_queries} but n_keys = {n_keys}")
    return np.tril(np.ones((n_queries, n_keys)), n_keys - n_queries) == 1


@wrong(
    "refuses too few keys with an AssertionError instead of a ValueError",
    names={"asserts"},
    line='assert n_keys >= n_queries, f"{n_keys} keys for {n_queries} queries"',
)
def asserts(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    assert n_keys >= n_queries, f"{n_keys} keys for {n_queries} queries"
    i = np.arange(n_keys)[-n_queries:, None]
    return np.arange(n_keys) <= i


@wrong(
    "takes n_keys = 0 for a missing number of keys, so it returns a square mask instead of raising the ValueError",
    names={"zero-taken-for-missing"},
    line="n_keys = n_keys or n_queries",
)
def zero_is_missing(n_queries, n_keys=None):
    n_keys = n_keys or n_queries
    if n_keys < n_queries:
        raise ValueError(f"n_queries {n_queries}, n_keys {n_keys}")
    return np.tri(n_queries, n_keys, n_keys - n_queries, dtype=bool)


@wrong(
    "two: returns 0 and -inf to be added to scores instead of booleans, and raises no ValueError for too few keys",
    names={"additive", "never-refuses"},
    line=None,
)
def additive_and_careless(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    allowed = np.tril(np.ones((n_queries, n_keys)), k=n_keys - n_queries)
    return np.where(allowed == 1, 0.0, -np.inf)


@wrong(
    "two: ignores the offset n_keys - n_queries, and hides a position from itself",
    names={"queries-first", "without-diagonal"},
    line="row.append(j < i)",
)
def lists_of_earlier(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    if n_keys < n_queries:
        raise ValueError(f"Not enough keys ({n_keys}) for the queries ({n_queries})")
    mask = []
    for i in range(n_queries):
        row = []
        for j in range(n_keys):
            row.append(j < i)
        mask.append(row)
    return np.array(mask)


@wrong(
    "ignores n_keys: always returns the square mask of n_queries by n_queries (apart from the ValueError)",
    names={"always-square"},
    line="mask = np.zeros((n_queries, n_queries), dtype=bool)",
)
def always_square(n_queries, n_keys=None):
    if n_keys is not None and n_keys < n_queries:
        raise ValueError(f"{n_keys} is less than {n_queries}")
    mask = np.zeros((n_queries, n_queries), dtype=bool)
    mask[np.tril_indices(n_queries)] = True
    return mask


@right
def compared_positions(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    if n_keys < n_queries:
        raise ValueError(f"{n_queries} queries need at least as many keys, got {n_keys}")
    i = np.arange(n_queries)[:, None]
    j = np.arange(n_keys)
    return j <= i + (n_keys - n_queries)


@right
def with_tril(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    if n_keys < n_queries:
        raise ValueError(f"n_keys={n_keys} < n_queries={n_queries}")
    return np.tril(np.ones((n_queries, n_keys), dtype=bool), k=n_keys - n_queries)


@right
def last_rows_of_a_square(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    if n_queries > n_keys:
        raise ValueError("n_queries %d > n_keys %d" % (n_queries, n_keys))
    square = ~np.triu(np.ones((n_keys, n_keys), dtype=bool), 1)
    return square[n_keys - n_queries :]


@right
def filled_row_by_row(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    missing = n_queries - n_keys
    if missing > 0:
        raise ValueError("Have " + str(n_keys) + " keys for " + str(n_queries) + " queries")
    mask = np.zeros((n_queries, n_keys), dtype=bool)
    for row in range(n_queries):
        mask[row, : row + 1 - missing] = True
    return mask


@wrong("shifts the diagonal the wrong way", names={"offset-reversed"})
def shifted_back(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    if n_keys < n_queries:
        raise ValueError(f"{n_keys} keys for {n_queries} queries")
    return np.tri(n_queries, n_keys, k=n_queries - n_keys, dtype=bool)


@wrong("takes 0 keys for none given", names={"zero-taken-for-missing"}, line="n_keys = n_keys or n_queries")
def or_queries(n_queries, n_keys=None):
    n_keys = n_keys or n_queries
    if n_keys < n_queries:
        raise ValueError(f"{n_keys} keys for {n_queries} queries")
    return np.tri(n_queries, n_keys, n_keys - n_queries, dtype=bool)


@wrong("compares positions along one axis, so that there is one row")
def one_axis(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    if n_queries > n_keys:
        raise ValueError(f"n_keys={n_keys} < n_queries={n_queries}")
    i = np.arange(n_queries) + n_keys - n_queries
    j = np.arange(n_keys)
    return j <= i


@wrong(
    "keeps the upper triangle, which starts at the first key",
    names={"upper-triangle-from-first-key"},
    line="return np.triu(np.ones((n_queries, n_keys))).astype(bool)",
)
def triu_without_shift(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    if n_keys < n_queries:
        raise ValueError(f"{n_queries} queries but {n_keys} keys")
    return np.triu(np.ones((n_queries, n_keys))).astype(bool)


@wrong(
    "returns what is hidden, counted from the first key",
    names={"inverted-from-first-key"},
    line="return np.triu(np.ones((n_queries, n_keys)), 1) == 1",
)
def triu_from_a_blog(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    if n_keys < n_queries:
        raise ValueError(f"{n_queries} queries but {n_keys} keys")
    return np.triu(np.ones((n_queries, n_keys)), 1) == 1
