"""Reads what a learner has handed in, in an isolated process: nothing in it can stop or stall the class."""

import base64

import nbformat

from autograder.grading.intake.find.item import Refused
from autograder.grading.intake.handed_in import TAKEN_OVER, HandedIn
from autograder.grading.intake.skeleton import skeleton
from autograder.grading.intake.submission import Submission
from autograder.grading.isolation.client import NoAnswer, ask

SECONDS = 5  # of processor time, for one notebook


def submission_of(handed_in: HandedIn) -> Submission:
    """Return what `handed_in.take_in()` returns; where that does not end well, a submission that says so.

    Raises
    ------
    NoSkeleton
        If the course itself is incomplete.
    """
    form = skeleton(handed_in.unit, handed_in.root)
    fields = vars(handed_in) | {"root": str(handed_in.root), "rivals": ()}
    content = fields.pop("content")
    try:
        answer = ask("read", [handed_in.unit, fields["root"]], ["submission", _text(content), fields], SECONDS)
    except NoAnswer as error:
        taken_over = {name: vars(handed_in)[name] for name in TAKEN_OVER}
        return Submission(**taken_over, notebook=form, repairs=handed_in.before, unreadable=_unreadable(error))
    answer |= {name: tuple(answer[name]) for name in ("code", "runs", "repairs", "notes", "together")}
    answer["lines"] = tuple(map(tuple, answer["lines"]))
    answer["notebook"] = nbformat.from_dict(answer["notebook"])
    return Submission(**answer, content=content)


def unit_in(content: bytes) -> str:
    """Return the id of the unit that a notebook belongs to, judging by its content; empty if it belongs to none.

    Raises
    ------
    Refused
        If it cannot be read in time.
    """
    try:
        return ask("read", [], ["unit", _text(content)], SECONDS)
    except NoAnswer as error:
        raise Refused(_unreadable(error)) from None


def unit_against(content: bytes, named: str) -> str:
    """Return the id of another unit than the named one, where the cells of a notebook clearly are of that; else none.

    Where it cannot be read in time, its name decides.
    """
    try:
        return ask("read", [], ["another unit", _text(content), named], SECONDS)
    except NoAnswer:
        return ""


def why_unreadable(content: bytes) -> str:
    """Return why a notebook cannot be read; empty if it can."""
    try:
        return ask("read", [], ["unreadable", _text(content)], SECONDS)
    except NoAnswer as error:
        return _unreadable(error)


def _text(content):
    return base64.b64encode(content).decode()  # JSON knows only text, and escapes all but the plainest


def _unreadable(error):
    return f"It cannot be read ({error}). Ask for the notebook with its outputs cleared."
