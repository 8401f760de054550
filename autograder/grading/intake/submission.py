"""A submission: one handed-in notebook in the form of the released one."""

import hashlib
import json
from dataclasses import dataclass

from nbformat import NotebookNode


@dataclass(frozen=True)
class Submission:
    """One student's notebook of one unit, in the shape of the released one.

    Attributes
    ----------
    student, unit : str
        Id of the student, and of the unit, such as ``"02_scaled_dot_product_attention"``.
    origin : str
        Where it was found, as the instructor reads it.
    content : bytes
        What was handed in, untouched.
    notebook : NotebookNode
        The released notebook with the student's sources in its solution cells and the student's own cells beside them.
    code : tuple of str
        The sources that define the student's functions, in their order: what a worker runs.
    repairs : tuple of str
        What had to be repaired, one sentence each; empty for a notebook as it was released.
    unreadable : str
        Why it could not be read; then the notebook is the released one and there is no code.
    timestamp : str
        When it was handed in (ISO 8601, with a time zone), as far as that is known.
    notes : tuple of str
        What the page says of notebooks that were refused because they bear another student's name.
    dated : str
        The date of the file in a zip (ISO 8601, without a time zone), if it came in one.
    together : tuple of str
        The ids of all who hand it in together; empty for somebody who hands in alone.
    by : str
        The id of the one of them whose file it is.
    """

    student: str
    unit: str
    origin: str
    content: bytes
    notebook: NotebookNode
    code: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    unreadable: str = ""
    timestamp: str = ""
    notes: tuple[str, ...] = ()
    dated: str = ""
    together: tuple[str, ...] = ()
    by: str = ""

    @property
    def hash(self):
        """SHA-256 (hex) of what decides its verdicts: the student, or the group, the unit and the code."""
        whose = list(self.together) or self.student
        return hashlib.sha256(json.dumps([whose, self.unit, self.code, self.unreadable]).encode()).hexdigest()
