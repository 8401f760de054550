"""The known mistakes of `byte_pair_merge` with the places of a pair, and with what is returned."""

import re
from itertools import pairwise

from autograder.exercises.unit_12_models_you_know.byte_pair_merge_variants import joined, merged
from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 12.2: byte_pair_merge"
PLACES = "All places, from the left"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=PLACES)
def first_place_only(symbols, ranks):
    """Every pair is joined at its first place only.

    All its places are joined, then the next pair is looked for.
    """
    symbols = list(symbols)
    for pair in sorted(ranks, key=ranks.get):
        if pair in (found := list(pairwise(symbols))):
            i = found.index(pair)
            symbols[i : i + 2] = ["".join(pair)]
    return symbols


@MISTAKES.add(where=PLACES)
def from_the_right(symbols, ranks):
    """The places of a pair are joined from the right.

    Of "a a a" the first two are joined, not the last two.
    """

    def join(symbols, pair):
        return joined(symbols[::-1], pair[::-1])[::-1]

    def turned(symbols, pair):
        return ["".join(pair) if symbol == "".join(pair[::-1]) else symbol for symbol in join(symbols, pair)]

    return merged(symbols, ranks, lambda known: min(known, key=ranks.get), turned)


@MISTAKES.add(where=PLACES)
def symbols_used_twice(symbols, ranks):
    """At overlapping places a symbol is used twice.

    "a a a" becomes "aa a". A symbol that has been joined to the one before it is gone: go on two places further.
    """

    def join(symbols, pair):
        result, i = [], 0
        while i < len(symbols):
            if tuple(symbols[i : i + 2]) == pair:
                result.append("".join(pair))
                i += 1 if tuple(symbols[i + 1 : i + 3]) == pair else 2
            else:
                result.append(symbols[i])
                i += 1
        return result

    return merged(symbols, ranks, lambda known: min(known, key=ranks.get), join)


@MISTAKES.add(where=PLACES)
def replaced_in_a_text(symbols, ranks):
    """The symbols are written into a text with spaces between them, and the pair is replaced in the text.

    "ba b" holds "a b" as well, in the middle of a symbol. Compare symbols as a whole.
    """

    def join(symbols, pair):
        return re.sub(re.escape(" ".join(pair)), "".join(pair), " ".join(symbols)).split()

    return merged(symbols, ranks, lambda known: min(known, key=ranks.get), join)


@MISTAKES.add(where=PLACES)
def wrong_way_round(symbols, ranks):
    """The two symbols of a pair are exchanged when they are joined.

    The left one comes first in the new symbol too.
    """

    def join(symbols, pair):
        result, i = [], 0
        while i < len(symbols):
            is_pair = tuple(symbols[i : i + 2]) == pair
            result.append(symbols[i + 1] + symbols[i] if is_pair else symbols[i])
            i += 2 if is_pair else 1
        return result

    return merged(symbols, ranks, lambda known: min(known, key=ranks.get), join)


@MISTAKES.add(where=PLACES)
def either_order(symbols, ranks):
    """A pair counts in either order.

    If ("a", "n") was learned, ("n", "a") need not have been. They are two pairs.
    """
    both = {pair[::-1]: rank for pair, rank in ranks.items()} | ranks
    return reference.byte_pair_merge(symbols, both)


@MISTAKES.add(where=PLACES)
def last_symbol_lost(symbols, ranks):
    """The last symbol is lost where it is not joined.

    A loop over pairs ends one place before the last symbol.
    """

    def join(symbols, pair):
        result, i = [], 0
        while i < len(symbols) - 1:
            is_pair = tuple(symbols[i : i + 2]) == pair
            result.append("".join(pair) if is_pair else symbols[i])
            i += 2 if is_pair else 1
        return result

    return merged(symbols, ranks, lambda known: min(known, key=ranks.get), join)


@MISTAKES.add(where=PLACES)
def in_place(symbols, ranks):
    """The list that was given is changed.

    Whoever asks for the pieces of a word may still need its letters. Work on a copy.
    """
    symbols[:] = reference.byte_pair_merge(symbols, ranks)
    return list(symbols)


@MISTAKES.add(where=SECTION)
def joined_to_a_text(symbols, ranks):
    """The symbols are returned as one text, with spaces.

    The result is a list. A symbol may itself be a space.
    """
    return " ".join(reference.byte_pair_merge(symbols, ranks))


@MISTAKES.add(where=SECTION)
def as_ranks(symbols, ranks):
    """The ranks of the joined pairs are returned.

    The result is the symbols that are left.
    """
    texts = {"".join(pair): rank for pair, rank in ranks.items()}
    return [texts[symbol] for symbol in reference.byte_pair_merge(symbols, ranks) if symbol in texts]


@MISTAKES.add(where=SECTION)
def needs_a_pair(symbols, ranks):
    """Without a pair there is an error: nothing has no smallest element.

    A single symbol has no neighbour, and some pairs have no rank. Then there is nothing to do.
    """
    symbols = list(symbols)
    while True:
        pair = min(pairwise(symbols), key=lambda pair: ranks.get(pair, float("inf")))
        if pair not in ranks:
            return symbols
        symbols = joined(symbols, pair)
        if len(symbols) == 1:
            return symbols
