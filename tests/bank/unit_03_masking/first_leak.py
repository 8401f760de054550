"""Functions that learners wrote for `first_leak`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong("adds the amounts to X itself, so the caller's tokens are changed", names={"in-place"}, line="changed = X")
def writes_into_X(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    for p in range(len(X) - 1):
        before = attend(X)
        changed = X
        changed[p + 1 :] += rng.standard_normal(changed[p + 1 :].shape)
        after = attend(changed)
        if np.abs(after[p] - before[p]).max() > 1e-9:
            return p
    return None


@wrong(
    "compares all outputs, also those of the tokens that it has changed, instead of only that of the position",
    names={"any-output"},
    line="moved = np.abs(attend(other) - before).max()",
)
def compares_everything(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(X.shape[0] - 1):
        other = X.copy()
        other[p + 1 :] += rng.normal(size=other[p + 1 :].shape)
        moved = np.abs(attend(other) - before).max()
        if moved > 1e-9:
            return p
    return None


@wrong(
    "changes the token of the position itself, too, so every function that uses it seems to leak",
    names={"itself-too"},
    line="changed[p:] += rng.standard_normal(changed[p:].shape)",
)
def changes_itself(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(len(X) - 1):
        changed = X.copy()
        changed[p:] += rng.standard_normal(changed[p:].shape)
        if np.max(np.abs(attend(changed)[p] - before[p])) > 1e-9:
            return p


@wrong(
    "changes only the next token after the position, so a leak from further away is missed",
    names={"only-the-next"},
    line="changed[p + 1] += rng.standard_normal(X.shape[1])",
)
def next_token_only(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(len(X) - 1):
        changed = X.copy()
        changed[p + 1] += rng.standard_normal(X.shape[1])
        after = attend(changed)
        if (np.abs(after[p] - before[p]) > 1e-9).any():
            return p
    return None


@wrong("returns the last leaking position instead of the first", names={"last-leak"}, line="leak = p")
def last_leak(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    leak = None
    for p in range(len(X) - 1):
        changed = X.copy()
        changed[p + 1 :] += rng.standard_normal(X[p + 1 :].shape)
        if np.abs(attend(changed)[p] - before[p]).max() > 1e-9:
            leak = p
    return leak


@wrong(
    "counts positions from 1 in its result: returns one more than the leaking position",
    names={"token-index"},
    line="return p + 1",
)
def counts_from_one(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    kept = attend(X)
    for p in range(len(X) - 1):
        X2 = np.array(X)
        X2[p + 1 :] = X2[p + 1 :] + rng.uniform(1, 2, size=X2[p + 1 :].shape)
        if np.abs(attend(X2)[p] - kept[p]).max() > 1e-9:
            return p + 1
    return None


@wrong("returns -1 instead of None when there is no leak", names={"minus-one"}, line="return -1")
def minus_one(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(len(X) - 1):
        changed = X.copy()
        changed[p + 1 :] += rng.standard_normal(X[p + 1 :].shape)
        if np.abs(attend(changed)[p] - before[p]).max() > 1e-9:
            return p
    return -1


@wrong(
    "allows movements up to 1e-3 instead of 1e-9, so small leaks are missed",
    names={"bound-too-large", "loose-comparison"},
    line="tolerance = 1e-3",
)
def generous(attend, X, seed=0):
    tolerance = 1e-3
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(len(X) - 1):
        changed = X.copy()
        changed[p + 1 :] += rng.standard_normal(X[p + 1 :].shape)
        if np.abs(attend(changed)[p] - before[p]).max() > tolerance:
            return p
    return None


@wrong(
    "takes every difference for a leak, also rounding below 1e-9",
    names={"exact-comparison"},
    line="if not np.array_equal(after[p], before[p]):",
)
def rounding_counts(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(len(X) - 1):
        changed = X.copy()
        changed[p + 1 :] += rng.standard_normal(X[p + 1 :].shape)
        after = attend(changed)
        if not np.array_equal(after[p], before[p]):
            return p
    return None


@wrong(
    "forgets the absolute value, so an output that only becomes smaller does not count as moved",
    names={"sign-matters", "sign-matters-for-other-amounts"},
    line="moved = (after - before).max()",
)
def without_abs(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    outputs = attend(X)
    for p in range(len(X) - 1):
        changed = X.copy()
        changed[p + 1 :] += rng.standard_normal(X[p + 1 :].shape)
        before, after = outputs[p], attend(changed)[p]
        moved = (after - before).max()
        if moved > 1e-9:
            return p
    return None


@wrong(
    "adds up the movements of the entries with their signs, so that they can cancel, instead of taking the largest",
    names={"movements-cancel"},
    line="moved = abs((attend(changed)[p] - before[p]).sum())",
)
def movements_cancel(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(len(X) - 1):
        changed = X.copy()
        changed[p + 1 :] += rng.standard_normal(X[p + 1 :].shape)
        moved = abs((attend(changed)[p] - before[p]).sum())
        if moved > 1e-9:
            return p
    return None


@wrong(
    "changes the tokens by amounts of order 1e-8 instead of 1, so weak leaks stay below the limit",
    names={"amounts-too-small"},
    line="noise = 1e-8 * rng.standard_normal(X.shape)",
)
def tiny_amounts(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(len(X) - 1):
        noise = 1e-8 * rng.standard_normal(X.shape)
        changed = X.copy()
        changed[p + 1 :] += noise[p + 1 :]
        if np.abs(attend(changed)[p] - before[p]).max() > 1e-9:
            return p
    return None


@wrong("returns True or False instead of the position or None", names={"yes-or-no"}, line="return True")
def yes_or_no(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(len(X) - 1):
        changed = X.copy()
        changed[p + 1 :] += rng.standard_normal(X[p + 1 :].shape)
        if np.abs(attend(changed)[p] - before[p]).max() > 1e-9:
            return True
    return False


@wrong(
    "does not test position 0: its loop starts at 1", names={"position-0-left-out"}, line="for p in range(1, len(X)):"
)
def starts_at_one(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(1, len(X)):
        changed = X.copy()
        changed[p + 1 :] += rng.standard_normal(X[p + 1 :].shape)
        if np.abs(attend(changed)[p] - before[p]).max() > 1e-9:
            return p
    return None


@wrong("its loop ends too early: the last but one position is not tested", line="for p in range(n - 2):")
def ends_too_early(attend, X, seed=0):
    n = len(X)
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(n - 2):
        changed = X.copy()
        changed[p + 1 :] += rng.standard_normal(X[p + 1 :].shape)
        if np.abs(attend(changed)[p] - before[p]).max() > 1e-9:
            return p
    return None


@wrong(
    "copies the tokens only once before the loop, so at later positions their own and earlier tokens have been "
    "changed by the steps before",
    names={"changes-pile-up"},
    line="changed = X.copy()",
)
def one_copy_for_all(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    changed = X.copy()
    for p in range(len(X) - 1):
        changed[p + 1 :] += rng.standard_normal(X[p + 1 :].shape)
        if np.abs(attend(changed)[p] - before[p]).max() > 1e-9:
            return p
    return None


@wrong(
    "returns None from inside the loop, so only position 0 is ever tested",
    names={"only-position-0"},
    line="return None",
)
def gives_up_at_once(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(len(X) - 1):
        changed = X.copy()
        changed[p + 1 :] += rng.standard_normal(X[p + 1 :].shape)
        if np.abs(attend(changed)[p] - before[p]).max() > 1e-9:
            return p
        else:
            return None


@wrong(
    "compares the output with the token X[p] instead of the output before the change",
    names={"any-output"},
    line="if np.abs(after[p] - X[p]).max() > 1e-9:",
)
def compares_with_tokens(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    for p in range(len(X) - 1):
        changed = X.copy()
        changed[p + 1 :] += rng.standard_normal(X[p + 1 :].shape)
        after = attend(changed)
        if np.abs(after[p] - X[p]).max() > 1e-9:
            return p
    return None


@wrong(
    "two: changes the tokens before the position instead of those after it, and never tests position 0",
    names={"earlier-tokens"},
    line="for p in range(1, len(X)):",
)
def looks_back(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(1, len(X)):
        changed = X.copy()
        changed[:p] += rng.standard_normal((p, X.shape[1]))
        if np.abs(attend(changed)[p] - before[p]).max() > 1e-9:
            return p
    return None


@wrong(
    "compares with np.allclose and its relative tolerance of 1e-5, so movements above 1e-9 are missed",
    names={"loose-comparison"},
    line="if not np.allclose(attend(changed)[p], before[p], atol=1e-9):",
)
def with_allclose(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(len(X) - 1):
        changed = X.copy()
        changed[p + 1 :] += rng.standard_normal(X[p + 1 :].shape)
        if not np.allclose(attend(changed)[p], before[p], atol=1e-9):
            return p
    return None


@wrong(
    "only puts the later tokens into another order, which changes nothing when a single token is left or the "
    "function does not mind their order",
    names={"later-tokens-shuffled"},
    line="changed[p + 1 :] = rng.permutation(changed[p + 1 :])",
)
def shuffles(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(len(X) - 1):
        changed = X.copy()
        changed[p + 1 :] = rng.permutation(changed[p + 1 :])
        if np.abs(attend(changed)[p] - before[p]).max() > 1e-9:
            return p
    return None


@wrong(
    "two: writes into X itself (a slice is no copy), and returns the leaking positions as a list",
    names={"in-place"},
    line="changed = X[:]",
)
def list_of_leaks(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    leaks = []
    for p in range(len(X) - 1):
        before = attend(X)
        changed = X[:]
        changed[p + 1 :] += rng.standard_normal(X[p + 1 :].shape)
        if np.abs(attend(changed)[p] - before[p]).max() > 1e-9:
            leaks.append(p)
    return leaks


@right
def copies_and_compares(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(len(X) - 1):
        changed = X.copy()
        changed[p + 1 :] += rng.standard_normal(X[p + 1 :].shape)
        if np.abs(attend(changed)[p] - before[p]).max() > 1e-9:
            return p
    return None


@right
def first_of_a_generator(attend, X, seed=0):
    n = X.shape[0]
    amounts = np.random.default_rng(seed).uniform(0.5, 2.0, size=X.shape)
    before = attend(X.copy())

    def leaks(p):
        later = (np.arange(n) > p)[:, None]
        return np.any(np.abs(attend(X + later * amounts) - before)[p] > 1e-9)

    return next((p for p in range(n - 1) if leaks(p)), None)


@right
def glued_together(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    original = attend(X)
    result = None
    for p in range(len(X)):
        rest = X[p + 1 :]
        new = np.vstack([X[: p + 1], rest + rng.normal(0, 1, rest.shape)])
        movement = np.max(np.abs(attend(new) - original), axis=1)
        if movement[p] > 1e-9:
            result = p
            break
    return result


@right
def backwards(attend, X, seed=0):
    before = np.array(attend(X))
    found = None
    for p in reversed(range(len(X) - 1)):
        noise = np.random.default_rng(seed + p).standard_normal(X.shape)
        noise[: p + 1] = 0
        after = attend(X + noise)
        if max(abs(after[p] - before[p])) > 1e-9:
            found = p
    return found


@wrong("changes the next token only", names={"only-the-next"})
def next_token_only_too(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(len(X) - 1):
        changed = X.astype(float)
        changed[p + 1] += rng.normal(size=X.shape[1])
        if np.abs(attend(changed)[p] - before[p]).max() > 1e-9:
            return p
    return None


@wrong("never takes back what it has changed, so that a position's own token differs", names={"changes-pile-up"})
def changes_stay(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    changed = X.astype(float)
    for p in range(len(X) - 1):
        changed[p + 1 :] += rng.normal(size=changed[p + 1 :].shape)
        after = attend(changed)
        if np.max(np.abs(after[p] - before[p])) > 1e-9:
            return p
    return None


@wrong(
    "sees only outputs that grow",
    names={"sign-matters-for-other-amounts"},
    line="if (after[p] - before[p]).max() > 1e-9:",
)
def growth_only(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(len(X) - 1):
        changed = X.astype(float)
        changed[p + 1 :] += rng.standard_normal(X[p + 1 :].shape)
        after = attend(changed)
        if (after[p] - before[p]).max() > 1e-9:
            return p
    return None


@wrong(
    "adds 1 to every later token in place of random amounts, which a norm takes out again",
    names={"same-amount"},
    line="Y[p + 1 :] += 1",
)
def adds_one_to_all(attend, X, seed=0):
    base = attend(X)
    for p in range(len(X) - 1):
        Y = X.copy()
        Y[p + 1 :] += 1
        if np.abs(attend(Y)[p] - base[p]).max() > 1e-9:
            return p
    return None


@wrong(
    "forgets the absolute value, with one generator for all positions",
    names={"sign-matters", "sign-matters-for-other-amounts"},
    line="if (attend(Y) - before)[p].max() > 1e-9:",
)
def signs_kept(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for p in range(len(X) - 1):
        Y = np.array(X, dtype=float)
        Y[p + 1 :] += rng.standard_normal(Y[p + 1 :].shape)
        if (attend(Y) - before)[p].max() > 1e-9:
            return p
    return None
