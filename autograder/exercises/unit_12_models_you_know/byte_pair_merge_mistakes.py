"""The known mistakes of `byte_pair_merge` with the order of the pairs."""

from itertools import pairwise

from autograder.exercises.unit_12_models_you_know.byte_pair_merge_variants import joined, merged
from autograder.specification import KnownMistakes
from transformer_kit import reference

NEXT = "Which pair is next"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=NEXT)
def leftmost_first(symbols, ranks):
    """The first pair from the left that has a rank is joined, whatever its rank is.

    The ranks say which pair was learned earlier. The lowest one in the whole word comes first.
    """
    return merged(symbols, ranks, lambda known: known[0])


@MISTAKES.add(where=NEXT)
def highest_first(symbols, ranks):
    """The pair of the highest rank is joined first.

    A low rank means that the pair was learned early, and pairs are joined in the order in which they were learned.
    """
    return merged(symbols, ranks, lambda known: max(known, key=ranks.get))


@MISTAKES.add(where=NEXT)
def order_of_the_dictionary(symbols, ranks):
    """Pairs are joined in the order of the dictionary.

    Which entry comes first in it means nothing. The numbers are the ranks.
    """
    return merged(symbols, ranks, lambda known: min(known, key=list(ranks).index))


@MISTAKES.add(where=NEXT)
def alphabetical(symbols, ranks):
    """The pair that comes first in the alphabet is joined first.

    `min` of the pairs compares their letters. It needs the ranks as a key.
    """
    return merged(symbols, ranks, min)


@MISTAKES.add(where=NEXT)
def longest_first(symbols, ranks):
    """The pair that makes the longest symbol is joined first.

    Long pieces first is the rule of BERT. Here the ranks decide.
    """
    return merged(symbols, ranks, lambda known: max(known, key=lambda pair: len("".join(pair))))


@MISTAKES.add(where=NEXT)
def most_frequent_first(symbols, ranks):
    """The pair that occurs most often in the word is joined first.

    That is how pairs are learned, from a whole corpus. When they are used, their ranks decide.
    """
    return merged(symbols, ranks, lambda known: max(known, key=known.count))


@MISTAKES.add(where=NEXT)
def one_pair_only(symbols, ranks):
    """Only one pair is joined.

    Joining goes on, with the new symbols as well, until no two neighbours have a rank.
    """
    known = [pair for pair in pairwise(symbols) if pair in ranks]
    return joined(symbols, min(known, key=ranks.get)) if known else list(symbols)


@MISTAKES.add(where=NEXT)
def pairs_of_the_letters(symbols, ranks):
    """Only the pairs of the given symbols are joined, not those that joining makes.

    A new symbol has new neighbours. Look at all pairs again after each joining.
    """
    for pair in sorted({pair for pair in pairwise(symbols) if pair in ranks}, key=ranks.get):
        symbols = joined(symbols, pair)
    return list(symbols)


@MISTAKES.add(where=NEXT)
def once_through_the_dictionary(symbols, ranks):
    """The dictionary is read once, in its own order.

    It is in no order. A pair that stands early in it may need a symbol that a later one makes.
    """
    for pair in ranks:
        symbols = joined(symbols, pair)
    return list(symbols)


@MISTAKES.add(where=NEXT)
def from_left_to_right_once(symbols, ranks):
    """The word is read once, and a symbol is joined to what stands before it whenever the two have a rank.

    A pair further right may have a lower rank, and then it comes first.
    """
    result = []
    for symbol in symbols:
        if result and (result[-1], symbol) in ranks:
            result[-1] += symbol
        else:
            result.append(symbol)
    return result


@MISTAKES.add(where=NEXT)
def compares_joined_texts(symbols, ranks):
    """Pairs are compared by the text that they make.

    ("ab", "c") and ("a", "bc") make the same text, but only pairs that were learned are joined.
    """
    texts = {}
    for pair, rank in ranks.items():
        texts.setdefault("".join(pair), rank)
    symbols = list(symbols)
    while known := [pair for pair in pairwise(symbols) if "".join(pair) in texts]:
        symbols = joined(symbols, min(known, key=lambda pair: texts["".join(pair)]))
    return symbols


@MISTAKES.add(where=NEXT)
def rank_0_ignored(symbols, ranks):
    """A pair of rank 0 is never joined.

    `if ranks.get(pair)` takes 0 for "no rank". Ask whether the pair is in the dictionary.
    """
    return reference.byte_pair_merge(symbols, {pair: rank for pair, rank in ranks.items() if rank})
