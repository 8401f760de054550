"""A released notebook as a class gives it to its learners: what counts and how much, its date, its hints."""

import json
import re
from datetime import UTC
from pathlib import Path
from typing import Any

from autograder.authoring.hint_source import FOLDED
from autograder.authoring.placeholders import in_words
from autograder.authoring.stamp import is_edited, stamp
from autograder.course import CHECK
from autograder.decisions.counted import exercise_of, unit_of_class
from autograder.decisions.decided import Decisions
from autograder.registry import find_unit, units
from autograder.times import moment

BETWEEN_LINKS = " ·\n"  # as `read_page` writes them
LEFT_OUT = "this exercise does not count in your class"


def adapt(path: Path, decisions: Decisions) -> None:
    """Rewrite the file of a released unit, or of the start page, as the class gives it; others stay as they are.

    Parameters
    ----------
    path : Path
        Of a notebook.
    decisions : Decisions
    """
    was_edited = is_edited(path)
    before = path.read_text(encoding="utf-8")
    notebook = json.loads(before)
    known = {unit.id for unit in units()}
    if path.stem in known:
        of_unit(notebook, path.stem, decisions)
    else:
        _choose_links(notebook, decisions)
    if json.loads(before) != notebook:
        if not was_edited:
            stamp(notebook)
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def of_unit(notebook: dict[str, Any], id: str, decisions: Decisions) -> None:
    """Change the texts and the points of a unit's notebook to those of the class."""
    unit, its = find_unit(id), decisions.of(id)
    total = unit_of_class(decisions, id).points
    for cell in notebook["cells"]:
        name = _checked(cell)
        if name:
            worth = exercise_of(decisions, name, id).points
            points = 0 if name in its.without else worth
            if points != cell["metadata"]["nbgrader"]["points"]:
                cell["metadata"]["nbgrader"]["points"] = points
        if cell["cell_type"] == "markdown":
            text = before = "".join(cell["source"])
            if its.hints is not True or its.exam:
                text = FOLDED.sub("", text)
            due = f", due on {moment(its.due.replace(tzinfo=UTC).astimezone(its.zone))}" if its.due else ""
            text = re.sub(rf"^\*\*{in_words(unit.points)}, ", f"**{in_words(total)}{due}, ", text, flags=re.M)
            for exercise in unit.exercises:
                text = _of_exercise(text, exercise, unit.number_of(exercise), decisions, id)
            if text != before:
                cell["source"] = text.strip().splitlines(keepends=True)
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["source"] or cell["cell_type"] == "code"]


def _of_exercise(text, exercise, number, decisions, unit):
    """Change the line below the heading of an exercise, which says its points."""
    if exercise.name in decisions.of(unit).without:
        said = LEFT_OUT
    else:
        said = in_words(exercise_of(decisions, exercise.name, unit).points)
    heading = rf"^(#+ Exercise {re.escape(number)}: {re.escape(exercise.name)}\s+\*){in_words(exercise.points)},"
    return re.sub(heading, lambda found: f"{found[1]}{said},", text, flags=re.M)


def _checked(cell):
    """Return the exercise that a cell checks; empty for any other cell."""
    marks = cell["metadata"].get("nbgrader", {})
    is_check = marks.get("grade") and marks["grade_id"].startswith(CHECK)
    return marks["grade_id"].removeprefix(CHECK) if is_check else ""


def _choose_links(notebook, decisions):
    """Leave of the links to units those of the class, and say behind them when the units are due."""
    others = [f"]({unit.id}/{unit.id}.ipynb)" for unit in units() if unit.id not in decisions.units]
    for cell in notebook["cells"]:
        text = before = "".join(cell["source"])
        if cell["cell_type"] == "markdown" and decisions.units:
            links = [line for line in text.split(BETWEEN_LINKS) if not any(other in line for other in others)]
            text = BETWEEN_LINKS.join(links)
            for id, due in decisions.due.items():
                date = moment(due.replace(tzinfo=UTC).astimezone(decisions.of(id).zone))
                text = text.replace(f"]({id}/{id}.ipynb)", f"]({id}/{id}.ipynb), due on {date}")
        if text != before:
            cell["source"] = text.splitlines(keepends=True)
