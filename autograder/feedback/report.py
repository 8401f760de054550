"""What a report says, as a tree: the points, what is wrong, a small example, the claims one by one, and the details.

`autograder.feedback.text` and `autograder.feedback.html` print it in this order, and so does the page that a learner
gets back. The details are folded, and what stands before them is short.
"""

from dataclasses import dataclass

from autograder.evaluation.example import Example
from autograder.feedback.finding import Finding

MARKS = {True: "PASS", False: "FAIL", None: "NOT YET"}
REPLIES = {True: "RIGHT.", False: "NOT QUITE.", None: "OPEN."}
EXAMPLE, DIFFERS = "A small call:", "≠ "
SAME, ONE_OF_TWO = "same cause", "one of these causes"  # for which a claim fails


@dataclass(frozen=True)
class Line:
    """A label such as "Came back", and its text."""

    label: str
    text: str


@dataclass(frozen=True)
class ClaimReport:
    """One claim: whether it holds (None: not judged), its name, its points, a remark, and the details of a failure."""

    passed: bool | None
    name: str
    points: str
    remark: str = ""
    details: tuple[Line, ...] = ()

    @property
    def mark(self) -> str:
        return MARKS[self.passed]


@dataclass(frozen=True)
class Report:
    """What is said about one function; `status` is that of its `Verdict`.

    `tally` sums up the claims. `lists_claims`: there is room for the list of them; otherwise it opens the details.
    """

    name: str
    points: float
    max_points: float
    status: str
    finding: Finding | None = None
    example: Example | None = None
    tally: str = ""
    claims: tuple[ClaimReport, ...] = ()
    lists_claims: bool = False
    notes: tuple[Line, ...] = ()
    details: tuple[Line, ...] = ()

    @property
    def score(self) -> str:
        words = {"passed": ", visible checks passed", "not written": ", not written yet"}
        return f"{self.points:g} of {self.max_points:g} points{words.get(self.status, '')}"
