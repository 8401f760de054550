"""Matches handed-in cells with released ones: by grade id, by cell id, and by content."""

import re
from dataclasses import dataclass, field

from autograder.course import ANSWER_PREFIX
from autograder.grading.intake.read.cells import Cell
from autograder.grading.intake.read.source import FUNCTIONS, Source, defined_in, known_source, source_of

NOTHING, STUB, BROKEN, WRITTEN = range(4)  # how much of a function a cell holds


@dataclass(frozen=True)
class Place:
    """A cell of the released notebook.

    Attributes
    ----------
    number : int
        Where it stands.
    id, kind, source : str
    name : str
        Its grade id; empty for an ordinary cell.
    role : str
        "function", "answer", "locked" or "ordinary".
    """

    number: int
    id: str
    kind: str
    source: str
    name: str
    role: str

    def holds(self, cell):
        """Return whether a handed-in cell is this one, untouched."""
        return cell.kind == self.kind and cell.source.strip() == self.source.strip()


@dataclass
class Match:
    """Which cell went where.

    Attributes
    ----------
    cells : sequence of Cell
    sources : list of Source
        Of the cells; one without statements for a cell that is not code.
    places : list of Place
    claimed : list of (Place or None)
        For each cell, the place whose marks or exact source it has.
    homes : dict
        Number of the cell that is taken, by the number of its place.
    levels : dict
        How much of a function or answer each cell holds, by the number of its place.
    """

    cells: tuple[Cell, ...]
    sources: list[Source]
    places: list[Place]
    claimed: list
    homes: dict = field(default_factory=dict)
    levels: dict = field(default_factory=dict)

    def of(self, *roles):
        """Return the places of these roles."""
        return [place for place in self.places if place.role in roles]

    def end_of(self, place):
        """Return the number of the last cell that counts for a function: its own, or the check after it."""
        check = next((p.number for p in self.of("locked") if p.name == f"check-{place.name}"), None)
        return max(self.homes.get(check, len(self.cells)), self.homes.get(place.number, 0))


def places_of(skeleton):
    """Return the cells of a released notebook."""
    return [_place(number, cell) for number, cell in enumerate(skeleton.cells)]


def _place(number, cell):
    marks = cell.metadata.get("nbgrader", {})
    name, role = marks.get("grade_id", ""), "ordinary"
    if marks.get("solution") and not marks.get("grade"):
        role = "answer" if name.startswith(ANSWER_PREFIX) else "function"
    elif marks and not marks.get("solution"):  # what is graded and written is for people to grade
        role = "locked"
    return Place(number, cell.id, cell.cell_type, cell.source, name, role)


def match(places, cells):
    """Find the cell for every place.

    A function is where it is written, whatever the marks of the cell say. If it is written more than once, the last
    version counts that stands before its check or bears its marks.

    Parameters
    ----------
    places : list of Place
    cells : sequence of Cell

    Returns
    -------
    Match
    """
    claimed = _claims(places, cells)
    sources = [_source(cell, place) for cell, place in zip(cells, claimed, strict=True)]
    found = Match(tuple(cells), sources, places, claimed)
    for place in found.of("ordinary", "locked"):
        mine = [number for number, claim in enumerate(claimed) if claim is place and cells[number].kind == place.kind]
        untouched = [number for number in mine if place.holds(cells[number])]
        if mine:
            found.homes[place.number] = (untouched or mine)[-1]
    for place in found.of("function", "answer"):
        level = _level if place.role == "function" else _answered
        found.levels[place.number] = [level(found, place, number) for number in range(len(cells))]
    for place in found.of("function", "answer"):
        _settle(found, place)
    return found


def _claims(places, cells):
    """Return the place whose grade id, id or source each cell has."""
    by_name = {place.name: place for place in places if place.name}
    by_id = {place.id: place for place in places}
    claimed = [by_name.get(cell.grade_id) or by_id.get(cell.id) for cell in cells]
    free = [place for place in places if place not in claimed and place.role in ("ordinary", "locked")]
    for number, cell in enumerate(cells):
        same = next((place for place in free if place.holds(cell)), None) if claimed[number] is None else None
        if same:
            claimed[number] = same
            free.remove(same)
    return claimed


def _source(cell, place):
    """Read a cell as code if it is code, was released as code, or defines functions as code does."""
    source = known_source(cell.source) if place and place.source == cell.source else source_of(cell.source)
    functions = any(isinstance(part.node, FUNCTIONS) for part in source.statements or ())
    return source if cell.kind == "code" or (place and place.kind == "code") or functions else Source("", ())


def _level(found, place, number):
    """Return how much of a function a cell holds."""
    source, marked = found.sources[number], found.claimed[number] is place
    if source.statements is None:
        return BROKEN if defined_in(source.text, place.name) else NOTHING
    defined = [part for part in source.bound(place.name) if marked or part.defines(place.name)]
    level = max((STUB if part.is_stub else WRITTEN for part in defined), default=NOTHING)
    return level if marked or found.cells[number].kind == "code" else min(level, BROKEN)


def _answered(found, place, number):
    """Return how much of an answer a cell holds."""
    cell = found.cells[number]
    question = re.escape(place.name.removeprefix(ANSWER_PREFIX))
    if cell.kind == "code" and re.search(rf"""predict\(\s*["']{question}["']""", cell.source):
        return STUB if place.holds(cell) else WRITTEN
    return NOTHING


def _settle(found, place):
    """Choose the cell for a function or an answer."""
    mine = found.levels[place.number]
    others = [levels for number, levels in found.levels.items() if number != place.number]
    marked = [number for number, claim in enumerate(found.claimed) if claim is place]
    undisputed = [n for n in marked if mine[n] or not any(levels[n] for levels in others)]
    end = found.end_of(place)
    having = {wanted: [n for n, level in enumerate(mine) if level == wanted] for wanted in (STUB, BROKEN, WRITTEN)}
    choices = (
        [number for number in having[WRITTEN] if number <= end or number in marked],
        having[WRITTEN],
        having[BROKEN],
        [number for number in undisputed if not place.holds(found.cells[number])],
        having[STUB],
        undisputed,
    )
    for choice in filter(None, choices):
        found.homes[place.number] = choice[-1]
        return
