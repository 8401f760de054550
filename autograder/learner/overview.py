"""How far a learner has come, unit by unit."""

import math
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from autograder.decisions.counted import unit_of_class
from autograder.decisions.here import decided_here
from autograder.learner import files, progress_file
from autograder.learner.local import evaluate_locally
from autograder.registry import find, reference, units
from autograder.specification import Unit
from autograder.times import moment
from transformer_kit.library import import_library


@dataclass(frozen=True)
class UnitProgress:
    """One unit: what is done and what is left.

    `open` names the exercises without all points, `read_again` the sections that belong to mistakes not yet overcome,
    `hints` counts the hints that were opened, `solutions` names the exercises whose solution was, and `due` says when
    it is due in the class. The points are those of the class, and so is what counts.
    """

    unit: Unit
    points: float
    open: tuple[str, ...]
    met: int
    overcome: int
    questions: int
    read_again: tuple[str, ...]
    hints: int
    solutions: tuple[str, ...]
    due: str = ""

    @property
    def minutes_left(self) -> tuple[int, int]:
        """The unit's time, least and most, by the share of its points that are open, in steps of five minutes."""
        open_share = 1 - self.points / self.unit.points
        least, most = (5 * math.ceil(minutes * open_share / 5) for minutes in self.unit.minutes)
        return least, most

    @property
    def touched(self) -> bool:
        return bool(self.points or self.met or self.questions or self.hints)


def survey(folder: Path | None) -> tuple[tuple[UnitProgress, ...], str]:
    """Read the progress of a library.

    A function of the library that the progress does not know to be right, as when the file was lost, is checked.

    Parameters
    ----------
    folder : Path

    Returns
    -------
    found : tuple of UnitProgress
        One for every unit of the class, in the order of the course.
    notice : str
        What became of a damaged progress file, or why nothing was noted, as a sentence; otherwise empty.
    """
    progress = progress_file.Progress()
    notice = ""
    if folder and folder.is_dir():
        progress = _read_progress(folder)
        right = _newly_right(folder, progress)  # may take long, so other notebooks are not kept waiting meanwhile
        try:
            with files.writing(folder):
                progress, notice = progress_file.read(folder)
                _give_points(progress, right)
                if right:
                    progress_file.write(folder, progress)
        except files.CannotWrite as error:
            _give_points(progress, right)
            notice = f"{error} So nothing new is noted."
    chosen = decided_here().units
    return tuple(_of_unit(unit, progress) for unit in units() if unit.id in chosen or not chosen), notice


def _read_progress(folder):
    """Return the progress of a folder without changing anything there; an empty one where it cannot be read."""
    try:
        return progress_file.parse((folder / progress_file.NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return progress_file.Progress()


def _newly_right(folder, progress):
    """Return the exercises whose functions in the library pass, and for which not all points are known."""
    library = import_library(folder, reference())
    right = []
    for exercise in (exercise for unit in units() for exercise in unit.exercises):
        entry = library.find(exercise.name)
        best = progress.exercises.get(exercise.name, progress_file.Entry()).best
        unknown = entry and entry.function and best < exercise.points
        if unknown and evaluate_locally(exercise, entry.function)[0].status == "passed":
            right.append(exercise)
    return right


def _give_points(progress, exercises):
    for exercise in exercises:
        progress.of(exercise.name).best = float(exercise.points)


def _of_unit(of_course, progress):
    decisions = decided_here()
    unit, due = unit_of_class(decisions, of_course.id), decisions.of(of_course.id).due
    zone = decisions.of(of_course.id).zone
    share = {exercise.name: find(exercise.name).points for exercise in unit.exercises}
    entries = {e: progress.exercises.get(e.name, progress_file.Entry()) for e in unit.exercises}
    mistakes_made = [(e, m, entry) for e, entry in entries.items() for m in e.mistakes if m.id in entry.mistakes]
    again = [mistake.where for _, mistake, entry in mistakes_made if mistake.id not in entry.overcome]
    return UnitProgress(
        unit,
        points=sum(e.points * min(entry.best / share[e.name], 1) for e, entry in entries.items()),
        open=tuple(exercise.name for exercise, entry in entries.items() if entry.best < share[exercise.name]),
        met=len(mistakes_made),
        overcome=len(mistakes_made) - len(again),
        questions=sum(progress.questions.get(question.id, False) for question in unit.questions),
        read_again=tuple(dict.fromkeys(again)),
        hints=sum(entry.hints for entry in entries.values()),
        solutions=tuple(exercise.name for exercise, entry in entries.items() if entry.solution),
        due=moment(due.replace(tzinfo=UTC).astimezone(zone)) if due else "",
    )
