"""What the instructor is told of the files that are not simply graded, collected while they are sorted."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from autograder.grading.intake.find.wording import escape_path

MAX_PER_SENDER = 50  # sentences on the files of one sender

Path = tuple[str, ...]


class Kind(Enum):
    """What became of the files that a problem is about."""

    REFUSED = "may be somebody's work, and gets no verdict"
    REMARK = "was decided, or is ignored"


@dataclass(frozen=True)
class Problem:
    """One sentence, or a few, which say what, why, and what to do."""

    kind: Kind
    text: str
    path: Path = ()  # of the one file that it is about; empty where it is about more than one


class Problems(list):
    """All problems of a folder, in the order in which they were met."""

    def refuse(self, text: str, path: Path = ()) -> None:
        """Add what may be somebody's work but gets no verdict."""
        self.append(Problem(Kind.REFUSED, text, path))

    def remark(self, text: str, path: Path = ()) -> None:
        """Add what was decided about ids, attempts and files that are ignored or refused."""
        self.append(Problem(Kind.REMARK, text, path))

    def texts(self, kind: Kind, sender_of: Callable[[Path], Path]) -> tuple[str, ...]:
        """Return the sentences of one kind; `sender_of` gives the place of a file's sender."""
        return tuple(_limit_per_sender([one for one in self if one.kind is kind], sender_of))


def _limit_per_sender(problems: list[Problem], sender_of: Callable[[Path], Path]) -> Iterator[str]:
    """Yield the first sentences on single files of each sender, and how many more there are; and all others."""
    count: Counter[Path] = Counter()
    for one in problems:
        sender = one.path and sender_of(one.path)
        count[sender] += 1
        if not sender or count[sender] <= MAX_PER_SENDER:
            yield one.text
    for sender, number in count.items():
        if sender and number > MAX_PER_SENDER:
            yield f"{escape_path(sender)}: {number - MAX_PER_SENDER} more files in it were refused."
