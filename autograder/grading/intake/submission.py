"""What intake makes of one handed-in notebook."""

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
        Where it was found, in words for the instructor.
    content : bytes
        What was handed in, untouched.
    notebook : NotebookNode
        The released notebook with the student's sources in its solution cells and the student's own cells beside them.
    code : tuple of str
        The sources that define the student's functions, in their order: what a worker runs.
    repairs : tuple of str
        What had to be mended, one sentence each; empty for a notebook as it was released.
    unreadable : str
        Why nothing could be made of it; then the notebook is the released one and there is no code.
    timestamp : str
        When it was handed in (ISO 8601, with a time zone), as far as that is known.
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

    @property
    def hash(self):
        """SHA-256 (hex) of what decides its verdicts: whose it is, of which unit, and the code."""
        return hashlib.sha256(json.dumps([self.student, self.unit, self.code, self.unreadable]).encode()).hexdigest()
