"""The data types of a question: what is right, and what every answer is told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Reply:
    """What the learner is told: right, wrong, or not answered (None), and why."""

    right: bool | None
    text: str


@dataclass(frozen=True)
class Choice:
    """A question with lettered choices: `replies` meets each wrong one, and everybody who answers is told `reason`."""

    id: str
    right: str
    replies: Mapping[str, str]
    reason: str

    @property
    def letters(self) -> list[str]:
        """All choices, in order."""
        return sorted([self.right, *self.replies])

    def reply(self, answer: Any) -> Reply:
        """Say whether a letter, in upper or lower case, is the right one, and why."""
        letters = ", ".join(self.letters)
        if answer is None:
            return Reply(None, f"Not answered yet. Set `answer` to one of {letters}, then run the cell.")
        letter = str(answer).strip().upper()
        if letter == self.right:
            return Reply(True, self.reason)
        if letter not in self.replies:
            return Reply(None, f"Expected one of the letters {letters}, got {answer!r}.")
        return Reply(False, f"{self.replies[letter]} {self.reason}")


@dataclass(frozen=True)
class Numbers:
    """A question whose answer is a number or an array of numbers.

    `right()` computes the answer, `tolerance` is absolute, `reason` is told with the right answer, and
    `wrong` pairs the wrong answers that people give with what to say to them.
    """

    id: str
    right: Callable
    tolerance: float
    reason: str
    wrong: tuple[tuple[Any, str], ...] = ()

    def reply(self, answer: Any) -> Reply:
        """Say whether a number, or an array of the right shape, is near enough to the right one, and why."""
        right = np.asarray(self.right(), dtype=float)
        shape = _form(right.shape)
        if answer is None:
            return Reply(None, f"Not answered yet. Set `answer` to {shape}, then run the cell.")
        try:
            given = np.asarray(answer, dtype=float)
        except (TypeError, ValueError):
            return Reply(None, f"Expected {shape}, got {answer!r}.")
        if given.shape != right.shape:
            return Reply(False, f"Expected {shape}, got {_form(given.shape)}.")
        if np.allclose(given, right, rtol=0, atol=self.tolerance):
            return Reply(True, self.reason)
        for value, text in self.wrong:
            if np.allclose(given, value, rtol=0, atol=self.tolerance):
                return Reply(False, text)
        if not right.ndim:
            return Reply(False, f"{answer} is not it yet.")
        count = int((np.abs(given - right) > self.tolerance).sum())
        return Reply(False, f"{count} of the {right.size} numbers {'is' if count == 1 else 'are'} not right yet.")


Question = Choice | Numbers


def _form(shape):
    """Say what an answer of this shape looks like when it is typed in."""
    if not shape:
        return "a number"
    if len(shape) == 1:
        return f"a list of {shape[0]} numbers"
    if len(shape) == 2:
        return f"a list of {shape[0]} rows with {shape[1]} numbers each"
    return f"an array of shape {shape}"
