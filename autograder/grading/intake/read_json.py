"""The cells in the text of a notebook, also where the JSON is damaged: what is whole in it is saved."""

import json
import re

from autograder.grading.intake.read_text import ASK, Unreadable
from autograder.grading.intake.repair_source import FUNCTIONS, source_of

MARKER = re.compile(r"([<|=>])\1{6}(?: .*)?")
CELL = re.compile(
    r'\{\s*"(?:attachments|cell_type|collapsed|execution_count|id|input|language|metadata|outputs|source)"\s*:'
)
MAX_FAILURES = 100  # places where a cell seems to begin but none can be read
MAX_CELLS, MAX_SOURCE = 2000, 100_000  # characters
MAX_VALUES = 4_000_000  # they take up to 200 bytes each in memory
DEEPEST = 4  # how far the cells may be wrapped
LONGEST_INTEGER = 18  # digits


def notebook_in(text, repairs):
    """Return the cells of a notebook.

    Parameters
    ----------
    text : str
    repairs : list of str
        Takes a sentence on everything that is mended.

    Returns
    -------
    list
        What stands where the cells should be.

    Raises
    ------
    Unreadable
        If there are none.
    """
    if text.count(",") + text.count("[") > MAX_VALUES:
        raise Unreadable(
            "The file holds millions of values. Let its outputs be cleared and the notebook be handed in again."
        )
    text = _one_side(text, repairs)
    reader = _Reader()
    try:
        value = reader.value(text)
    except (ValueError, RecursionError):
        return _saved(reader, text, repairs)
    if reader.twice:
        repairs.append("Parts of the notebook are in the file twice; the longer ones were taken.")
    cells = _cells(value)
    if cells is None:
        raise Unreadable(f"The file holds no cells, so it is no notebook. {ASK}")
    if isinstance(value, dict) and "worksheets" in value:
        repairs.append("The notebook was saved in an old format; it was converted.")
    return cells


class _Reader:
    """Reads JSON that need not be quite right: raw line breaks in strings, huge integers, keys that come twice."""

    def __init__(self):
        self.twice = False
        self.decoder = json.JSONDecoder(strict=False, object_pairs_hook=self._object, parse_int=_integer)

    def value(self, text):
        """Return the value that a text begins with; where that is a string, the value in it."""
        for _ in range(DEEPEST):
            value, _ = self.decoder.raw_decode(text.lstrip("\ufeff \t\r\n"))
            if not isinstance(value, str):
                return value
            text = value
        raise ValueError

    def _object(self, pairs):
        found = dict(pairs)
        if len(found) < len(pairs):
            self.twice = True
            for key, value in pairs:
                if isinstance(value, (str, list, dict)) and len(value) > len(_sized(found[key])):
                    found[key] = value
        return found


def _sized(value):
    return value if isinstance(value, (str, list, dict)) else ""


def _integer(digits):
    return int(digits) if len(digits) <= LONGEST_INTEGER else 0


def _cells(value, depth=0):
    """Return the list of cells in a notebook, or in what is wrapped around one; None if there is none."""
    if isinstance(value, list):
        known = [cell for cell in value if isinstance(cell, dict) and ("source" in cell or "input" in cell)]
        return value if known else None
    if not isinstance(value, dict) or depth == DEEPEST:
        return None
    if isinstance(value.get("cells"), list):
        return value["cells"]
    if isinstance(value.get("worksheets"), list):
        sheets = [_cells(sheet, depth + 1) or [] for sheet in value["worksheets"]]
        return [cell for sheet in sheets for cell in sheet]
    found = (_cells(part, depth + 1) for part in value.values())
    return next((cells for cells in found if cells is not None), None)


def _one_side(text, repairs):
    """Resolve git's conflict markers in favour of the first side, which is the one that was there."""
    if not re.search(r"^<{7}( |$)", text, re.MULTILINE):
        return text
    lines, side = [], ""
    for line in text.split("\n"):
        mark = MARKER.fullmatch(line.rstrip("\r"))
        if mark and (side or mark[1] == "<"):
            side = "" if mark[1] == ">" else mark[1]
        elif side in ("", "<"):
            lines.append(line)
    repairs.append("The file held both sides of a merge conflict; the first side was taken.")
    return "\n".join(lines)


def _saved(reader, text, repairs):
    """Return the cells that are whole in a damaged notebook, or a program under the name of one as a cell."""
    if text.lstrip("\ufeff \t\r\n")[:1] not in ("{", "["):
        return [_program(text, repairs)]
    start = re.search(r'"cells"\s*:\s*\[', text)
    position, cells, failures = start.end() if start else 0, [], 0
    while failures < MAX_FAILURES and len(cells) <= MAX_CELLS and (found := CELL.search(text, position)):
        try:
            cell, position = reader.decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            failures, position = failures + 1, found.start() + 1
            continue
        if "source" in cell or "input" in cell:
            cells.append(cell)
    if not cells:
        raise Unreadable(f"The file is damaged, and no whole cell is left in it. {ASK}")
    repairs.append(f"The file is damaged or cut off; the {len(cells)} cells that are whole were taken.")
    return cells


def _program(text, repairs):
    """Return a Python file as a code cell."""
    source = source_of(text) if len(text) <= MAX_SOURCE else None
    if not source or not any(isinstance(part.node, FUNCTIONS) for part in source.statements or ()):
        raise Unreadable(f"The file is no notebook. {ASK}")
    repairs.append("The file is a Python program, no notebook; it was taken as one cell.")
    return {"cell_type": "code", "source": text}
