"""Turn the text source of a unit (jupytext's percent format) into a notebook that nbgrader understands."""

import ast
import re
from collections import Counter
from collections.abc import Iterable

import jupytext
import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.authoring.stamp import stamp
from autograder.questions import Question
from autograder.specification import Exercise, Unit

KERNEL = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
FOLDED_HINT = "<details><summary>Hint"
IN_LINE = "display:inline-block;vertical-align:top;margin-right:2em;max-width:92%"
HINT_IN_LINE = FOLDED_HINT.replace(">", f' style="{IN_LINE}">', 1)


class SourceError(ValueError):
    """A text source that breaks the rules; the message says which rule and in which cell."""


def read_page(text: str, units: Iterable[Unit]) -> NotebookNode:
    """Turn a page without exercises into a notebook.

    Parameters
    ----------
    text : str
        Percent format, without tags; ``{{units}}`` stands for links to the units.
    units : iterable of Unit
        Only `id` and `title` are used.

    Returns
    -------
    nbformat.NotebookNode
    """
    links = [f"[{unit.id[:2]} {unit.title}]({unit.id}/{unit.id}.ipynb)" for unit in units]
    return read_unit(text.replace("{{units}}", " ·\n# ".join(links)), exercises=(), questions=())


def read_unit(text: str, exercises: Iterable[Exercise], questions: Iterable[Question]) -> NotebookNode:
    """Turn the text source of a unit into the instructor's notebook.

    Parameters
    ----------
    text : str
        Percent format with the tags `solution="name"`, `check="name"` and `answer="question"`.
    exercises : iterable of Exercise
        What the unit must hold: a solution and, after it, a check of each. Only `name` and `points` are used.
    questions : iterable of Question
        The predict-then-run questions of the unit. Only `id` is used.

    Returns
    -------
    nbformat.NotebookNode
        Valid, without outputs, with readable fixed cell ids.

    Raises
    ------
    SourceError
        If a tag is unknown or misplaced, or a cell does not have the form that its tag demands.
    """
    points = {exercise.name: exercise.points for exercise in exercises}
    question_ids = [question.id for question in questions]
    cells = [_cell(cell, points, question_ids) for cell in jupytext.reads(text, fmt="py:percent").cells]
    _require_everything(cells, points, question_ids)
    _name_cells(cells)
    notebook = new_notebook(cells=cells, metadata=KERNEL)
    nbformat.validate(notebook)
    stamp(notebook)
    return notebook


def _cell(cell, points, question_ids):
    """Make a fresh cell, so that nothing of jupytext's own metadata is left in it."""
    tags = {key: value for key, value in cell.metadata.items() if key != "lines_to_next_cell"}
    if cell.cell_type == "markdown":
        _require(not tags, cell, f"a text cell takes no tag, this one has {tags}")
        _require("SOLUTION" not in cell.source, cell, "a solution marker in a text cell")
        return new_markdown_cell(cell.source.replace(FOLDED_HINT, HINT_IN_LINE))  # three hints in one line
    _require(cell.cell_type == "code", cell, f"a cell is text or code, not {cell.cell_type}")
    _require(len(tags) <= 1, cell, f"a cell takes one tag, this one has {', '.join(tags)}")
    if not tags:
        _require("SOLUTION" not in cell.source, cell, 'a solution marker, but no tag solution="..."')
        return new_code_cell(cell.source)
    ((kind, name),) = tags.items()
    makers = {"solution": _solution, "check": _check, "answer": _answer}
    _require(kind in makers, cell, f"unknown tag {kind!r}; a cell is tagged solution, check or answer")
    known = question_ids if kind == "answer" else points
    what = "question" if kind == "answer" else "exercise"
    _require(name in known, cell, f"this unit has no {what} {name!r}, only {', '.join(known) or 'none'}")
    return new_code_cell(cell.source, metadata={"nbgrader": makers[kind](cell, name, points)})


def _solution(cell, name, points):
    _require_one_region(cell)
    defined = [node.name for node in ast.parse(cell.source).body if isinstance(node, ast.FunctionDef)]
    _require(name in defined, cell, f"the solution must define {name}, it defines {defined}")
    return _nbgrader(name, solution=True)


def _check(cell, name, points):
    _require(cell.source == f"check({name})", cell, f"a check cell holds check({name}) and nothing else")
    return _nbgrader(f"check-{name}", grade=True, locked=True, points=points[name])


def _answer(cell, name, points):
    _require_one_region(cell)
    lines = cell.source.split("\n")
    shown = [lines[0], lines[-2], lines[-1]] if len(lines) >= 4 else []
    form = [BEGIN, END, f'predict("{name}", answer)']
    _require(
        shown == form and lines[1].startswith("answer = "),
        cell,
        f"an answer cell reads {BEGIN}, answer = ..., {END}, {form[-1]}, each on its own line",
    )
    return _nbgrader(f"answer-{name}", solution=True)


def _nbgrader(grade_id, grade=False, solution=False, locked=False, **more):
    kind = {"grade": grade, "solution": solution, "locked": locked, "task": False}
    return {"grade_id": grade_id, "schema_version": 3, **kind, **more}


def _require(condition, cell, message):
    if not condition:
        raise SourceError(f"{message}\n  in the cell that begins: {cell.source.split(chr(10))[0]!r}")


def _require_one_region(cell):
    markers = [line.strip() for line in cell.source.split("\n") if "SOLUTION" in line]
    _require(markers == [BEGIN, END], cell, f"expected one pair {BEGIN} ... {END}, found {markers}")


def _require_everything(cells, points, question_ids):
    """Check the order of the notebook: one title, every exercise solved and then checked, once."""
    ids = [cell.metadata["nbgrader"]["grade_id"] for cell in cells if cell.metadata]
    twice = [name for name, count in Counter(ids).items() if count > 1]
    if twice:
        raise SourceError(f"used for more than one cell: {', '.join(twice)}")
    wanted = [name for exercise in points for name in (exercise, f"check-{exercise}")]
    missing = [name for name in [*wanted, *(f"answer-{name}" for name in question_ids)] if name not in ids]
    if missing:
        raise SourceError(f"the unit has no cell for: {', '.join(missing)}")
    early = [name for name in points if ids.index(f"check-{name}") < ids.index(name)]
    if early:
        raise SourceError(f"the check comes before the solution: {', '.join(early)}")
    titles = [title for cell in cells for level, title in _headings(cell) if level == 1]
    if len(titles) != 1 or not cells[0].source.startswith("# "):
        raise SourceError(f"a notebook starts with its only first-level heading, found: {titles}")


def _headings(cell):
    """Return [(level, title)] of a text cell; lines inside fenced code are not headings."""
    if cell.cell_type != "markdown":
        return []
    text = re.sub(r"^```.*?^```", "", cell.source, flags=re.MULTILINE | re.DOTALL)
    return [(len(marks), title) for marks, title in re.findall(r"^(#+)\s+(.+)$", text, flags=re.MULTILINE)]


def _name_cells(cells):
    """Give every cell its id: its grade id, or the headings it begins under and its number there.

    A cell that is put in changes the ids of its own section only.
    """
    path = {}
    counts = Counter()
    for cell in cells:
        headings = _headings(cell)
        if headings and cell.source.startswith("#"):
            first = headings.pop(0)
            path = _enter(path, *first)
        if cell.metadata:
            cell["id"] = cell.metadata["nbgrader"]["grade_id"]
        else:
            section = "-".join(path[level] for level in (2, 3) if level in path) or path[1]
            counts[section] += 1
            cell["id"] = f"{section}-{counts[section]}"
        for level, title in headings:
            path = _enter(path, level, title)


def _enter(path, level, title):
    """Return the headings above the text that follows a heading, as slugs by level."""
    return {upper: slug for upper, slug in path.items() if upper < level} | {level: _slug(title, level)}


def _slug(title, level):
    """Shorten a heading to lower-case words joined by hyphens; what is in parentheses may change freely."""
    words = re.findall(r"[a-z0-9]+", re.sub(r"\([^)]*\)", "", title.lower())) or ["section"]
    max_length = 27 if level == 3 else 32  # with a counter, two headings make at most 64 characters
    while len(words) > 1 and len("-".join(words)) > max_length:
        words.pop()
    return "-".join(words)[:max_length]
