"""Specification of `byte_pair_merge`."""

from autograder.exercises.inputs import agrees_here
from autograder.exercises.unit_12_models_you_know import byte_pair_merge_mistakes, byte_pair_merge_places_mistakes
from autograder.exercises.unit_12_models_you_know.inputs import learned_pairs, shuffled, words_of
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.byte_pair_merge,
    asks="the symbols that are left when no two neighbours have a rank, the pair of the lowest rank joined first.",
    returns=(Output("symbols"),),
    where=byte_pair_merge_places_mistakes.SECTION,
    mistakes=[*byte_pair_merge_mistakes.MISTAKES, *byte_pair_merge_places_mistakes.MISTAKES],
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
    rank = int(rng.integers(0, 9))
    for times in (3, 5, 4):
        call.agrees([a] * times + [b], {(a, a): rank})
    call.agrees([b, a, a, a, b, a, a, a], {(a, a): rank})


@EXERCISE.claim(1.5)
def lowest_first(call, rng):
    """joins the pair of the lowest rank first, wherever it stands, in the word and among the ranks"""
    a, b, c, d = rng.permutation(list("abcd")).tolist()
    for low, high in (((b, c), (a, b)), ((a, b), (b, c))):
        ranks = {high: int(rng.integers(5, 9)), low: int(rng.integers(0, 5))}
        for one in (ranks, dict(reversed(ranks.items()))):
            call.agrees([a, b, c], one)
            call.agrees([d, a, b, c, a, b], one)
            call.agrees([a, b, c, b, c], one)
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
