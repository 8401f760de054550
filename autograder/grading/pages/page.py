"""The page that a learner gets back: what was found, why, and what to do next; one file that loads no other."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import pairwise

from markupsafe import Markup

from autograder.decisions.counted import unit_of_class
from autograder.decisions.decided import Decisions
from autograder.feedback.report import DIFFERS, EXAMPLE
from autograder.grading.final import Final
from autograder.grading.intake.find.item import ASK_AGAIN
from autograder.grading.intake.find.zips import IF_TRUSTED
from autograder.grading.intake.read.decoding import ASK
from autograder.grading.intake.submission import Submission
from autograder.grading.pages import frame
from autograder.grading.pages.section import gain, in_words, score, sections_of
from autograder.grading.verdicts.record import Record
from autograder.registry import units

MAX_STEPS = 3
ADVICE, HAND_IN = (ASK, ASK_AGAIN, IF_TRUSTED), "Hand in the .ipynb file that Jupyter saves."


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
        answers=[(name, score(answer.points, answer.most)) for name, answer in answers.items()],
        late=_changed(points, final) if final else "",
        comments=_other_comments(submission, unit, final) if final else [],
        undecided=[section.exercise.name for section in sections if section.points is None]
        + [name for name, answer in answers.items() if answer.points is None],
        handed_in=_date(submission.timestamp),
        steps=_steps(submission, unit, sections),
    )
    return frame.visible(text)


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
    return f"{names} ({gain(sum(section.lost for section in sections))})"


def _nothing_left(unit, sections):
    if any(section.points is None for section in sections):
        return "Nothing for now: what is not decided yet will be graded again."
    following = next((after for before, after in pairwise(units()) if before.id == unit.id), None)
    return f"Nothing is left to do here. The next unit is “{following.title}”." if following else "You are done."


def _name(exercise_name):
    """Set a name as code that may be broken after an underscore."""
    return Markup("<code>{}</code>").format(Markup("_<wbr>").join(exercise_name.split("_")))


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
FILTERS = {"name": _name, "points": in_words, "to_its_sender": _to_its_sender}
TEMPLATE = frame.template("page.html", STYLE, FILTERS, EXAMPLE=EXAMPLE, DIFFERS=DIFFERS)
