"""The page that a learner gets back: what was found, why, and what to do next; one file that loads no other."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from markupsafe import Markup

from autograder.decisions.counted import given, points_given, unit_of_class
from autograder.decisions.decided import Decisions
from autograder.execution.compare import shortened
from autograder.feedback.report import DIFFERS, EXAMPLE, Line, Report, make_report
from autograder.grading.final import Final
from autograder.grading.intake.find.item import ASK_AGAIN
from autograder.grading.intake.find.zips import IF_TRUSTED
from autograder.grading.intake.read.decoding import ASK
from autograder.grading.intake.submission import Submission
from autograder.grading.pages import frame
from autograder.grading.verdicts.record import Record
from autograder.registry import units
from autograder.specification import Exercise

MAX_STEPS = 3
MAX_REASON_LENGTH = 300
ADVICE, HAND_IN = (ASK, ASK_AGAIN, IF_TRUSTED), "Hand in the .ipynb file that Jupyter saves."


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
    "diagnosed": Kind("not yet right, cause named", step=READ),
    "exception": Kind(
        "stopped by an error",
        "A call of your function ended in a Python error. Below you find which one, and in which line if that is "
        "known.",
        "run its check cell, fix the line that it names, and read the section “{where}” again.",
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
    "disk": Kind(
        "wrote too much",
        "Your code wrote more files, or larger ones, than the folder may hold in which it runs: 64 MiB in all. No "
        "exercise asks for a file.",
        RESTART + "which of your cells write files.",
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
        "that defines it stops with an error, or is missing in the file that came.",
        RESTART + "why the function is not there afterwards. If it is there, hand the file in again.",
    ),
    "not written": Kind("not written yet"),
    "unreadable": Kind("not graded"),
    "internal error": Kind(
        "not decided yet",
        "Something went wrong in the grading itself. This is not your fault, your instructor has been told, and no "
        "points are lost: this exercise will be graded again.",
    ),
    "missing": Kind("not graded yet", "This exercise has not been graded yet. No points are lost."),
}


@dataclass(frozen=True)
class Section:
    """What the page says of one exercise.

    `points` is what counts, None where nothing is decided; `where` is the section of the notebook to read again,
    `by_people` what the instructor has said and given, and `absent` what is known of a function that is not there.
    """

    exercise: Exercise
    status: str
    points: float | None
    report: Report | None = None
    where: str = ""
    by_people: tuple[Line, ...] = ()
    absent: Mapping[str, str] = field(default_factory=dict)

    @property
    def word(self) -> str:
        """The verdict in a word or two."""
        return self.absent.get("word", self.kind.word)

    @property
    def kind(self) -> Kind:
        """The kind of the verdict."""
        return KINDS[self.status]

    @property
    def tone(self) -> str:
        """The class in the style sheet: "good", "bad", or "open" where nothing can be done now."""
        return {"correct": "good"}.get(self.status, "bad" if self.kind.step else "open")

    @property
    def help(self) -> str:
        """A sentence that helps; empty for many kinds."""
        return self.absent.get("help") or self.kind.help.format(name=self.exercise.name)

    @property
    def step(self) -> str:
        """What to do next, and how many points that may bring."""
        step = self.absent.get("step") or self.kind.step.format(where=self.where)
        return f"`{self.exercise.name}` ({_gain(self.lost)}): {step}"

    @property
    def lost(self) -> float:
        """How many points are missing."""
        return max(0, self.exercise.points - (self.points or 0))

    @property
    def score(self) -> str:
        """The points in words."""
        return _score(self.points, self.exercise.points)


def page(
    submission: Submission,
    records: Iterable[Record],
    final: Final | None = None,
    called: Mapping[str, str] | None = None,
    decisions: Decisions | None = None,
) -> str:
    """Return the feedback on one submission as an HTML page.

    Parameters
    ----------
    submission : Submission
    records : iterable of Record
        Those of this submission, in any order; an exercise without one is shown as not graded yet.
    final : Final, optional
        What counts in the end, with what people have given; the judge's points when left out.
    called : dict of str, optional
        By id, how the page calls those who are named on it; by their ids when left out.
    decisions : Decisions, optional
        Of the class.

    Returns
    -------
    str
        Always the same for the same arguments.

    Raises
    ------
    ValueError
        If a record belongs to another submission.
    """
    decisions = decisions or Decisions()
    unit = unit_of_class(decisions, submission.unit)
    sections = sections_of(submission, records, final, decisions)
    answers = final.answers if final else {}
    points = sum(one.points or 0 for one in sections) + sum(one.points or 0 for one in answers.values())
    text = TEMPLATE.render(
        submission=submission,
        call=lambda id: (called or {}).get(id, id),
        unit=unit,
        sections=sections,
        points=final.points if final else points,
        most=unit.points + sum(answer.most for answer in answers.values()),
        answers=[(name, _score(answer.points, answer.most)) for name, answer in answers.items()],
        late=_changed(points, final) if final else "",
        comments=_other_comments(submission, unit, final) if final else [],
        undecided=[section.exercise.name for section in sections if section.points is None]
        + [name for name, answer in answers.items() if answer.points is None],
        handed_in=_date(submission.timestamp),
        steps=_steps(submission, unit, sections),
    )
    return frame.visible(text)


def sections_of(
    submission: Submission, records: Iterable[Record], final: Final | None, decisions: Decisions
) -> list[Section]:
    """Return what there is to say of each exercise that counts; the parameters are those of `page`."""
    found = {}
    for record in records:
        if (record.student, record.unit) != (submission.student, submission.unit):
            raise ValueError(f"a record of {record.student}, {record.unit} on the page of {submission.student}")
        found[record.exercise] = record
    exercises = unit_of_class(decisions, submission.unit).exercises
    return [_section(one, found.get(one.name), final, submission, decisions) for one in exercises]


def _section(exercise, record, final, submission, decisions):
    by_people, points = _by_people(exercise, record, final) if final else ((), record and record.points)
    by_people = (*_given(exercise, record, decisions), *by_people)
    if record is None:
        return Section(exercise, "missing", points, by_people=by_people)
    verdict = record.verdict
    if not record.claims or record.status in ("not defined", "internal error"):  # nothing was called, or is known
        head = exercise.name, verdict.points, exercise.points, verdict.status
        report = Report(*head, notes=(Line("Asked", exercise.asks), *_reason(record)))
    else:
        report = make_report(verdict, record.substituted)
    where = next(iter(report.finding.sections), exercise.where) if report.finding else exercise.where
    absent = submission.absent.get(exercise.name, {}) if record.status == "not defined" else {}
    return Section(exercise, record.status, points, report, where, by_people, absent)


def _given(exercise, record, decisions):
    """Return which claims count for all, since the instructor has decided so."""
    told = given(decisions, exercise) if record and record.points is not None else []
    return tuple(Line("Given to all", f"{points_given(exercise, [one]):g} for “{one.claim}”.") for one in told)


def _by_people(exercise, record, final):
    """Return what people have said and given to an exercise, and the points that count."""
    points = record and record.points
    lines = []
    if exercise.name in final.by_hand:
        in_place = "" if points is None else f", in place of {points:g}"
        points = final.by_hand[exercise.name]
        lines.append(Line("Points by hand", f"{points:g}{in_place}."))
    if extra := final.extra.get(exercise.name):
        points = (points or 0) + extra
        lines.append(Line("Extra points" if extra > 0 else "Points taken off", f"{abs(extra):g}."))
    if comment := final.comments.get(exercise.name):
        lines.append(Line("Comment", comment))
    return tuple(lines), points


def _changed(points, final):
    """Say what counts in place of the sum of the exercises, and why; an empty text where it is that sum."""
    raised = f"{final.raised:g} {'is' if final.raised == 1 else 'are'} added, as for everybody." if final.raised else ""
    late = f"You handed in {final.lateness}." if final.lateness else ""
    changed = f"Your work has {points:g} points." if raised or late else ""
    excused = "You are excused from this unit: it counts nowhere." if final.excused else ""
    return " ".join(filter(None, (changed, raised, late, excused)))


def _other_comments(submission, unit, final):
    """Return what people say beside no exercise, such as comments on answers."""
    names = set() if submission.unreadable else {exercise.name for exercise in unit.exercises}
    return [comment for cell, comment in final.comments.items() if cell not in names]


def _reason(record):
    """Return why there is no function; the note on an internal error is for the instructor."""
    shown = record.status == "not defined" and record.note
    return (Line("Reason", shortened(record.note, MAX_REASON_LENGTH)),) if shown else ()


def _steps(submission, unit, sections):
    """Return the most useful next steps, a few sentences at most."""
    if submission.unreadable:
        return ["Open your notebook in JupyterLab, run its cells, save it, and hand it in again, under your own name."]
    sections = [section for section in sections if section.lost or section.points is None]
    wrong = [section for section in sections if section.kind.step]
    unwritten = [section for section in sections if section.status == "not written"]
    room = MAX_STEPS - bool(unwritten)
    steps = [section.step for section in wrong[:room]]
    if later := wrong[room:]:
        steps.append(f"After that, {_listed(later)}.")
    if unwritten:
        steps.append(f"{_listed(unwritten)}: write what is still open.")
    return steps or [_nothing_left(unit, sections)]


def _listed(sections):
    """Name exercises, and say how many points are to be had."""
    names = ", ".join(f"`{section.exercise.name}`" for section in sections)
    return f"{names} ({_gain(sum(section.lost for section in sections))})"


def _nothing_left(unit, sections):
    if any(section.points is None for section in sections):
        return "Nothing for now: what is not decided yet will be graded again."
    following = next((after for before, after in pairwise(units()) if before.id == unit.id), None)
    return f"Nothing is left to do here. The next unit is “{following.title}”." if following else "You are done."


def _score(points, most):
    return f"up to {_points(most)}" if points is None else f"{_points(points)} of {_points(most)}"


def _gain(points):
    return f"{points:g} point{'' if points == 1 else 's'} to gain"


def _name(exercise_name):
    """Set a name as code that may be broken after an underscore."""
    return Markup("<code>{}</code>").format(Markup("_<wbr>").join(exercise_name.split("_")))


def _points(number):
    return f"{number:g}"


def _date(timestamp):
    """Write an ISO date and time for a reader; any other text stays as it is."""
    try:
        moment = datetime.fromisoformat(timestamp)
    except ValueError:
        return timestamp
    return f"{moment.day} {moment:%B %Y, %H:%M} {moment.tzname() or ''}".strip()


def _to_its_sender(reason):
    """Have the reason why a file was refused end in what its sender can do, not in what the instructor can."""
    for advice in ADVICE:
        reason = reason.replace(advice, HAND_IN)
    return reason


STYLE = frame.style_sheet("page.css")
FILTERS = {"name": _name, "points": _points, "to_its_sender": _to_its_sender}
TEMPLATE = frame.template("page.html", STYLE, FILTERS, EXAMPLE=EXAMPLE, DIFFERS=DIFFERS)
