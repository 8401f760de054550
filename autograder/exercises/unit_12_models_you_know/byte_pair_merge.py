"""Specification of `byte_pair_merge`."""

from itertools import pairwise

from autograder.exercises.inputs import agrees_here, telling
from autograder.exercises.unit_12_models_you_know import lookalikes
from autograder.exercises.unit_12_models_you_know.inputs import learned_pairs, shuffled, words_of
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

NEXT = "Which pair is next"
PLACES = "All places, from the left"
WRONG_ORDERS = (
    "leftmost-first",
    "highest-first",
    "order-of-the-dictionary",
    "alphabetical",
    "longest-first",
    "most-frequent-first",
)

EXERCISE = Exercise(
    reference=reference.byte_pair_merge,
    asks="the symbols that are left when no two neighbours have a rank, the pair of the lowest rank joined first.",
    returns=(Output("symbols"),),
    lookalike=lookalikes.BYTE_PAIR_MERGE,
)


@EXERCISE.claim(1)
def all_places(call, rng):
    """joins a pair at all its places, and nothing else"""
    call.agrees(list("banana"), {("a", "n"): 0})  # by hand
    a, b, c = rng.permutation(list("abcd"))[:3].tolist()
    rank = int(rng.integers(0, 9))
    call.agrees([a, b, c, a, b, b, a, b], {(a, b): rank})
    call.agrees([c, a, b, b, a, c, a, b], {(a, b): rank})
    call.agrees([c + a, b, a, b + c, a, b], {(a, b): rank})  # ends in a, begins with b: other symbols
    call.agrees([a + b, c, a, b + c, a, b, c], {(a + b, c): rank})  # the same letters, other pairs


@EXERCISE.claim(1)
def overlaps(call, rng):
    """where places of a pair overlap, the left one counts"""
    a, b = rng.permutation(list("abcd"))[:2].tolist()
    rank = int(rng.integers(1, 9))
    for times in (3, 5, 4):
        call.agrees([a] * times + [b], {(a, a): rank})
    call.agrees([b, a, a, a, b, a, a, a], {(a, a): rank})


@EXERCISE.claim(1.5)
def lowest_first(call, rng):
    """joins the pair of the lowest rank first, wherever it stands, in the word and among the ranks"""
    a, b, c, d = rng.permutation(list("abcd")).tolist()
    for low, high, rank in (((b, c), (a, b), 0), ((a, b), (b, c), int(rng.integers(1, 5)))):
        ranks = {high: int(rng.integers(5, 9)), low: rank}
        for one in (ranks, dict(reversed(ranks.items()))):
            call.agrees([a, b, c], one)
            call.agrees([d, a, b, c, a, b], one)
            call.agrees([a, b, c, b, c], one)
    call.agrees([b, a, a, a, c], {(a, c): 8, (a, a): int(rng.integers(0, 8))})
    call.agrees([a, b, c + d, a], {(a, b): 7, (c + d, a): 9, (b, c + d): int(rng.integers(0, 7))})
    for word in words_of(rng, "abcd", 5, 6, 7, 9, 12):
        call.agrees(list(word), learned_pairs(rng, [word, *words_of(rng, "abcd", 6, 8, 9)], 7))


@EXERCISE.claim(1)
def again_and_again(call, rng):
    """goes on with the symbols that it has made, until no pair has a rank"""
    for word in words_of(rng, "ab", 5, 7, 11) + words_of(rng, "abc", 9, 13):
        ranks = learned_pairs(rng, [word], 30)
        call.agrees(list(word), ranks)  # all of it becomes one symbol
        call.agrees(list(word + word), ranks)
        call.agrees(list(word[2:] + word[:3]), ranks)

    def draw():
        word, *others = words_of(rng, "ab", 19, 13, 17)
        return list(word), learned_pairs(rng, others, 30)

    call.agrees(*telling(EXERCISE, draw, *WRONG_ORDERS, "replaced-in-a-text"))
    call.agrees(list("ab" * 60), learned_pairs(rng, ["ab" * 64], 7))
    (word,) = words_of(rng, "abcd", 40)
    call.agrees(list(word), learned_pairs(rng, [word], 39))  # many pairs to join


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone, and takes one symbol, none, and symbols without ranks"""
    (word,) = words_of(rng, "abc", 8)
    ranks = shuffled(rng, learned_pairs(rng, [word], 5))
    call.agrees(list(word), ranks)
    call.leaves_inputs_alone(list(word), ranks)
    agrees_here(call, [word[0]], ranks)
    agrees_here(call, [], ranks)
    agrees_here(call, list("xyz"), ranks)


wrong = WrongAnswers(EXERCISE, globals())

# As they stand in the reference.
KNOWN = "while known := [pair for pair in pairwise(symbols) if pair in ranks]:"
LOWEST = "min(known, key=ranks.get)"

wrong.at(NEXT)
wrong("leftmost-first", {LOWEST: "known[0]"}, """
    The first pair from the left that has a rank is joined, whatever its rank is.
    The ranks say which pair was learned earlier. The lowest one in the whole word comes first.""")

wrong("highest-first", {LOWEST: "max(known, key=ranks.get)"}, """
    The pair of the highest rank is joined first.
    A low rank means that the pair was learned early, and pairs are joined in the order in which they were learned.""")

wrong("order-of-the-dictionary", {LOWEST: "min(known, key=list(ranks).index)"}, """
    Pairs are joined in the order of the dictionary.
    Which entry comes first in it means nothing. The numbers are the ranks.""")

wrong("alphabetical", {LOWEST: "min(known)"}, """
    The pair that comes first in the alphabet is joined first.
    `min` of the pairs compares their letters. It needs the ranks as a key.""")

wrong("longest-first", {LOWEST: 'max(known, key=lambda pair: len("".join(pair)))'}, """
    The pair that makes the longest symbol is joined first.
    Long pieces first is the rule of BERT. Here the ranks decide.""")

wrong("most-frequent-first", {LOWEST: "max(known, key=known.count)"}, """
    The pair that occurs most often in the word is joined first.
    That is how pairs are learned, from a whole corpus. When they are used, their ranks decide.""")

wrong("one-pair-only", {"while known :=": "if known :="}, """
    Only one pair is joined.
    Joining goes on, with the new symbols as well, until no two neighbours have a rank.""")

wrong("pairs-of-the-letters", {
    KNOWN: "for pair in sorted({pair for pair in pairwise(symbols) if pair in ranks}, key=ranks.get):",
    LOWEST: "pair",
}, """
    Only the pairs of the given symbols are joined, not those that joining makes.
    A new symbol has new neighbours. Look at all pairs again after each joining.""")

wrong("once-through-the-dictionary", {KNOWN: "for pair in ranks:", LOWEST: "pair"}, """
    The dictionary is read once, in its own order.
    It is in no order. A pair that stands early in it may need a symbol that a later one makes.""")


@wrong.function
def from_left_to_right_once(symbols, ranks):
    """The word is read once, and a symbol is joined to what stands before it whenever the two have a rank.
    A pair further right may have a lower rank, and then it comes first."""
    result = []
    for symbol in symbols:
        if result and (result[-1], symbol) in ranks:
            result[-1] += symbol
        else:
            result.append(symbol)
    return result


wrong("compares-joined-texts", {
    "symbols = list(symbols)":
        'symbols, texts = list(symbols), {"".join(pair): rank for pair, rank in reversed(ranks.items())}',
    "pair in ranks": '"".join(pair) in texts',
    "ranks.get": 'lambda pair: texts["".join(pair)]',
}, """
    Pairs are compared by the text that they make.
    ("ab", "c") and ("a", "bc") make the same text, but only pairs that were learned are joined.""")

wrong("rank-0-ignored", "byte_pair_merge(symbols, {pair: rank for pair, rank in ranks.items() if rank})", """
    A pair of rank 0 is never joined.
    `if ranks.get(pair)` takes 0 for "no rank". Ask whether the pair is in the dictionary.""")

wrong.at(PLACES)


@wrong.function
def first_place_only(symbols, ranks):
    """Every pair is joined at its first place only.
    All its places are joined, then the next pair is looked for."""
    symbols = list(symbols)
    for pair in sorted(ranks, key=ranks.get):
        if pair in (found := list(pairwise(symbols))):
            i = found.index(pair)
            symbols[i : i + 2] = ["".join(pair)]
    return symbols


wrong("from-the-right", {
    "result, i = [], 0": "symbols, pair, result, i = symbols[::-1], pair[::-1], [], 0",
    '"".join(pair)': '"".join(pair[::-1])',
    "return result": "return result[::-1]",
}, """
    The places of a pair are joined from the right.
    Of "a a a" the first two are joined, not the last two.""")

wrong("symbols-used-twice", {"i += 2 if is_pair": "i += 2 if is_pair and tuple(symbols[i + 1 : i + 3]) != pair"}, """
    At overlapping places a symbol is used twice.
    "a a a" becomes "aa a". A symbol that has been joined to the one before it is gone: go on two places further.""")


wrong("replaced-in-a-text", {"symbols = _joined(symbols, min(known, key=ranks.get))": """\
pair = min(known, key=ranks.get)
        symbols = " ".join(symbols).replace(" ".join(pair), "".join(pair)).split()"""}, """
    The symbols are written into a text with spaces between them, and the pair is replaced in the text.
    "ba b" holds "a b" as well, in the middle of a symbol. Compare symbols as a whole.""")

wrong("wrong-way-round", {'"".join(pair)': '"".join(pair[::-1])'}, """
    The two symbols of a pair are exchanged when they are joined.
    The left one comes first in the new symbol too.""")

wrong("either-order", "byte_pair_merge(symbols, {pair[::-1]: rank for pair, rank in ranks.items()} | ranks)", """
    A pair counts in either order.
    If ("a", "n") was learned, ("n", "a") need not have been. They are two pairs.""")

wrong("last-symbol-lost", {"i < len(symbols):": "i < len(symbols) - 1:"}, """
    The last symbol is lost where it is not joined.
    A loop over pairs ends one place before the last symbol.""")


@wrong.function
def in_place(symbols, ranks):
    """The list that was given is changed.
    Whoever asks for the pieces of a word may still need its letters. Work on a copy."""
    symbols[:] = reference.byte_pair_merge(symbols, ranks)
    return list(symbols)


wrong.at()
wrong("joined-to-a-text", '" ".join(byte_pair_merge(symbols, ranks))', """
    The symbols are returned as one text, with spaces.
    The result is a list. A symbol may itself be a space.""")


@wrong.function
def as_ranks(symbols, ranks):
    """The ranks of the joined pairs are returned.
    The result is the symbols that are left."""
    texts = {"".join(pair): rank for pair, rank in ranks.items()}
    return [texts[symbol] for symbol in reference.byte_pair_merge(symbols, ranks) if symbol in texts]


wrong("needs-a-pair", {
    KNOWN: "while (pair := min(pairwise(symbols), key=lambda pair: ranks.get(pair, float('inf')))) in ranks:",
    f"{LOWEST})": "pair)\n        if len(symbols) == 1:\n            break",
}, """
    Without a pair there is an error: nothing has no smallest element.
    A single symbol has no neighbour, and some pairs have no rank. Then there is nothing to do.""")
