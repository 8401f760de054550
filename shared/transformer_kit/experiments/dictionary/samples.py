"""Words that nobody picked, for a dictionary to define."""

from transformer_kit.dictionary.unfit import is_unfit

VOWELS = frozenset("aeiou")


def blended_words(entries, count, rng):
    """Invent words: the beginning of one word and the end of another of the same kind.

    Parameters
    ----------
    entries : sequence of Entry
    count : int
    rng : numpy.random.Generator

    Returns
    -------
    list of (str, str)
        Words, none of which is in `entries`, and their kinds.
    """
    known = {entry.word for entry in entries}
    single = [entry for entry in entries if entry.word.isalpha() and 5 <= len(entry.word) <= 10]
    kinds = {kind: [e.word for e in single if e.kind == kind] for kind in sorted({e.kind for e in single})}
    found = []
    while len(found) < count:
        kind = single[rng.integers(len(single))].kind
        word = _blend(*(kinds[kind][i] for i in rng.integers(len(kinds[kind]), size=2)))
        if word not in known and not is_unfit(word):
            found.append((word, kind))
    return found


def _blend(first, second):
    """Join the first half of a word, cut before a consonant, to the second half of another, cut before a vowel."""
    start = next((i for i in range(len(first) // 2, len(first)) if first[i] in VOWELS), len(first))
    end = next((i for i in range(len(second) // 2, len(second)) if second[i] in VOWELS), len(second) // 2)
    return first[:start] + second[end:]
