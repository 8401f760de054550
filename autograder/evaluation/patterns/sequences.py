"""Lists of tokens and the like: reversed, cut off, or right up to a place."""

from collections.abc import Iterator

from autograder.evaluation.patterns.case import ENOUGH, Case, Reading


def reversed_sequence(case: Case) -> Iterator[Reading]:
    """The right entries, the last one first."""
    if _are_flat(case) and list(case.got) == list(case.expected)[::-1] and len(set(case.expected)) >= ENOUGH:
        yield Reading("reversed", "The entries are right, but in reverse order.", len(case.expected))


def ends(case: Case) -> Iterator[Reading]:
    """One entry too many or too few at an end."""
    if not _are_flat(case) or abs(len(case.got) - len(case.expected)) != 1:
        return
    got, expected = list(case.got), list(case.expected)
    is_longer = len(got) > len(expected)
    longer, shorter = (got, expected) if is_longer else (expected, got)
    for name, rest, entry in (("last", longer[:-1], longer[-1]), ("first", longer[1:], longer[0])):
        if rest == shorter and longer[:-1] != longer[1:]:
            what = "is too many" if is_longer else "is missing"
            text = f"Only the {name} entry, {entry}, {what}; the others are right."
            yield Reading((name, is_longer), text, max(len(shorter), ENOUGH) if shorter else 0)


def _are_flat(case):
    both = (case.got, case.expected)
    return all(isinstance(s, tuple | list) and s and all(isinstance(e, int | str) for e in s) for s in both)


SEQUENCES = (reversed_sequence, ends)
