"""What the instructor is told of the files that are not simply graded, collected while they are sorted."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from autograder.grading.intake.find.wording import escape_path
from autograder.grading.notes import DECIDED, Note

MAX_PER_SENDER = 50  # sentences on single files of one sender
REFUSED, REMARK = "refused", "remark"

Path = tuple[str, ...]


@dataclass(frozen=True)
class Problem:
    """A sentence, or a few, which say what, why, and what to do."""

    kind: str  # REFUSED: it may be somebody's work, and gets no verdict; REMARK: something was decided or is ignored
    text: str
    path: Path = ()  # of the one file that it is about; empty where it is about more than one
    weight: int = DECIDED  # of a remark; see `Note`
    alike: str = ""


class Problems(list[Problem]):
    """All problems of a folder, in the order in which they were met."""

    def refuse(self, text: str, path: Path = ()) -> None:
        """Add what may be somebody's work but gets no verdict."""
        self.append(Problem(REFUSED, text, path))

    def remark(self, text: str, path: Path = (), weight: int = DECIDED, alike: str = "") -> None:
        """Add what was decided about ids, attempts and files that are ignored or refused; see `Note`."""
        self.append(Problem(REMARK, text, path, weight, alike))

    def texts(self, kind: str, place_of: Callable[[Path], Path]) -> tuple[str, ...]:
        """Return the sentences of one kind; of those on single files of one sender, the first and their number.

        `place_of` returns the place of a file's sender.
        """
        texts: list[str] = []
        count: Counter[Path] = Counter()
        for problem in self:
            if problem.kind == kind:
                place = problem.path and place_of(problem.path)
                count[place] += 1
                if not place or count[place] <= MAX_PER_SENDER:
                    texts.append(Note(problem.text, problem.weight, escape_path(place), problem.alike))
        for place, number in count.items():
            if place and number > MAX_PER_SENDER:
                texts.append(f"{escape_path(place)}: {number - MAX_PER_SENDER} more files in it were refused.")
        return tuple(texts)
