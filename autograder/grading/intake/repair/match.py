"""Matches handed-in cells with released ones: by grade id, by cell id, and by content."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from nbformat import NotebookNode

from autograder.course import ANSWER_PREFIX
from autograder.grading.intake.read.cells import Cell
from autograder.grading.intake.read.source import FUNCTIONS, Source, defined_in, known_source, source_of

NOTHING, STUB, BROKEN, WRITTEN = range(4)  # how much of a function a cell holds


@dataclass(frozen=True)
class Slot:
    """A cell of the released notebook, into which a handed-in one goes."""

    number: int  # where it stands
    id: str
    kind: str
    source: str
    name: str  # its grade id; empty for an ordinary cell
    role: str  # "function", "answer", "locked" or "ordinary"

    def holds(self, cell: Cell) -> bool:
        """Return whether a handed-in cell is this one, untouched."""
        return cell.kind == self.kind and cell.source.strip() == self.source.strip()


@dataclass
class Match:
    """Which cell went where."""

    cells: tuple[Cell, ...]
    sources: list[Source]  # of the cells; one without statements for a cell that is not code
    slots: list[Slot]
    claimed: list[Slot | None]  # for each cell, the slot whose marks or exact source it has
    homes: dict[int, int] = field(default_factory=dict)  # number of the cell that is taken, by the number of its slot
    # how much of a function or answer each cell holds, by the number of its slot
    levels: dict[int, list[int]] = field(default_factory=dict)

    def of(self, *roles: str) -> list[Slot]:
        """Return the slots of these roles."""
        return [slot for slot in self.slots if slot.role in roles]

    def end_of(self, slot: Slot) -> int:
        """Return the number of the last cell that counts for a function: its own, or the check after it."""
        check = next((p.number for p in self.of("locked") if p.name == f"check-{slot.name}"), -1)  # that of no slot
        return max(self.homes.get(check, len(self.cells)), self.homes.get(slot.number, 0))


def slots_of(skeleton: NotebookNode) -> list[Slot]:
    """Return the cells of a released notebook."""
    return [_slot(number, cell) for number, cell in enumerate(skeleton.cells)]


def _slot(number, cell):
    nbgrader = cell.metadata.get("nbgrader", {})
    name = nbgrader.get("grade_id", "")
    role = "ordinary"
    if nbgrader.get("solution") and not nbgrader.get("grade"):
        role = "answer" if name.startswith(ANSWER_PREFIX) else "function"
    elif nbgrader and not nbgrader.get("solution"):  # what is graded and written is for people to grade
        role = "locked"
    return Slot(number, cell.id, cell.cell_type, cell.source, name, role)


def match(slots: list[Slot], cells: Sequence[Cell]) -> Match:
    """Find the cell for every slot.

    A function is where it is written, whatever the marks of the cell say. If it is written more than once, the last
    version counts that stands before its check or bears its marks.
    """
    claimed = _claims(slots, cells)
    sources = [_source(cell, slot) for cell, slot in zip(cells, claimed, strict=True)]
    matched = Match(tuple(cells), sources, slots, claimed)
    for slot in matched.of("ordinary", "locked"):
        marked = [number for number, claim in enumerate(claimed) if claim is slot]
        its_cells = [number for number in marked if cells[number].kind == slot.kind]
        untouched = [number for number in its_cells if slot.holds(cells[number])]
        if its_cells:
            matched.homes[slot.number] = (untouched or its_cells)[-1]
    for slot in matched.of("function", "answer"):
        level = _level if slot.role == "function" else _answered
        matched.levels[slot.number] = [level(matched, slot, number) for number in range(len(cells))]
    for slot in matched.of("function", "answer"):
        _settle(matched, slot)
    return matched


def _claims(slots, cells):
    """Return the slot whose grade id, id or source each cell has."""
    by_name = {slot.name: slot for slot in slots if slot.name}
    by_id = {slot.id: slot for slot in slots}
    claimed = [by_name.get(cell.grade_id) or by_id.get(cell.id) for cell in cells]
    free = [slot for slot in slots if slot not in claimed and slot.role in ("ordinary", "locked")]
    for number, cell in enumerate(cells):
        same = next((slot for slot in free if slot.holds(cell)), None) if claimed[number] is None else None
        if same:
            claimed[number] = same
            free.remove(same)
    return claimed


def _source(cell, slot):
    """Read a cell as code if it is code, was released as code, or defines functions as code does."""
    source = known_source(cell.source) if slot and slot.source == cell.source else source_of(cell.source)
    functions = any(isinstance(part.node, FUNCTIONS) for part in source.statements or ())
    return source if cell.kind == "code" or (slot and slot.kind == "code") or functions else Source("", ())


def _level(matched, slot, number):
    """Return how much of a function a cell holds."""
    source = matched.sources[number]
    marked = matched.claimed[number] is slot
    if source.statements is None:
        return BROKEN if defined_in(source.text, slot.name) else NOTHING
    defined = [part for part in source.bound(slot.name) if marked or part.defines(slot.name)]
    level = max((STUB if part.is_stub else WRITTEN for part in defined), default=NOTHING)
    return level if marked or matched.cells[number].kind == "code" else min(level, BROKEN)


def _answered(matched, slot, number):
    """Return how much of an answer a cell holds."""
    cell = matched.cells[number]
    question = re.escape(slot.name.removeprefix(ANSWER_PREFIX))
    if cell.kind == "code" and re.search(rf"""predict\(\s*["']{question}["']""", cell.source):
        return STUB if slot.holds(cell) else WRITTEN
    return NOTHING


def _settle(matched, slot):
    """Choose the cell for a function or an answer."""
    levels = matched.levels[slot.number]
    others = [other for number, other in matched.levels.items() if number != slot.number]
    marked = [number for number, claim in enumerate(matched.claimed) if claim is slot]
    undisputed = [n for n in marked if levels[n] or not any(other[n] for other in others)]
    end = matched.end_of(slot)
    having = {wanted: [n for n, level in enumerate(levels) if level == wanted] for wanted in (STUB, BROKEN, WRITTEN)}
    choices = (
        [number for number in having[WRITTEN] if number <= end or number in marked],
        having[WRITTEN],
        having[BROKEN],
        [number for number in undisputed if not slot.holds(matched.cells[number])],
        having[STUB],
        undisputed,
    )
    for choice in filter(None, choices):
        matched.homes[slot.number] = choice[-1]
        return
