"""Puts what a student wrote into the released notebook, whatever the state of the one that was handed in."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import NamedTuple

from nbformat import NotebookNode, from_dict

from autograder.grading.intake.read.cells import Cell
from autograder.grading.intake.read.source import Source, known_source
from autograder.grading.intake.repair.absent import absent
from autograder.grading.intake.repair.clean import Outputs, clean_markdown, does_something
from autograder.grading.intake.repair.match import WRITTEN, match, slots_of
from autograder.grading.intake.repair.needed import code_of
from autograder.grading.intake.repair.notes import repair_notes


class Repaired(NamedTuple):
    """A notebook in the form of the released one.

    Attributes
    ----------
    notebook : NotebookNode
        Every released cell with its metadata and id, with the student's sources where a student may write, and the
        student's own cells where they stood between them. It is valid, and harmless in a page.
    code : tuple of str
        The sources that define the student's functions, in their order.
    repairs : tuple of str
        What had to be repaired, one sentence each; empty for a released notebook that was filled in.
    absent : dict
        By exercise, what to tell of functions that are not there; see `absent`.
    """

    notebook: NotebookNode
    code: tuple[str, ...]
    repairs: tuple[str, ...]
    absent: dict[str, dict[str, str]]


def repair(skeleton: NotebookNode, cells: Sequence[Cell]) -> Repaired:
    """Put a handed-in notebook into the form of the released one.

    Parameters
    ----------
    skeleton : NotebookNode
        The released notebook; it stays as it is.
    cells : sequence of Cell
        As `read` returns them.

    Returns
    -------
    Repaired
    """
    matched = match(slots_of(skeleton), cells)
    notebook = deepcopy(skeleton)
    writer = _Writer(matched)
    for slot, cell in zip(matched.slots, notebook.cells, strict=True):
        writer.fill(cell, slot)
    notebook.cells = writer.with_own_cells(notebook.cells)
    return Repaired(notebook, _code(matched), repair_notes(skeleton, matched, writer.sanitized), absent(matched))


class _Writer:
    """Writes handed-in cells into the released notebook, and counts the texts that it has to make harmless."""

    def __init__(self, matched):
        self.matched = matched
        self.outputs = Outputs()
        self.first = {}  # of the slots that share one handed-in cell
        self.sanitized = 0

    def fill(self, cell, slot):
        """Write into a released cell what the student wrote there."""
        number = self.matched.homes.get(slot.number)
        if number is None or slot.role == "locked":
            return
        handed = self.matched.cells[number]
        first = self.first.setdefault((number, slot.role), slot)
        if first is not slot:
            cell.source = f"# {slot.name} is written in the cell of {first.name}."
        elif slot.kind == "code":
            cell.source = handed.source
            cell.outputs = self.outputs.clean(handed.outputs)
        elif not slot.holds(handed):
            cell.source = self.harmless(handed.source)

    def with_own_cells(self, released):
        """Return the released cells, with each of the student's own cells after the one that it followed."""
        behind = [[] for _ in range(len(released) + 1)]
        ids = {cell.id for cell in released}
        slots = {number: slot for slot, number in self.matched.homes.items()}
        released_cells = {(slot.kind, slot.source.strip()) for slot in self.matched.slots}
        last = -1
        for number, handed in enumerate(self.matched.cells):
            if number in slots:
                last = slots[number]
            elif handed.source.strip() and (handed.kind, handed.source.strip()) not in released_cells:
                behind[last + 1].append(self.own_cell(handed, f"own-{number + 1}", ids))
        groups = zip([[], *([cell] for cell in released)], behind, strict=True)
        return [cell for group, own_cells in groups for cell in (*group, *own_cells)]

    def own_cell(self, handed, id, ids):
        """Return one of the student's own cells without its metadata, under an id that no other cell has."""
        while id in ids:
            id += "-"
        ids.add(id)
        if handed.kind == "code":
            more = {"source": handed.source, "outputs": self.outputs.clean(handed.outputs), "execution_count": None}
            return from_dict({"cell_type": "code", "id": id, "metadata": {}, **more})
        return from_dict({"cell_type": "markdown", "id": id, "metadata": {}, "source": self.harmless(handed.source)})

    def harmless(self, text):
        """Return a text without anything active in a page."""
        self.sanitized += does_something(text)
        return clean_markdown(text)


def _code(matched):
    """Return what a worker runs: the released imports, then what the functions need of the student's cells."""
    functions = matched.of("function")
    chosen = {matched.homes.get(slot.number) for slot in functions}
    imports = next((slot for slot in matched.slots if slot.role == "ordinary" and slot.kind == "code"), None)
    sources = [known_source(imports.source) if imports else Source("", ())]
    for number, (cell, source) in enumerate(zip(matched.cells, matched.sources, strict=True)):
        runs = number in chosen or (cell.kind == "code" and source.statements is not None)
        if not runs or (imports and imports.holds(cell)):
            source = Source("", ())
        overruled = {id(part) for slot in functions for part in _overruled(matched, slot, number)}
        parts = source.statements and tuple(part for part in source.statements if id(part) not in overruled)
        sources.append(replace(source, statements=parts))
    return code_of(sources, {slot.name: matched.end_of(slot) + 1 for slot in functions})


def _overruled(matched, slot, number):
    """Yield the statements of a cell that would replace the function that counts."""
    home = matched.homes.get(slot.number)
    if home is None or number < home:
        return
    written = matched.levels[slot.number][home] == WRITTEN
    for part in matched.sources[number].bound(slot.name):
        if number > home or (written and part.is_stub):
            yield part
