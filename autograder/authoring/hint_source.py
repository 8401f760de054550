"""Take the folded hints out of a unit's notebook, so that a check can offer them."""

import re
from typing import Any

from nbformat import NotebookNode

N_HINTS = 3
FOLDED = re.compile(r"<details[^>]*>\s*<summary>Hint (\d): (.*?)</summary>\n(.*?)</details>", re.S)


def hints_in(notebook: NotebookNode) -> dict[str, list[dict[str, str]]]:
    """Return the hints of every exercise of a notebook.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        As `autograder.authoring.unit_source.read_unit` makes it.

    Returns
    -------
    dict
        For each exercise that has any, its hints in their order: ``{"title": ..., "text": ...}``. A text is Markdown
        whose paragraphs and list items take one line each.

    Raises
    ------
    ValueError
        If an exercise has hints, but not the hints 1, 2 and 3.
    """
    found: dict[str, list[tuple[int, dict[str, str]]]] = {}
    exercise: Any = None
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("grade"):
            exercise = marks["grade_id"].removeprefix("check-")
        for number, title, text in FOLDED.findall(cell.source) if cell.cell_type == "markdown" else ():
            found.setdefault(exercise, []).append((int(number), {"title": title, "text": _unwrapped(text)}))
    for name, hints in found.items():
        numbers = [number for number, _ in hints]
        if numbers != [*range(1, N_HINTS + 1)]:
            raise ValueError(f"below the check of {name}: expected the hints 1, 2 and 3 in this order, found {numbers}")
    return {name: [hint for _, hint in hints] for name, hints in found.items()}


def _unwrapped(text):
    """Join the lines of a paragraph, and of a list item, into one."""
    blocks = re.split(r"\n\s*\n|\n(?=\s*(?:\d+\.|[-*]) )", text.strip())
    return "\n".join(" ".join(block.split()) for block in blocks)
