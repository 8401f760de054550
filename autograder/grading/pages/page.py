"""The page that a learner gets back: what was found, why, and what to do next; one file that loads nothing."""

import base64
import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from autograder.compare import shortened
from autograder.exercise import Exercise
from autograder.exercises import units
from autograder.feedback import BADGES, Line, escaped, lines

HERE = Path(__file__).parent
STYLE = (HERE / "page.css").read_text(encoding="utf-8")
STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; form-action 'none'"
# Control characters, some of which turn the direction of the text around them, and halves of characters.
UNPRINTABLE = re.compile(
    r"[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
MOST_STEPS = 3
LONGEST_REASON = 300


@dataclass(frozen=True)
class Kind:
    """A kind of verdict: its word in the overview, a sentence that helps, and what to do next."""

    word: str
    help: str = ""
    step: str = ""


READ = "read the section “{where}” again, change your function, and run its check cell."
RESTART = "in JupyterLab choose Kernel > Restart Kernel and Run All Cells, and see "
KINDS = {
    "correct": Kind("passed"),
    "wrong": Kind("not yet right", step=READ),
    "diagnosed": Kind("not yet right, cause known", step=READ),
    "exception": Kind(
        "stopped by an error",
        "A call of your function ended in an error of Python. Below stands which one it was, and in which line as far "
        "as that is known.",
        "run its check cell, mend the line that it names, and read the section “{where}” again.",
    ),
    "timeout": Kind(
        "took too long",
        "A call of your function did not come back in time and was stopped. Look for a loop that never ends, and try "
        "your function on a very small input first.",
        "find the loop that never ends. The numbers in the section “{where}” are small enough to follow it by hand.",
    ),
    "memory": Kind(
        "needed too much memory",
        "Your function asked for more memory than there is. Often an array has one axis too many, or is repeated "
        "where broadcasting would do.",
        "print the shapes of the arrays in it: one of them is far larger than what the section “{where}” asks for.",
    ),
    "killed": Kind(
        "ended without an answer",
        "The process that ran your code ended before it could answer. Calls that end Python, such as `exit()`, do "
        "that, and so does a recursion without end.",
        RESTART + "what your function does to the kernel.",
    ),
    "not defined": Kind(
        "not found",
        "After your cells had run there was no function named `{name}`. Either it has another name now, or the cell "
        "that defines it was deleted or stops with an error.",
        RESTART + "why the function is not there afterwards.",
    ),
    "not written": Kind("not written yet"),
    "unreadable": Kind("not read"),
    "internal error": Kind(
        "not decided yet",
        "Something went wrong in the grading itself. This is not your fault, your instructor has been told, and no "
        "points are lost: this exercise will be graded again.",
    ),
    "missing": Kind("not graded yet", "This exercise has not been graded yet. No points are lost."),
}


@dataclass(frozen=True)
class Claim:
    """One claim: its line of the report, and the lines below it."""

    line: Line
    details: tuple[Line, ...]


@dataclass(frozen=True)
class Section:
    """What the page says of one exercise; `points` is None where nothing is decided."""

    exercise: Exercise
    status: str
    points: float | None
    before: tuple[Line, ...] = ()
    claims: tuple[Claim, ...] = ()
    after: tuple[Line, ...] = ()
    where: str = ""

    @property
    def kind(self):
        return KINDS[self.status]

    @property
    def tone(self):
        return {"correct": "good"}.get(self.status, "bad" if self.kind.step else "open")

    @property
    def help(self):
        return self.kind.help.format(name=self.exercise.name)

    @property
    def step(self):
        told = self.kind.step.format(where=self.where)
        return f"`{self.exercise.name}` ({_gain(self.lost)}): {told}"

    @property
    def lost(self):
        return self.exercise.points - (self.points or 0)

    @property
    def score(self):
        most = _points(self.exercise.points)
        return f"up to {most}" if self.points is None else f"{_points(self.points)} of {most}"


def page(submission, records):
    """Return the feedback on one submission as an HTML page.

    Parameters
    ----------
    submission : Submission
    records : iterable of Record
        Those of this submission, in any order; an exercise without one is told to be open.

    Returns
    -------
    str
        The same for the same arguments, always.

    Raises
    ------
    ValueError
        If a record belongs to another submission.
    """
    found = {}
    for record in records:
        if (record.student, record.unit) != (submission.student, submission.unit):
            raise ValueError(f"a record of {record.student}, {record.unit} on the page of {submission.student}")
        found[record.exercise] = record
    unit = next(unit for unit in units() if unit.id == submission.unit)
    sections = [_section(exercise, found.get(exercise.name)) for exercise in unit.exercises]
    text = TEMPLATE.render(
        submission=submission,
        unit=unit,
        sections=sections,
        points=sum(section.points or 0 for section in sections),
        undecided=[section for section in sections if section.points is None],
        handed_in=_date(submission.timestamp),
        steps=_steps(submission, unit, sections),
        style=Markup(STYLE),
        policy=POLICY,
    )
    return UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def _section(exercise, record):
    if record is None:
        return Section(exercise, "missing", None, where=exercise.where)
    verdict = record.verdict
    before, claims, after = [], [], []
    for line in lines(verdict, record.lent):
        if line.label in BADGES:
            claims.append((line, []))
        elif line.indented:
            claims[-1][1].append(line)
        else:
            (after if claims else before).append(line)
    if record.status in ("not defined", "internal error"):  # nothing was called, or nothing is known
        before, claims, after = before[:1], [], []
    if record.status == "not defined" and record.note:
        after = [Line("Reason", shortened(record.note, LONGEST_REASON))]
    failed = next((result.mistake for result in verdict.results if result.mistake), None)
    cause = verdict.mistake or failed
    return Section(
        exercise,
        record.status,
        record.points,
        tuple(before),
        tuple(Claim(line, tuple(details)) for line, details in claims),
        tuple(after),
        cause.where if cause else exercise.where,
    )


def _steps(submission, unit, sections):
    """Return what is most useful to do next, in at most a few sentences."""
    if submission.unreadable:
        return ["Open your notebook in JupyterLab, run all its cells, save it, and hand in that very file again."]
    steps = [section.step for section in sections if section.kind.step]
    unwritten = [section for section in sections if section.status == "not written"]
    if unwritten:
        names = ", ".join(f"`{section.exercise.name}`" for section in unwritten)
        gain = _gain(sum(section.lost for section in unwritten))
        steps[MOST_STEPS - 1 :] = [f"{names} ({gain}): write what is still open."]
    return steps[:MOST_STEPS] or [_nothing_left(unit, sections)]


def _nothing_left(unit, sections):
    if any(section.points is None for section in sections):
        return "Nothing for now: what is not decided yet will be graded again."
    following = next((after for before, after in pairwise(units()) if before is unit), None)
    return f"Nothing is left to do here. The next unit is “{following.title}”." if following else "You are done."


def _gain(points):
    return f"{points:g} point{'' if points == 1 else 's'} to gain"


def _name(exercise_name):
    """Set a name as code that may be broken after an underscore."""
    return Markup("<code>{}</code>").format(Markup("_<wbr>").join(exercise_name.split("_")))


def _points(number):
    return f"{number:g}"


def _date(timestamp):
    """Write an ISO date and time for a reader; what is none of these stays as it is."""
    try:
        moment = datetime.fromisoformat(timestamp)
    except ValueError:
        return timestamp
    return f"{moment.day} {moment:%B %Y, %H:%M} {moment.tzname() or ''}".strip()


ENVIRONMENT = Environment(
    loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)
ENVIRONMENT.filters |= {"code": lambda text: Markup(escaped(text)), "name": _name, "points": _points}
ENVIRONMENT.globals["MARKED"] = ("Example", "Likely cause")
TEMPLATE = ENVIRONMENT.get_template("page.html")
