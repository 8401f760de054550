"""What wrong versions of `byte_pair_merge` are made of."""

from itertools import pairwise


def joined(symbols, pair):
    """Join a pair at all its places, from the left."""
    result, i = [], 0
    while i < len(symbols):
        is_pair = tuple(symbols[i : i + 2]) == pair
        result.append("".join(pair) if is_pair else symbols[i])
        i += 2 if is_pair else 1
    return result


def merged(symbols, ranks, choose, join=joined):
    """Join pairs until none has a rank; `choose` takes those that have one, in the order of their places."""
    symbols = list(symbols)
    while known := [pair for pair in pairwise(symbols) if pair in ranks]:
        shorter = join(symbols, choose(known))
        if len(shorter) == len(symbols):
            break
        symbols = shorter
    return symbols
