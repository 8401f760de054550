"""A submission: one handed-in notebook in the form of the released one."""

import hashlib
import json
from dataclasses import dataclass, field

from nbformat import NotebookNode


@dataclass(frozen=True)
class Submission:
    """One student's notebook of one unit, in the shape of the released one."""

    student: str  # id of the student, and of the unit, such as ``"02_scaled_dot_product_attention"``
    unit: str
    origin: str  # where it was found, as the instructor reads it
    content: bytes  # what was handed in, untouched
    # the released notebook with the student's sources in its solution cells and the student's own cells beside them;
    # None where no more is known of the submission than what its mark keeps
    notebook: NotebookNode | None
    code: tuple[str, ...] = ()  # the sources that define the student's functions, in their order
    repairs: tuple[str, ...] = ()  # what had to be repaired, one sentence each; empty for a notebook as it was released
    unreadable: str = ""  # why it could not be read; then the notebook is the released one and there is no code
    timestamp: str = ""  # when it was handed in (ISO 8601, with a time zone), as far as that is known
    # what the page says of notebooks that were refused because they bear another student's name
    notes: tuple[str, ...] = ()
    dated: str = ""  # the date of the file in a zip (ISO 8601, without a time zone), if it came in one
    together: tuple[str, ...] = ()  # the ids of all who hand it in together; empty for somebody who hands in alone
    by: str = ""  # the id of the one of them whose file it is
    runs: tuple[str, ...] = ()  # what a worker runs: the sources without comments, docstrings and layout
    lines: tuple[tuple[int, ...], ...] = ()  # for each line of these, the number of the one where it stood
    bare: str = ""  # a digest of what a worker runs
    # by exercise, what to tell of a function that is not there, as far as the notebook shows why
    absent: dict[str, dict[str, str]] = field(default_factory=dict, hash=False)

    @property
    def hash(self) -> str:
        """SHA-256 (hex) of what decides its verdicts: the student, or the group, the unit and the code."""
        return self._hash(self.code)

    @property
    def drawn_from(self) -> str:
        """SHA-256 (hex) of what its seeds are drawn from: just what a worker runs, so no comment gives another draw."""
        return self._hash(self.bare or self.code)

    def _hash(self, code):
        owner = list(self.together) or self.student
        return hashlib.sha256(json.dumps([owner, self.unit, code, self.unreadable]).encode()).hexdigest()
