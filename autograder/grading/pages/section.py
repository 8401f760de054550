"""What a learner's page says of one exercise: the verdict in words, the report, and what the instructor has given."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from autograder.decisions.counted import given, points_given, unit_of_class
from autograder.decisions.decided import Decisions
from autograder.execution.describe import shortened
from autograder.feedback.make_report import make_report
from autograder.feedback.report import Line, Report
from autograder.grading.final import Final
from autograder.grading.intake.submission import Submission
from autograder.grading.verdicts.record import Record
from autograder.specification import Exercise

MAX_REASON_LENGTH = 300


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
        return f"`{self.exercise.name}` ({gain(self.lost)}): {step}"

    @property
    def lost(self) -> float:
        """How many points are missing."""
        return max(0, self.exercise.points - (self.points or 0))

    @property
    def score(self) -> str:
        """The points in words."""
        return score(self.points, self.exercise.points)


def sections_of(
    submission: Submission, records: Iterable[Record], final: Final | None, decisions: Decisions
) -> list[Section]:
    """Return what there is to say of each exercise that counts.

    Parameters
    ----------
    submission : Submission
    records : iterable of Record
        Those of this submission, in any order.
    final : Final or None
        What counts in the end; None where that is what the judge gave.
    decisions : Decisions

    Returns
    -------
    list of Section

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
    exercises = unit_of_class(decisions, submission.unit).exercises
    return [_section(one, found.get(one.name), final, submission, decisions) for one in exercises]


def _section(exercise, record, final, submission, decisions):
    points = record.points if record else None
    by_people = _given(exercise, record, decisions)
    if final:
        told, points = _by_people(exercise, points, final)
        by_people = (*by_people, *told)
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


def _by_people(exercise, points, final):
    """Return what people have said and given to an exercise, and the points that count in place of the judge's."""
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


def _reason(record):
    """Return why there is no function; the note on an internal error is for the instructor."""
    shown = record.status == "not defined" and record.note
    return (Line("Reason", shortened(record.note, MAX_REASON_LENGTH)),) if shown else ()


def score(points: float | None, most: float) -> str:
    """Write points out of those that are possible, such as "3 of 4", or "up to 4" where they are not known yet."""
    return f"up to {in_words(most)}" if points is None else f"{in_words(points)} of {in_words(most)}"


def gain(points: float) -> str:
    """Say how many points are still to be had."""
    return f"{points:g} point{'' if points == 1 else 's'} to gain"


def in_words(number: float) -> str:
    """Write a number of points without needless decimals."""
    return f"{number:g}"
