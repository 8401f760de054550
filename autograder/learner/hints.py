"""Hints open one by one, by themselves when somebody is stuck; after the last one the solution can be seen."""

import json
from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Any

from autograder import solutions
from autograder.decisions.here import why_no_hints
from autograder.feedback.report import Line
from autograder.learner import files, progress_file
from autograder.learner.belonging import belonging
from autograder.own import HINTS, own_folder
from autograder.registry import course, find, unit_of
from transformer_kit import workbench

MIN_FAILURES = 3  # in a row with the same cause, before a hint is offered
_unsaved = progress_file.Progress()  # what was opened where nothing can be saved


class Help:
    """A hint or a solution; displays itself as Markdown, with its formulas."""

    def __init__(self, markdown: str) -> None:
        self.markdown = markdown

    def __repr__(self):
        return self.markdown

    def _repr_markdown_(self):
        return self.markdown


@cache
def hints_of(name: str) -> tuple[dict[str, str], ...]:
    """Return the hints of an exercise, each with `title` and `text`; none where the course has none."""
    unit = unit_of(find(name))
    of_course = resources.files(course().package) / "hints" / f"{unit.id}.json"
    files = [of_course, *([folder / unit.id / HINTS] if (folder := own_folder()) else [])]
    kept = [json.loads(file.read_text(encoding="utf-8")) for file in files if file.is_file()]
    return tuple(hint for hints in kept for hint in hints.get(name, ()))


def offered(name: str, entry: progress_file.Entry, named: str = "") -> list[Line]:
    """Open a hint for somebody who has failed often enough with the same cause: one on what is wrong, if that is known.

    Parameters
    ----------
    name : str
        Of the exercise.
    entry : Entry
        What is known of it; the hint is noted there.
    named : str
        What the report names as wrong, a mistake or a line; where it is empty, the next hint is opened.

    Returns
    -------
    list of Line
        For the report; empty when no hint is due.
    """
    hints = hints_of(name)
    if entry.stuck < MIN_FAILURES or not hints or _closed(name):
        return []
    closed = {number: _text(hint) for number, hint in enumerate(hints) if number not in entry.open_hints}
    if not closed:
        return [
            Line("Hints", f'all {len(hints)} are open. `autograder.solution("{name}")` shows how the course does it.')
        ]
    number = belonging(closed, named) if named else min(closed)
    if number is None:  # a hint on what is right would only mislead
        return [Line("Hints", f'`autograder.hint("{name}")` opens one of the {len(closed)} on other steps.')]
    entry.open_hint(number)
    return [Line(f"Hint {number + 1} of {len(hints)}", " ".join(closed[number].split()))]


def hint(exercise: Callable[..., Any] | str) -> Help:
    """Open the next hint of an exercise; when all are open, show them together.

    Parameters
    ----------
    exercise : callable or str
        Your function, or its name.

    Returns
    -------
    Help
    """
    name = _name(exercise)
    hints = hints_of(name)
    if why := _closed(name):
        return Help(why)

    def opened(entry):
        closed = [number for number in range(len(hints)) if number not in entry.open_hints]
        for number in closed[:1]:
            entry.open_hint(number)
        shown = closed[:1] or range(len(hints))
        parts = [f"**Hint {number + 1} of {len(hints)}.** {_text(hints[number])}" for number in shown]
        if len(closed) <= 1:
            parts.append(f'These are all hints. `solution("{name}")` shows how the course writes `{name}`.')
        return "\n\n".join(parts)

    return _noted(name, opened)


def solution(exercise: Callable[..., Any] | str) -> Help:
    """Show how the course writes a function, once all its hints are open.

    Parameters
    ----------
    exercise : callable or str
        Your function, or its name.

    Returns
    -------
    Help
    """
    name = _name(exercise)
    n_hints = len(hints_of(name))
    if why := _closed(name):
        return Help(why)

    def shown(entry):
        if entry.hints < n_hints:
            left = ", ".join(str(number + 1) for number in range(n_hints) if number not in entry.open_hints)
            return f'Hints that are not open yet: {left}. Each call of `hint("{name}")` opens the next one.'
        try:
            source = solutions.shown(name)
        except solutions.NotShown as why:
            return str(why)
        entry.solution = True
        return f"```python\n{source}```"

    return _noted(name, shown)


def _closed(name):
    """Say why the class has no hints on an exercise now; an empty text where it has."""
    return why_no_hints(unit_of(find(name)).id)


def _noted(name, change):
    """Change the entry of an exercise, and save that where it is possible."""
    folder = workbench.place().folder
    if folder is None:
        return Help(change(_unsaved.of(name)))
    try:
        with files.writing(folder):
            progress, notice = progress_file.read(folder)
            text = change(progress.of(name))
            progress_file.write(folder, progress)
        return Help(f"{text}\n\n{notice}".strip())
    except files.CannotWrite as error:
        return Help(f"{change(_unsaved.of(name))}\n\nThis could not be noted: {error}")


def _name(exercise):
    return find(exercise if isinstance(exercise, str) else getattr(exercise, "__name__", repr(exercise))).name


def _text(hint):
    """Join the title of a hint, as a sentence, and its text."""
    title = hint["title"][:1].upper() + hint["title"][1:]
    return f"{title}{'' if title[-1:] in '.?!' else '.'}\n\n{hint['text']}"
