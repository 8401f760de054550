"""Puts what a student wrote into the released notebook, whatever the state of the one that was handed in."""

from copy import deepcopy
from dataclasses import replace

from nbformat import from_dict

from autograder.grading.intake.read.source import Source, known_source
from autograder.grading.intake.repair.clean import Outputs, clean_markdown
from autograder.grading.intake.repair.match import WRITTEN, match, places_of
from autograder.grading.intake.repair.needed import code_of
from autograder.grading.intake.repair.notes import repair_notes


def repair(skeleton, cells):
    """Put a handed-in notebook into the form of the released one.

    Parameters
    ----------
    skeleton : NotebookNode
        The released notebook; it stays as it is.
    cells : sequence of Cell
        As `read` returns them.

    Returns
    -------
    notebook : NotebookNode
        Every released cell with its metadata and id, with the student's sources where a student may write, and the
        student's own cells where they stood between them. It is valid, and harmless in a page.
    code : tuple of str
        The sources that define the student's functions, in their order.
    repairs : tuple of str
        What had to be repaired, one sentence each; empty for a released notebook that was filled in.
    """
    found = match(places_of(skeleton), cells)
    notebook = deepcopy(skeleton)
    writer = _Writer(found)
    for place, cell in zip(found.places, notebook.cells, strict=True):
        writer.fill(cell, place)
    notebook.cells = writer.with_own_cells(notebook.cells)
    return notebook, _code(found), repair_notes(skeleton, found, writer.sanitized)


class _Writer:
    """Writes handed-in cells into the released notebook, and counts the texts that it has to make harmless."""

    def __init__(self, found):
        self.found = found
        self.outputs = Outputs()
        self.first = {}  # of the places that share one handed-in cell
        self.sanitized = 0

    def fill(self, cell, place):
        """Write into a released cell what the student wrote there."""
        number = self.found.homes.get(place.number)
        if number is None or place.role == "locked":
            return
        handed = self.found.cells[number]
        first = self.first.setdefault((number, place.role), place)
        if first is not place:
            cell.source = f"# {place.name} is written in the cell of {first.name}."
        elif place.kind == "code":
            cell.source, cell.outputs = handed.source, self.outputs.clean(handed.outputs)
        elif not place.holds(handed):
            cell.source = self.harmless(handed.source)

    def with_own_cells(self, released):
        """Return the released cells, with each of the student's own cells after the one that it followed."""
        behind, ids = [[] for _ in range(len(released) + 1)], {cell.id for cell in released}
        places = {number: place for place, number in self.found.homes.items()}
        given = {(place.kind, place.source.strip()) for place in self.found.places}
        last = -1
        for number, handed in enumerate(self.found.cells):
            if number in places:
                last = places[number]
            elif handed.source.strip() and (handed.kind, handed.source.strip()) not in given:
                behind[last + 1].append(self.own_cell(handed, f"own-{number + 1}", ids))
        groups = zip([[], *([cell] for cell in released)], behind, strict=True)
        return [cell for group, own in groups for cell in (*group, *own)]

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
        clean = clean_markdown(text)
        self.sanitized += clean != text
        return clean


def _code(found):
    """Return what a worker runs: the released imports, then what the functions need of the student's cells."""
    functions = found.of("function")
    chosen = {found.homes.get(place.number) for place in functions}
    imports = next((place for place in found.places if place.role == "ordinary" and place.kind == "code"), None)
    sources = [known_source(imports.source) if imports else Source("", ())]
    for number, (cell, source) in enumerate(zip(found.cells, found.sources, strict=True)):
        runs = number in chosen or (cell.kind == "code" and source.statements is not None)
        if not runs or (imports and imports.holds(cell)):
            source = Source("", ())
        overruled = {id(part) for place in functions for part in _overruled(found, place, number)}
        parts = source.statements and tuple(part for part in source.statements if id(part) not in overruled)
        sources.append(replace(source, statements=parts))
    return code_of(sources, {place.name: found.end_of(place) + 1 for place in functions})


def _overruled(found, place, number):
    """Yield the statements of a cell that would replace the function that counts."""
    home = found.homes.get(place.number)
    if home is None or number < home:
        return
    written = found.levels[place.number][home] == WRITTEN
    for part in found.sources[number].bound(place.name):
        if number > home or (written and part.is_stub):
            yield part
