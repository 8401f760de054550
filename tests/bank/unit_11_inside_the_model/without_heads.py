"""Functions that learners wrote for `without_heads`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "sets columns of W_O to 0, not rows",
    names={"columns"},
    line="W_O[:, head * d_v : (head + 1) * d_v] = 0",
)
def along_the_columns(params, n_heads, heads):
    W_O = params.W_O.copy()
    d_v = W_O.shape[0] // n_heads
    for head in heads:
        if head < 0 or head >= n_heads:
            raise ValueError(f"no head {head}")
        W_O[:, head * d_v : (head + 1) * d_v] = 0
    return params._replace(W_O=W_O)


@wrong(
    "does not copy W_O, so the old parameters are changed as well",
    names={"in-place"},
    line="W_O[head * d_v : (head + 1) * d_v] = 0",
)
def without_a_copy(params, n_heads, heads):
    W_O = params.W_O
    d_v = W_O.shape[0] // n_heads
    for head in heads:
        if head < 0 or head >= n_heads:
            raise ValueError(f"no head {head}")
        W_O[head * d_v : (head + 1) * d_v] = 0
    return params._replace(W_O=W_O)


@wrong(
    "never refuses a head that does not exist",
    names={"nothing-refused"},
)
def without_refusal(params, n_heads, heads):
    W_O = params.W_O.copy()
    blocks = W_O.reshape(n_heads, -1, W_O.shape[1])
    for head in range(n_heads):
        if head in heads:
            blocks[head] = 0
    return params._replace(W_O=W_O)


@wrong(
    "refuses only heads that are too large; negative ones are counted from the end",
    names={"negative-counted-from-the-end"},
)
def upper_bound_only(params, n_heads, heads):
    W_O = params.W_O.copy()
    blocks = np.split(W_O, n_heads)
    for head in heads:
        if head >= n_heads or head < -n_heads:
            raise ValueError(f"head {head} of {n_heads} does not exist")
        blocks[head][:] = 0
    return params._replace(W_O=W_O)


@wrong(
    "keeps the heads named and silences all others",
    names={"kept-instead"},
    line="keep = np.repeat([head in heads for head in range(n_heads)], len(params.W_O) // n_heads)",
)
def keeps_them(params, n_heads, heads):
    for head in heads:
        if not 0 <= head < n_heads:
            raise ValueError(f"head {head} of {n_heads} does not exist")
    keep = np.repeat([head in heads for head in range(n_heads)], len(params.W_O) // n_heads)
    return params._replace(W_O=params.W_O * keep[:, None])


@wrong(
    "copies W_O anew for every head, so only the last one is silent, and without heads it fails",
    names={"only-the-last"},
    line="W_O = params.W_O.copy()",
)
def copies_in_the_loop(params, n_heads, heads):
    for head in heads:
        if not 0 <= head < n_heads:
            raise ValueError(f"head {head} of {n_heads} does not exist")
        W_O = params.W_O.copy()
        d_v = len(W_O) // n_heads
        W_O[head * d_v : (head + 1) * d_v] = 0
    return params._replace(W_O=W_O)


@wrong(
    "sets the rows of the queries' matrix to 0, which changes where the heads look and silences none",
    line="W_Q[:, head * d_k : (head + 1) * d_k] = 0",
    names={"queries"},
)
def no_queries(params, n_heads, heads):
    W_Q = params.W_Q.copy()
    d_k = W_Q.shape[1] // n_heads
    for head in heads:
        if not 0 <= head < n_heads:
            raise ValueError(f"head {head} of {n_heads} does not exist")
        W_Q[:, head * d_k : (head + 1) * d_k] = 0
    return params._replace(W_Q=W_Q)


@right
def by_a_mask(params, n_heads, heads):
    for head in heads:
        if head not in range(n_heads):
            raise ValueError(f"there are heads 0 to {n_heads - 1}, not {head}")
    d_v = params.W_O.shape[0] // n_heads
    silent = np.isin(np.arange(params.W_O.shape[0]) // d_v, heads)
    return params._replace(W_O=np.where(silent[:, None], 0.0, params.W_O))


@wrong("silences the columns of W_O", names={"columns"}, line="W_O[:, h * size : (h + 1) * size] = 0")
def columns_silenced(params, n_heads, heads):
    W_O = params.W_O.copy()
    size = len(W_O) // n_heads
    for h in heads:
        if not 0 <= h < n_heads:
            raise ValueError(f"there is no head {h}")
        W_O[:, h * size : (h + 1) * size] = 0
    return params._replace(W_O=W_O)


@wrong("lets a head pass whose number is that of the heads", line="if h < 0 or h > n_heads:")
def one_head_too_many(params, n_heads, heads):
    W_O = params.W_O.copy()
    size = len(W_O) // n_heads
    for h in heads:
        if h < 0 or h > n_heads:
            raise ValueError(f"there is no head {h}")
        W_O[h * size : (h + 1) * size] = 0
    return params._replace(W_O=W_O)


@wrong("returns after the first head", names={"only-the-first"})
def first_head_only(params, n_heads, heads):
    size = len(params.W_O) // n_heads
    for h in heads:
        if h not in range(n_heads):
            raise ValueError(f"no head {h}")
        W_O = params.W_O.copy()
        W_O[h * size : (h + 1) * size] = 0
        return params._replace(W_O=W_O)
    return params._replace(W_O=params.W_O.copy())


@wrong("refuses to silence all heads")
def never_all(params, n_heads, heads):
    if len(heads) == n_heads:
        raise ValueError(f"these are all heads: {heads}")
    return reference.without_heads(params, n_heads, heads)
