"""Reads a notebook from bytes in any state: the cells that can be recovered, and what had to be repaired."""

from dataclasses import dataclass, field
from typing import Any

from autograder.grading.intake.read.decoding import ASK, Unreadable, text_of
from autograder.grading.intake.read.lenient_json import MAX_CELLS, MAX_SOURCE, notebook_in

# of all cells together; a released notebook has 50,000 characters on 1,000 lines
MAX_SOURCES = 300_000
MAX_LINES = 10_000  # statements that share one count as well
KINDS = {"code": "code", "markdown": "markdown", "raw": "raw", "heading": "markdown", "html": "markdown"}


@dataclass(frozen=True)
class Cell:
    """One cell as it was handed in, in plain values."""

    kind: str  # "code", "markdown" or "raw"
    source: str
    id: str = ""
    nbgrader: dict[str, Any] = field(default_factory=dict)  # nbgrader's metadata
    outputs: list[Any] = field(default_factory=list)  # as they were found; their form is not checked

    @property
    def grade_id(self) -> str:
        """The id under which nbgrader knows the cell; empty for an ordinary one."""
        return _string(self.nbgrader.get("grade_id"))


@dataclass(frozen=True)
class Reading:
    """What could be read: cells, sentences on what was repaired, and, if there is nothing, why."""

    cells: tuple[Cell, ...] = ()
    repairs: tuple[str, ...] = ()
    unreadable: str = ""


def read(content: bytes) -> Reading:
    """Read a notebook; whatever the bytes are, this returns."""
    try:
        return _read(content)
    except Unreadable as error:
        return Reading(unreadable=str(error))
    except Exception as error:  # a bug here must not stop the class
        return Reading(unreadable=f"This program failed to read the file ({type(error).__name__}). Please report it.")


def _read(content: bytes) -> Reading:
    repairs: list[str] = []
    entries = notebook_in(text_of(content, repairs), repairs)
    cells = [entry for entry in entries if isinstance(entry, dict)]
    if len(cells) < len(entries):
        repairs.append(f"Not cells, and left out: {len(entries) - len(cells)} entries among the cells.")
    if len(cells) > MAX_CELLS:
        repairs.append(f"More than {MAX_CELLS} cells; those after the first {MAX_CELLS} were left out.")
    cells = _capped([_cell(cell) for cell in cells[:MAX_CELLS]], repairs)
    if not any(cell.source.strip() for cell in cells):
        raise Unreadable(f"All cells of the notebook are empty. {ASK}")
    return Reading(tuple(cells), tuple(repairs))


def _cell(entry):
    """Make a cell from a dict, possibly of format 3, in which anything may be missing or of a wrong type."""
    kind = entry.get("cell_type")
    source = _text(entry["source"] if "source" in entry else entry.get("input"))
    if kind == "heading":
        level = next((n for n in range(1, 7) if n == entry.get("level")), 1)
        source = f"{'#' * level} {source}"
    metadata = entry.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    outputs = entry.get("outputs")
    return Cell(
        KINDS.get(kind, "code") if isinstance(kind, str) else "code",
        source,
        _string(entry.get("id")),
        nbgrader if isinstance(nbgrader, dict) else {},
        outputs if isinstance(outputs, list) else [],
    )


def _string(value):
    return value if isinstance(value, str) else ""


def _text(value):
    """Return a source as one string: lines in a list are joined, anything else becomes text."""
    if isinstance(value, list):
        lines = [line if isinstance(line, str) else "" for line in value]
        apart = len(lines) > 1 and not any("\n" in line for line in lines)
        value = ("\n" if apart else "").join(lines)
    elif value is None or isinstance(value, (dict, bool)):
        value = ""
    text = str(value).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _capped(cells, repairs):
    """Drop the cells that are too long, or together too long: the longest first."""
    kept = set()
    characters_left = MAX_SOURCES
    lines_left = MAX_LINES
    for number in sorted(range(len(cells)), key=lambda number: len(cells[number].source)):
        source = cells[number].source
        more = source.count("\n") + source.count(";")
        if len(source) <= min(MAX_SOURCE, characters_left) and more <= lines_left:
            characters_left -= len(source)
            lines_left -= more
            kept.add(number)
    if len(kept) < len(cells):
        repairs.append(f"Too long for a cell that somebody wrote, and left out: {len(cells) - len(kept)} of the cells.")
    return [cell for number, cell in enumerate(cells) if number in kept]
