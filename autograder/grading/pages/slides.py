"""What to show in class: a Markdown slide for each frequent mistake, with one anonymous specimen of code."""

import ast
from collections.abc import Iterable

from autograder.grading.intake.bare import without_texts
from autograder.grading.intake.submission import Submission
from autograder.grading.pages.review import MIN_STUDENTS
from autograder.grading.pages.statistics import ClassStatistics
from autograder.grading.pages.tables import by_frequency
from autograder.grading.pages.term import last_unit

MAX_SLIDES = 5
MAX_LINES = 16  # of a specimen
NONE = f"No known mistake was made by {MIN_STUDENTS} students or more.\n"
SLIDE = """\
# {count} of {of} wrote this in `{exercise}`

{fence}python
{code}
{fence}

**{name}.** {why}

Read again: unit {unit}, “{where}”
"""


def slides(statistics: ClassStatistics, submissions: Iterable[Submission]) -> str:
    """Return the slides on the unit at which a class is, the most frequent mistake first.

    Parameters
    ----------
    statistics : ClassStatistics
    submissions : iterable of Submission

    Returns
    -------
    str
        In Markdown, with lines between the slides as presentation programs take them.
    """
    last = last_unit(statistics)
    made: list[str] = []
    code = {one.student: one.code for one in submissions if last and one.unit == last.unit.id}
    for one, count in by_frequency([one for one in statistics.exercises if last and one.unit is last.unit]):
        specimens = [specimen(code.get(student, ()), one.exercise.name) for student in count.who]
        specimens = sorted(filter(None, specimens), key=lambda text: (len(text), text))
        if count.students >= MIN_STUDENTS and specimens and len(made) < MAX_SLIDES:
            made.append(_slide(one, count, specimens[len(specimens) // 2]))
    return "\n---\n\n".join(made) or NONE


def _slide(one, count, code):
    fence = "`" * 3
    while fence in code:
        fence += "`"
    known = {"name": count.what.name, "why": count.what.why, "where": count.what.where, "unit": one.unit.id[:2]}
    return SLIDE.format(count=count.students, of=count.of, exercise=one.exercise.name, code=code, fence=fence, **known)


def specimen(code: Iterable[str], name: str) -> str:
    """Return the function of a name as somebody wrote it last, without docstring, comments and own layout.

    Empty if it is not there, or too long for a slide.
    """
    found = ""
    for source in code:
        try:
            for node in ast.parse(source).body:
                if isinstance(node, ast.FunctionDef) and node.name == name:
                    found = ast.unparse(without_texts(node))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return found if len(found.splitlines()) <= MAX_LINES else ""
