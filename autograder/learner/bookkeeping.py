"""What happens after a check or an answer: it is noted, what passed is kept, and a hint may be offered.

Whatever goes wrong here becomes one line of the report; the points stay.
"""

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.evaluation.evaluate import Verdict
from autograder.feedback.report import Line
from autograder.learner import files, progress_file
from autograder.learner.hints import offered
from autograder.learner.keep import keep
from autograder.learner.source import CannotKeep
from autograder.questions import Question, Reply
from transformer_kit import workbench


def after_check(function: Callable[..., Any], verdict: Verdict, where: str = "") -> tuple[Line, ...]:
    """Note a check, and keep the function if it has all points.

    Parameters
    ----------
    function : callable
    verdict : Verdict
    where : str
        What the report says of the line that goes wrong, where that is known.

    Returns
    -------
    tuple of Line
        For the report; none where there is no library.
    """
    if verdict.status == "not written":
        return ()
    folder, problem = _folder()
    if folder and function is verdict.exercise.reference:
        folder = None
        problem = "this is the course's own function."
    if folder is None:
        return (Line("Not kept", problem),) if problem and verdict.status == "passed" else ()

    def note(progress):
        entry = progress.of(verdict.exercise.name)
        progress_file.note_check(entry, verdict)
        if verdict.status == "passed":
            yield _kept(folder, verdict.exercise.name, function, entry)
        else:
            yield from offered(verdict.exercise.name, entry, _named(verdict, where))

    return _changed(folder, note)


def _named(verdict, where):
    """Return what the report names as wrong: its mistakes with their reasons, or the code of a line."""
    if verdict.cause:
        return " ".join(f"{mistake.name} {mistake.why}" for mistake in verdict.cause.mistakes)
    return " ".join(re.findall(r"`([^`]*)`", where))


def after_answer(question: Question, reply: Reply) -> tuple[Line, ...]:
    """Note the answer to a question; return lines as `after_check` does."""
    folder, _ = _folder()
    if folder is None or reply.right is None:
        return ()

    def note(progress):
        progress.questions[question.id] = reply.right
        yield from ()

    return _changed(folder, note)


def _folder():
    """Return the folder to write to, or None and the reason, where that is worth saying."""
    location = workbench.place()
    if location.folder and Path(workbench.START_PAGE).exists():
        return None, "this page is for trying things out. A check in a unit's notebook keeps what passes."
    return location.folder, location.problem


def _changed(folder, note):
    """Change the progress of a folder; return the lines that `note` yields, and one on what went wrong."""
    lines = []
    try:
        with warnings.catch_warnings(), files.writing(folder):
            warnings.simplefilter("ignore")
            progress, notice = progress_file.read(folder)
            lines += [Line("Progress", notice)] if notice else []
            lines += note(progress)
            progress_file.write(folder, progress)
    except files.CannotWrite as error:
        lines.append(Line("Not kept", f"{error} Your points are the same."))
    except Exception as error:  # it is not the learner's fault
        problem = f"the library failed with {type(error).__name__}: {error}. Your points are the same."
        lines.append(Line("Not kept", problem))
    return tuple(lines)


def _kept(folder, name, function, entry):
    if Path(getattr(getattr(function, "__code__", None), "co_filename", "")).parent == folder:
        return Line("Kept", f"in {folder.name} already: this is your function from there.")
    try:
        return Line("Kept", keep(folder, name, function, entry))
    except CannotKeep as error:
        return Line("Not kept", str(error))
