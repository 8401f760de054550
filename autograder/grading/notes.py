"""What an instructor is told beside the verdicts: sentences that know what they cost, so that none of weight drowns."""

from collections import Counter
from collections.abc import Iterable
from typing import Self

COSTS, WHOSE, DECIDED, ASIDE = range(4)  # points; who somebody is; what was taken for what; files that are ignored
MAX_PLACES = 3  # that are named of those of which the same is to be said


class Note(str):
    """A sentence, with what it costs.

    Attributes
    ----------
    weight : int
        `COSTS`, `WHOSE`, `DECIDED` or `ASIDE`.
    sender : str
        Whose work it is about: a folder, a zip or a student's id; empty for nobody's in particular.
    alike : str
        What it says of the sender, where the same may be said of many.
    """

    weight: int
    sender: str
    alike: str

    def __new__(cls, text: str, weight: int = DECIDED, sender: str = "", alike: str = "") -> Self:
        """Make a note of a text."""
        note = super().__new__(cls, text)
        note.weight, note.sender, note.alike = weight, sender, alike
        return note


def by_weight(remarks: Iterable[str]) -> list[tuple[int, list[str]]]:
    """Return the lines to print of remarks, by weight, the heaviest first: one line for each sender.

    What costs points is told in full; beside it, what is to be said of several senders alike is one line.

    Parameters
    ----------
    remarks : iterable of str
        A text that is no `Note` counts as one of no sender.

    Returns
    -------
    list of tuple
        Of a weight and its lines.
    """
    notes = [one if isinstance(one, Note) else Note(one) for one in remarks]
    found: list[tuple[int, list[str]]] = []
    for weight in range(ASIDE + 1):
        of_weight = [one for one in notes if one.weight == weight]
        lines = list(map(str, of_weight if weight == COSTS else _of_each_sender(_alike(of_weight))))
        found += [(weight, lines)] if lines else []
    return found


def _alike(notes):
    """Make one note of those that say the same of several senders."""
    places = {}
    for one in notes:
        if one.alike:
            places.setdefault(one.alike, []).append(one.sender)
    told = set()
    for one in notes:
        its = places.get(one.alike, [])
        if len(its) < 2:
            yield one
        elif one.alike not in told:
            told.add(one.alike)
            more = f" and {len(its) - MAX_PLACES} more" if len(its) > MAX_PLACES else ""
            yield Note(f"In {', '.join(its[:MAX_PLACES])}{more}: {one.alike}", one.weight)


def _of_each_sender(notes):
    """Leave the first note on each sender, and say how many more there are."""
    notes = list(notes)
    count = Counter(one.sender for one in notes)
    told = set()
    for one in notes:
        if not one.sender or count[one.sender] == 1:
            yield one
        elif one.sender not in told:
            told.add(one.sender)
            yield f"{one} (And {count[one.sender] - 1} more on {one.sender}; --json lists all.)"
