"""Functions that learners wrote for `sample_token`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "takes the first sum that is at least u instead of above it, so a u on a boundary belongs to the token before",
    names={"reached"},
    line="hits = np.flatnonzero(total >= u)",
)
def at_least(probs, u):
    total = np.cumsum(probs)
    hits = np.flatnonzero(total >= u)
    if len(hits) > 0:
        return int(hits[0])
    return int(np.flatnonzero(probs)[-1])


@wrong(
    "searches from the left side, so a u on a boundary draws the token that ends there, also one of probability 0",
    names={"reached"},
    line="i = int(np.searchsorted(ends, u))",
)
def searchsorted_left(probs, u):
    ends = np.cumsum(probs)
    i = int(np.searchsorted(ends, u))
    if i == len(probs):
        i = int(np.nonzero(probs)[0][-1])
    return i


@wrong(
    "returns id 0 where no sum exceeds u, because argmax of all False is 0",
    names={"falls-to-zero"},
    line="return int(np.argmax(exceeds))",
)
def argmax_of_nothing(probs, u):
    total = np.cumsum(probs)
    exceeds = total > u
    return int(np.argmax(exceeds))


@wrong(
    "returns the last id of all where no sum exceeds u, even if its probability is 0",
    names={"last-id"},
    line="return len(probs) - 1",
)
def last_of_all(probs, u):
    total = 0.0
    for i, p in enumerate(probs):
        total += p
        if total > u:
            return i
    return len(probs) - 1


@wrong(
    "ignores u and draws with a random number of its own, so the result is not reproducible",
    line="return int(rng.choice(len(probs), p=probs / np.sum(probs)))",
)
def own_random_number(probs, u):
    rng = np.random.default_rng()
    return int(rng.choice(len(probs), p=probs / np.sum(probs)))


@wrong("returns the likeliest token and ignores u", names={"likeliest"}, line=None)
def likeliest(probs, u):
    return int(np.argmax(probs))


@wrong(
    "compares the single probabilities with u instead of their running total",
    names={"own-probability"},
    line="hits = [i for i, p in enumerate(probs) if p > u]",
)
def no_running_total(probs, u):
    hits = [i for i, p in enumerate(probs) if p > u]
    if hits:
        return hits[0]
    return int(np.flatnonzero(probs)[-1])


@wrong(
    "raises an IndexError where no sum exceeds u: that case is missing",
    names={"fails-at-the-end"},
    line="return int(ids[0])",
)
def no_fallback(probs, u):
    total = np.cumsum(probs)
    ids = np.where(total > u)[0]
    return int(ids[0])


@wrong("returns an array with all ids whose sum exceeds u instead of the first one as an int", line="return ids")
def all_ids(probs, u):
    total = np.cumsum(probs)
    ids = np.flatnonzero(total > u)
    if ids.size == 0:
        return int(np.flatnonzero(probs)[-1])
    return ids


@wrong(
    "compares where the parts begin instead of where they end with u, so it draws the next token",
    names={"beginnings"},
    line="begins = np.cumsum(probs) - probs",
)
def begins_for_ends(probs, u):
    begins = np.cumsum(probs) - probs
    hits = np.flatnonzero(begins > u)
    if len(hits):
        return int(hits[0])
    return int(np.flatnonzero(probs > 0)[-1])


@wrong(
    "lays the probabilities out in descending order instead of in the order of the ids",
    names={"by-probability"},
    line='order = np.argsort(-probs, kind="stable")',
)
def sorted_first(probs, u):
    order = np.argsort(-probs, kind="stable")
    total = np.cumsum(probs[order])
    hits = np.flatnonzero(total > u)
    if len(hits) == 0:
        return int(np.flatnonzero(probs)[-1])
    return int(order[hits[0]])


@wrong(
    "draws all ids with equal probability: cuts the line into V equal parts",
    names={"uniform"},
    line="return int(u * V)",
)
def equal_parts(probs, u):
    V = len(probs)
    return int(u * V)


@wrong("returns None where no sum exceeds u: nothing follows the loop", names={"nothing-at-the-end"}, line=None)
def none_after_loop(probs, u):
    total = 0
    for token, p in enumerate(probs):
        total += p
        if total > u:
            return token


@wrong(
    "takes the last id at which the sum does not exceed u, one id too low",
    names={"one-behind"},
    line="return max(below - 1, 0)",
)
def one_too_low(probs, u):
    total = np.cumsum(probs)
    below = int(np.sum(total <= u))
    if below == len(probs):
        return int(np.flatnonzero(probs)[-1])
    return max(below - 1, 0)


@wrong(
    "two: the comparison is >= instead of >, and where no sum reaches u the result is id 0",
    names={"falls-to-zero", "reached"},
    line="hit = total >= u",
)
def boundary_and_fallback(probs, u):
    total = np.cumsum(probs)
    hit = total >= u
    return int(np.argmax(hit))


@wrong(
    "returns the probability of the drawn token instead of its id",
    names={"returns-probability"},
    line="return float(probs[np.argmax(above)])",
)
def returns_probability(probs, u):
    above = np.cumsum(probs) > u
    if above.any():
        return float(probs[np.argmax(above)])
    return int(np.flatnonzero(probs)[-1])


@wrong(
    "returns the likeliest token, instead of the last one of positive probability, where no sum exceeds u",
    names={"falls-to-the-likeliest"},
    line="return int(np.argmax(probs))",
)
def fallback_likeliest(probs, u):
    total = np.cumsum(probs)
    if u < total[-1]:
        return int(np.argmax(total > u))
    return int(np.argmax(probs))


@wrong(
    "goes through the ids from the last to the first",
    names={"backwards"},
    line="for i in range(len(probs) - 1, -1, -1):",
)
def from_the_end(probs, u):
    total = 0.0
    last = 0
    for i in range(len(probs) - 1, -1, -1):
        total += probs[i]
        if probs[i] > 0:
            last = i
        if total > u:
            return i
    return last


@wrong(
    "two: the id is one too high, and the case that no sum exceeds u is missing, so V or V + 1 may come out",
    names={"falls-out", "from-1"},
    line="return count + 1",
)
def one_too_high(probs, u):
    ends = np.cumsum(probs)
    count = int((ends <= u).sum())
    return count + 1


@right
def first_of_flatnonzero(probs, u):
    ids = np.flatnonzero(np.cumsum(probs) > u)
    if len(ids):
        return int(ids[0])
    return int(np.flatnonzero(probs)[-1])


@right
def loop_with_memory(probs, u):
    total, last = 0.0, None
    for token, p in enumerate(probs):
        total += p
        if total > u:
            return token
        if p > 0:
            last = token
    return last


@right
def search_from_the_right(probs, u):
    token = np.searchsorted(np.cumsum(probs), u, side="right")
    last = max(i for i in range(len(probs)) if probs[i] > 0)
    return int(min(token, last))


@right
def with_a_generator(probs, u):
    total = np.cumsum(probs)
    fallback = [i for i, p in enumerate(probs) if p != 0][-1]
    return next((i for i, t in enumerate(total) if t > u), fallback)


@wrong(
    "counts the ids among the tokens of positive probability only",
    names={"place-among-the-positive"},
    line="probs = probs[probs > 0]",
)
def ids_among_positive(probs, u):
    probs = probs[probs > 0]
    for token, total in enumerate(np.cumsum(probs)):
        if total > u:
            return token
    return len(probs) - 1


@wrong(
    "rounds the sums to two decimals before it compares them with u",
    names={"sums-rounded"},
    line="sums = np.cumsum(probs).round(2)",
)
def rounded_sums(probs, u):
    sums = np.cumsum(probs).round(2)
    above = np.flatnonzero(sums > u)
    return int(above[0]) if len(above) else int(np.flatnonzero(probs)[-1])


@wrong(
    "takes the token whose part ends nearest to u",
    names={"nearest-end"},
    line="return int(np.argmin(np.abs(np.cumsum(probs) - u)))",
)
def nearest_end(probs, u):
    return int(np.argmin(np.abs(np.cumsum(probs) - u)))


@wrong("rounds u to two decimals")
def rounded_u(probs, u):
    return reference.sample_token(probs, round(u, 2))
