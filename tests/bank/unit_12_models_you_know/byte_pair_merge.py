"""Functions that learners wrote for `byte_pair_merge`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "joins one place of the best pair in the list that was given, which is changed",
    names={"in-place"},
    line="symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]",
)
def in_the_given_list(symbols, ranks):
    while True:
        best, place = None, None
        for i in range(len(symbols) - 1):
            rank = ranks.get((symbols[i], symbols[i + 1]))
            if rank is not None and (best is None or rank < best):
                best, place = rank, i
        if place is None:
            return list(symbols)
        i = place
        symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]


@wrong(
    "the inner loop goes up to the last symbol but one, and so loses the last symbol when it is not joined",
    names={"last-symbol-lost"},
    line="while i < len(symbols) - 1:",
)
def loses_the_last(symbols, ranks):
    symbols = list(symbols)
    while len(symbols) > 1:
        pairs = list(zip(symbols, symbols[1:]))
        best = min(pairs, key=lambda p: ranks.get(p, 10**9))
        if best not in ranks:
            break
        new, i = [], 0
        while i < len(symbols) - 1:
            if (symbols[i], symbols[i + 1]) == best:
                new.append(symbols[i] + symbols[i + 1])
                i += 2
            else:
                new.append(symbols[i])
                i += 1
        symbols = new
    return symbols


@wrong(
    "joins pairs of rank 0 only, and goes through the symbols once",
    line="if symbols[i : i + 2] in ranks_as_lists and ranks.get(tuple(symbols[i : i + 2])) == 0:",
)
def only_rank_0(symbols, ranks):
    ranks_as_lists = [list(pair) for pair in ranks]
    new, i = [], 0
    while i < len(symbols):
        if symbols[i : i + 2] in ranks_as_lists and ranks.get(tuple(symbols[i : i + 2])) == 0:
            new.append("".join(symbols[i : i + 2]))
            i += 2
        else:
            new.append(symbols[i])
            i += 1
    return new


@wrong(
    "joins whichever pair comes first from the left, and does not look at the ranks",
    names={"leftmost-first"},
)
def greedy_from_the_left(symbols, ranks):
    symbols = list(symbols)
    i = 0
    while i < len(symbols) - 1:
        if (symbols[i], symbols[i + 1]) in ranks:
            symbols[i] = symbols[i] + symbols[i + 1]
            del symbols[i + 1]
            i = 0
        else:
            i += 1
    return symbols


@wrong(
    "takes the pair with the highest rank",
    names={"highest-first"},
    line="best = max(known, key=ranks.get)",
)
def best_is_highest(symbols, ranks):
    symbols = list(symbols)
    while True:
        known = [p for p in zip(symbols, symbols[1:]) if p in ranks]
        if not known:
            return symbols
        best = max(known, key=ranks.get)
        new, i = [], 0
        while i < len(symbols):
            if tuple(symbols[i : i + 2]) == best:
                new.append(best[0] + best[1])
                i += 2
            else:
                new.append(symbols[i])
                i += 1
        symbols = new


@wrong(
    "ends after the first joining: the return is inside of the loop",
    names={"one-pair-only"},
    line="return new",
)
def returns_too_early(symbols, ranks):
    while True:
        known = [p for p in zip(symbols, symbols[1:]) if p in ranks]
        if not known:
            return list(symbols)
        best = min(known, key=ranks.get)
        new, i = [], 0
        while i < len(symbols):
            if tuple(symbols[i : i + 2]) == best:
                new.append(best[0] + best[1])
                i += 2
            else:
                new.append(symbols[i])
                i += 1
        return new


@wrong(
    "goes one place further after a joining, and so writes the second symbol of a pair once more",
    line="i += 1",
)
def forgets_to_jump(symbols, ranks):
    symbols = list(symbols)
    for _ in range(50):
        known = [p for p in zip(symbols, symbols[1:]) if p in ranks]
        if not known:
            return symbols
        best = min(known, key=ranks.get)
        new = []
        i = 0
        while i < len(symbols):
            if tuple(symbols[i : i + 2]) == best:
                new.append(best[0] + best[1])
            else:
                new.append(symbols[i])
            i += 1
        symbols = new
    return symbols


@wrong(
    "replaces in one text with spaces, where the pair is also found in the middle of symbols",
    names={"replaced-in-a-text"},
    line='text = text.replace(" ".join(best), "".join(best))',
)
def with_replace(symbols, ranks):
    text = " ".join(symbols)
    while True:
        parts = text.split()
        known = [p for p in zip(parts, parts[1:]) if p in ranks]
        if not known:
            return parts
        best = min(known, key=ranks.get)
        text = text.replace(" ".join(best), "".join(best))


@wrong(
    "min of no pairs raises an error for a single symbol and for none",
    line="best = min(pairs, key=lambda p: ranks.get(p, float('inf')))",
)
def min_of_nothing(symbols, ranks):
    symbols = list(symbols)
    while True:
        pairs = list(zip(symbols, symbols[1:]))
        best = min(pairs, key=lambda p: ranks.get(p, float('inf')))
        if best not in ranks:
            return symbols
        new, i = [], 0
        while i < len(symbols):
            if tuple(symbols[i : i + 2]) == best:
                new.append(best[0] + best[1])
                i += 2
            else:
                new.append(symbols[i])
                i += 1
        symbols = new


@right
def by_index(symbols, ranks):
    symbols = symbols[:]
    while True:
        best_rank, best_i = float("inf"), -1
        for i in range(len(symbols) - 1):
            r = ranks.get((symbols[i], symbols[i + 1]), float("inf"))
            if r < best_rank:
                best_rank, best_i = r, i
        if best_i == -1:
            return symbols
        symbols = symbols[:best_i] + [symbols[best_i] + symbols[best_i + 1]] + symbols[best_i + 2 :]


@right
def recursively(symbols, ranks):
    known = {p for p in zip(symbols, symbols[1:]) if p in ranks}
    if not known:
        return list(symbols)
    a, b = min(known, key=lambda p: ranks[p])
    new = []
    for s in symbols:
        if new and new[-1] == a and s == b:
            new[-1] = a + b
        else:
            new.append(s)
    return recursively(new, ranks)


@wrong("takes the rank 0 for no rank", names={"rank-0-ignored"}, line='rank = ranks.get(pair) or float("inf")')
def zero_is_no_rank(symbols, ranks):
    symbols = list(symbols)
    while len(symbols) > 1:
        best, lowest = None, float("inf")
        for pair in zip(symbols, symbols[1:]):
            rank = ranks.get(pair) or float("inf")
            if rank < lowest:
                best, lowest = pair, rank
        if best is None:
            break
        joined, i = [], 0
        while i < len(symbols):
            if tuple(symbols[i : i + 2]) == best:
                joined.append("".join(best))
                i += 2
            else:
                joined.append(symbols[i])
                i += 1
        symbols = joined
    return symbols


@right
def one_walk(symbols, ranks):
    symbols = list(symbols)
    for first, second in sorted(ranks, key=ranks.get):
        i = 0
        while i < len(symbols) - 1:
            if symbols[i] == first and symbols[i + 1] == second:
                symbols[i : i + 2] = [first + second]
            i += 1
    return symbols


@wrong("joins one place only, the last, before it looks at the ranks again", names={"from-the-right"})
def last_place_first(symbols, ranks):
    symbols = list(symbols)
    while True:
        places = [i for i in range(len(symbols) - 1) if (symbols[i], symbols[i + 1]) in ranks]
        if not places:
            return symbols
        i = min(places, key=lambda i: (ranks[symbols[i], symbols[i + 1]], -i))
        symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]


@wrong("stops after ten pairs")
def ten_rounds(symbols, ranks):
    symbols = list(symbols)
    for _ in range(10):
        pairs = [pair for pair in zip(symbols, symbols[1:]) if pair in ranks]
        if not pairs:
            break
        best = min(pairs, key=ranks.get)
        joined, i = [], 0
        while i < len(symbols):
            if tuple(symbols[i : i + 2]) == best:
                joined.append(symbols[i] + symbols[i + 1])
                i += 2
            else:
                joined.append(symbols[i])
                i += 1
        symbols = joined
    return symbols
