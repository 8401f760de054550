"""The cells in the text of a notebook; where the JSON is damaged, those that are intact."""

import json
import re
from itertools import islice
from typing import Any

from autograder.grading.intake.read.decoding import ASK, Unreadable, kind_of
from autograder.grading.intake.read.source import FUNCTIONS, source_of

MARKER = re.compile(r"^([<|=>])\1{6}(?: .*|\r)?(?:\n|\Z)", re.MULTILINE)  # of git, between the sides of a conflict
MAX_MARKERS = 10_000
CELL = re.compile(
    r'\{\s*"(?:attachments|cell_type|collapsed|execution_count|id|input|language|metadata|outputs|source)"\s*:'
)
MAX_FAILURES = 100  # places where a cell seems to begin but none can be read
MAX_READ_AGAIN = 2  # how often, as it were, the whole text may be read in vain at such places
MAX_CELLS, MAX_SOURCE = 2000, 100_000  # characters
MAX_VALUES = 500_000  # a hundred times what a notebook with its outputs has
TOO_MANY = "The file holds hundreds of thousands of values. Have its outputs cleared and the notebook handed in again."
STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
BLANK = "\ufeff \t\r\n"
MAX_DEPTH = 4  # how far the cells may be wrapped
MAX_DIGITS = 18  # of an integer


def notebook_in(text: str, repairs: list[str]) -> list[Any]:
    """Return the cells of a notebook, or whatever is in their place.

    `repairs` gets a sentence about everything that is repaired.

    Raises
    ------
    Unreadable
        If there are none.
    """
    if _values_in(text) > MAX_VALUES and _values_in(STRING.sub('""', text)) > MAX_VALUES:
        raise Unreadable(TOO_MANY)
    text = _one_side(text.lstrip(BLANK), repairs)
    reader = _Reader()
    try:
        value = reader.value(text)
    except (ValueError, RecursionError):
        return _recovered(reader, text, repairs)
    if reader.duplicates:
        repairs.append("Parts of the notebook are in the file twice; the longer ones were taken.")
    cells = _cells(value)
    if cells is None:
        raise Unreadable(f"The file holds no cells, so it is not a notebook. {ASK}")
    if isinstance(value, dict) and "worksheets" in value:
        repairs.append("The notebook was saved in an old format; it was converted.")
    return cells


def _values_in(text):
    """Return about how many values there are in JSON, lists among them."""
    return text.count(",") + text.count("[")


class _Reader:
    """Reads JSON that need not be quite correct: raw line breaks in strings, huge integers, duplicate keys."""

    def __init__(self):
        self.duplicates = False
        self.decoder = json.JSONDecoder(strict=False, object_pairs_hook=self._object, parse_int=_integer)

    def value(self, text: str) -> object:
        """Return the value that a text begins with; for a string, the value written in it."""
        for _ in range(MAX_DEPTH):
            value, _ = self.decoder.raw_decode(text.lstrip(BLANK))
            if not isinstance(value, str):
                return value
            text = value
        raise ValueError

    def _object(self, pairs):
        result = dict(pairs)
        if len(result) < len(pairs):
            self.duplicates = True
            for key, value in pairs:
                if isinstance(value, (str, list, dict)) and len(value) > len(_sized(result[key])):
                    result[key] = value
        return result


def _sized(value):
    return value if isinstance(value, (str, list, dict)) else ""


def _integer(digits):
    return int(digits) if len(digits) <= MAX_DIGITS else 0


def _cells(value, depth=0):
    """Return the list of cells in a notebook, or in what is wrapped around one; None if there is none."""
    if isinstance(value, list):
        holds_cells = any(isinstance(cell, dict) and ("source" in cell or "input" in cell) for cell in value)
        return value if holds_cells else None
    if not isinstance(value, dict) or depth == MAX_DEPTH:
        return None
    if isinstance(value.get("cells"), list):
        return value["cells"]
    if isinstance(value.get("worksheets"), list):
        sheets = [_cells(sheet, depth + 1) or [] for sheet in value["worksheets"]]
        return [cell for sheet in sheets for cell in sheet]
    inside = (_cells(part, depth + 1) for part in value.values())
    return next((cells for cells in inside if cells is not None), None)


def _one_side(text, repairs):
    """Resolve git's conflict markers in favour of the first side, which was there before the merge."""
    if "<<<<<<<" not in text:
        return text
    kept = []
    side = ""  # the mark of the side that is being read; empty outside of a conflict
    end = 0  # of the last mark
    for mark in islice(MARKER.finditer(text), MAX_MARKERS):
        if side or mark[1] == "<":
            kept.append(text[end : mark.start()] if side in ("", "<") else "")
            side = "" if mark[1] == ">" else mark[1]
            end = mark.end()
    if kept:
        repairs.append("The file held both sides of a merge conflict; the first side was taken.")
    return "".join([*kept, text[end:] if side in ("", "<") else ""])


def _recovered(reader, text, repairs):
    """Return the intact cells of a damaged notebook; a program under the name of a notebook counts as a cell."""
    cells = _whole_cells(reader, text)
    if text[:1] not in ("{", "[") and not any("cell_type" in cell for cell in cells):
        if not _is_program(text):
            kind = kind_of(text)
            raise Unreadable(f"The file is not a notebook{f' but {kind}' if kind else ''}. {ASK}")
        repairs.append("The file is a Python program, not a notebook; it was taken as one cell.")
        return [{"cell_type": "code", "source": text}]
    if not cells:
        raise Unreadable(f"The file is damaged, and no whole cell is left in it. {ASK}")
    repairs.append(f"The file is damaged or cut off; the {len(cells)} cells that are whole were taken.")
    return cells


def _whole_cells(reader, text):
    """Return the cells that are whole, wherever the text begins."""
    if _values_in(text) > MAX_VALUES:  # there is no telling where its strings are
        raise Unreadable(TOO_MANY)
    start = re.search(r'"cells"\s*:\s*\[', text)
    position = start.end() if start else 0
    cells = []
    failures = 0
    in_vain = 0  # characters that were read where there was no whole cell
    while (
        failures < MAX_FAILURES
        and in_vain < MAX_READ_AGAIN * len(text)
        and len(cells) <= MAX_CELLS
        and (match := CELL.search(text, position))
    ):
        try:
            cell, position = reader.decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError) as error:
            failures += 1
            position = match.start() + 1
            in_vain += _end_of(error, text) - match.start()
            continue
        if "source" in cell or "input" in cell:
            cells.append(cell)
    return cells


def _end_of(error, text):
    """Return how far a text was read before an error; a string without an end is an error where it begins."""
    is_exact = isinstance(error, json.JSONDecodeError) and not error.msg.startswith("Unterminated")
    return error.pos if is_exact else len(text)


def _is_program(text):
    """Return whether a text is a Python program with a function in it."""
    source = source_of(text) if len(text) <= MAX_SOURCE else None
    return source and any(isinstance(part.node, FUNCTIONS) for part in source.statements or ())
