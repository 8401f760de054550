"""Functions that learners wrote for `embed`, each with what is truly wrong with it."""

import numpy as np
from transformer_kit import reference

from tests.bank import right, wrong


@wrong(
    "never checks the ids: a negative id silently gives a row from the end, a too large one an IndexError",
    names={"not-checked"},
    line=None,
)
def no_check(token_ids, E):
    return E[token_ids]


@wrong(
    "checks for too large ids only, so negative ids silently give a row from the end",
    names={"only-above"},
    line="bad = token_ids >= len(E)",
)
def upper_check_only(token_ids, E):
    bad = token_ids >= len(E)
    if bad.any():
        raise ValueError(f"no row for the ids {token_ids[bad]}")
    return E[token_ids]


@wrong(
    "checks for negative ids only, so too large ids raise an IndexError",
    names={"only-below"},
    line="bad = token_ids[token_ids < 0]",
)
def lower_check_only(token_ids, E):
    bad = token_ids[token_ids < 0]
    if bad.size > 0:
        raise ValueError(f"negative id {bad}")
    return E[token_ids]


@wrong(
    "lets the id V pass, because it tests with > instead of >=",
    names={"last-allowed"},
    line="bad = (token_ids < 0) | (token_ids > V)",
)
def v_passes(token_ids, E):
    V = E.shape[0]
    bad = (token_ids < 0) | (token_ids > V)
    if np.any(bad):
        raise ValueError(f"ids out of range: {token_ids[bad]}")
    return E[token_ids]


@wrong(
    "refuses the id V - 1, which is the last row of the table",
    names={"last-row-refused"},
    line="bad = (token_ids < 0) | (token_ids >= V - 1)",
)
def last_row_refused(token_ids, E):
    V, d_model = E.shape
    bad = (token_ids < 0) | (token_ids >= V - 1)
    if bad.any():
        raise ValueError(f"bad ids {token_ids[bad]}")
    return E[token_ids]


@wrong(
    "refuses the id 0, which is the first row of the table",
    names={"first-row-refused"},
    line="if t <= 0 or t >= len(E):",
)
def first_row_refused(token_ids, E):
    for t in np.ravel(token_ids):
        if t <= 0 or t >= len(E):
            raise ValueError(f"id {t} has no row")
    return E[token_ids]


@wrong(
    "message of the error does not contain the id",
    names={"id-not-mentioned"},
    line='raise ValueError("token id out of range")',
)
def message_without_id(token_ids, E):
    if np.any(token_ids < 0) or np.any(token_ids >= E.shape[0]):
        raise ValueError("token id out of range")
    return E[token_ids]


@wrong(
    "message names the number of rows of the table instead of the id",
    names={"id-not-mentioned"},
    line='raise ValueError(f"all ids must be from 0 to {V} - 1")',
)
def message_with_size(token_ids, E):
    V = len(E)
    outside = np.logical_or(token_ids < 0, token_ids >= V)
    if outside.any():
        raise ValueError(f"all ids must be from 0 to {V} - 1")
    return E[token_ids, :]


@wrong(
    "raises an IndexError instead of a ValueError",
    names={"index-error"},
    line='raise IndexError(f"id {token_id} not in table")',
)
def index_error(token_ids, E):
    for token_id in token_ids.flatten():
        if token_id < 0 or token_id >= E.shape[0]:
            raise IndexError(f"id {token_id} not in table")
    return E[token_ids]


@wrong("picks columns of the table instead of rows", names={"columns"}, line="return E[:, token_ids]")
def columns(token_ids, E):
    bad = (token_ids < 0) | (token_ids >= E.shape[0])
    if bad.any():
        raise ValueError(f"no such id: {token_ids[bad]}")
    return E[:, token_ids]


@wrong(
    "takes the row before the right one, as if ids counted from 1",
    names={"counted-from-1"},
    line="return E[token_ids - 1]",
)
def row_before(token_ids, E):
    bad = (token_ids < 0) | (token_ids >= len(E))
    if bad.any():
        raise ValueError(f"unknown ids {token_ids[bad]}")
    return E[token_ids - 1]


@wrong(
    "clips ids without a row to the first or last row instead of refusing them",
    names={"clipped"},
    line="ids = np.clip(token_ids, 0, len(E) - 1)",
)
def clips(token_ids, E):
    ids = np.clip(token_ids, 0, len(E) - 1)
    return E[ids]


@wrong(
    "compares the ids with the width of the table instead of its number of rows",
    names={"compared-with-width"},
    line="V = E.shape[1]",
)
def width_as_bound(token_ids, E):
    V = E.shape[1]
    bad = (token_ids < 0) | (token_ids >= V)
    if bad.any():
        raise ValueError(f"id without a row: {token_ids[bad]}")
    return E[token_ids]


@wrong("raises only if all ids are bad, not if any of them is", names={"all-must-be-bad"}, line="if np.all(bad):")
def all_instead_of_any(token_ids, E):
    bad = (token_ids < 0) | (token_ids >= len(E))
    if np.all(bad):
        raise ValueError(f"ids {token_ids[bad]} have no row")
    return E[token_ids]


@wrong(
    "compares the outcome of any(), which is True or False, with the bounds, so bad ids are not noticed",
    names={"not-checked"},
    line="if token_ids.any() < 0 or token_ids.any() >= V:",
)
def any_before_comparison(token_ids, E):
    V = E.shape[0]
    if token_ids.any() < 0 or token_ids.any() >= V:
        raise ValueError(f"bad id in {token_ids}")
    return E[token_ids]


@wrong("returns the error as a value instead of raising it", line='return ValueError(f"id {t} has no row")')
def returns_error(token_ids, E):
    for t in token_ids.ravel():
        if not 0 <= t < len(E):
            return ValueError(f"id {t} has no row")
    return E[token_ids]


@wrong(
    "only prints a message for bad ids and raises no ValueError",
    names={"not-checked"},
    line='print("bad ids:", token_ids[bad])',
)
def prints_message(token_ids, E):
    bad = (token_ids < 0) | (token_ids >= len(E))
    if bad.any():
        print("bad ids:", token_ids[bad])
    return E[token_ids]


@wrong("takes single entries of the flattened table instead of rows", line="return np.take(E, token_ids)")
def takes_without_axis(token_ids, E):
    bad = token_ids[(token_ids < 0) | (token_ids >= len(E))]
    if len(bad):
        raise ValueError(f"no row for {bad}")
    return np.take(E, token_ids)


@wrong(
    "averages the vectors of a sentence instead of returning one per token",
    names={"averaged"},
    line="return vectors.mean(axis=-2)",
)
def averages(token_ids, E):
    bad = (token_ids < 0) | (token_ids >= len(E))
    if bad.any():
        raise ValueError(f"no row for {token_ids[bad]}")
    vectors = E[token_ids]
    return vectors.mean(axis=-2)


@wrong(
    "works for one sentence only: for a batch the test of a whole row of ids raises NumPy's own error",
    line="if t < 0 or t >= len(E):",
)
def one_sentence_only(token_ids, E):
    rows = []
    for t in token_ids:
        if t < 0 or t >= len(E):
            raise ValueError(f"id {t} is not in the table")
        rows.append(E[t])
    return np.array(rows)


@wrong(
    "loses the shape of the ids: the rows of all sentences come in one long list",
    names={"flattened"},
    line="ids = token_ids.ravel()",
)
def loses_shape(token_ids, E):
    ids = token_ids.ravel()
    for t in ids:
        if t < 0 or t >= E.shape[0]:
            raise ValueError(f"id {t} is not a row of E")
    return E[ids]


@wrong("multiplies the one-hot rows by the transposed table", names={"columns"}, line="return one_hots @ E.T")
def transposed_table(token_ids, E):
    for t in np.ravel(token_ids):
        if t < 0 or t >= len(E):
            raise ValueError(f"id {t}")
    one_hots = reference.one_hot(token_ids, len(E))
    return one_hots @ E.T


@wrong(
    "uses assert, so bad ids raise an AssertionError and not a ValueError",
    names={"asserted"},
    line='assert 0 <= t < len(E), f"id {t} has no row"',
)
def asserts(token_ids, E):
    for t in token_ids.flat:
        assert 0 <= t < len(E), f"id {t} has no row"
    return E[token_ids]


@wrong(
    "two: lets negative ids pass, and the message of the error does not contain the id",
    names={"only-above"},
    line="if (token_ids >= len(E)).any():",
)
def negative_and_message(token_ids, E):
    if (token_ids >= len(E)).any():
        raise ValueError("id is too large")
    return E[token_ids]


@wrong(
    "two: never checks the ids, and returns the vectors as columns instead of rows",
    names={"not-checked", "transposed"},
    line=None,
)
def unchecked_columns(token_ids, E):
    return E.T[:, token_ids]


@wrong(
    "makes up a new random table instead of looking the rows up in E",
    line="table = np.random.default_rng().normal(size=E.shape)",
)
def random_table(token_ids, E):
    bad = (token_ids < 0) | (token_ids >= len(E))
    if bad.any():
        raise ValueError(f"ids without a row: {token_ids[bad]}")
    table = np.random.default_rng().normal(size=E.shape)
    return table[token_ids]


@wrong(
    "two: lets the id V pass because it tests with > instead of >=, and lets negative ids pass",
    names={"last-allowed", "only-above"},
    line="too_large = token_ids > len(E)",
)
def v_and_negative_pass(token_ids, E):
    too_large = token_ids > len(E)
    if too_large.any():
        raise ValueError(f"no row for {token_ids[too_large]}")
    return E[token_ids]


@right
def mark_and_index(token_ids, E):
    bad = (token_ids < 0) | (token_ids >= E.shape[0])
    if bad.any():
        raise ValueError(f"ids without a row: {token_ids[bad].tolist()}")
    return E[token_ids]


@right
def take_axis_zero(token_ids, E):
    ids = np.asarray(token_ids)
    outside = sorted({int(t) for t in ids.flat if not 0 <= t < len(E)})
    if outside:
        raise ValueError("no row for " + ", ".join(str(t) for t in outside))
    return np.take(E, ids, axis=0)


@right
def one_hot_product(token_ids, E):
    V = E.shape[0]
    bad = token_ids[np.logical_or(token_ids < 0, token_ids >= V)]
    if bad.size:
        raise ValueError(f"{bad} not in 0..{V - 1}")
    return reference.one_hot(token_ids, V) @ E


@right
def row_by_row(token_ids, E):
    out = np.empty(token_ids.shape + E.shape[1:])
    bad = []
    for place, t in np.ndenumerate(token_ids):
        if 0 <= t < len(E):
            out[place] = E[t]
        else:
            bad.append(int(t))
    if bad:
        raise ValueError(f"These ids have no row: {bad}")
    return out
