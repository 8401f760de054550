"""Whether the gradebook says what the verdicts say; an older copy that was put back, or a lost row, is mended.

Points of the judge stand in the records as well, so they are entered again. What people have given stands in the
gradebook alone: see `autograder.grading.given`.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from nbgrader.utils import parse_utc

from autograder.grading.entry import Entry
from autograder.grading.gradebook import ClassGradebook
from autograder.grading.intake.submission import Submission
from autograder.grading.notes import COSTS, Note
from autograder.grading.verdicts.record import Record
from autograder.grading.verdicts.store import Store, hash_of

Committed = list[tuple[Submission, list[Record]]]
Key = tuple[str, str]  # a student and a unit
NOTHING = Entry(None, {}, {})


def is_older(store: Store, gradebook: ClassGradebook) -> bool:
    """Return whether the gradebook is not the one that the last run has left: a copy of an earlier one."""
    return bool(store.state.numbers()) and gradebook.number not in (None, *store.state.numbers())


def note_number(store: Store, gradebook: ClassGradebook) -> None:
    """Give the gradebook a number that no copy has, and keep it; where this is interrupted, the one of before holds."""
    number = gradebook.number
    if number is not None:
        new = max(number, *store.state.numbers(), 0) + 1
        store.state.note(numbers=[number, new])
        gradebook.set_number(new)
        store.state.note(numbers=[new])


def renew(store: Store, gradebook: ClassGradebook, committed: Committed) -> tuple[list[Note], set[Key]]:
    """Enter the points of verdicts where the gradebook has others, and say so.

    Parameters
    ----------
    store : Store
    gradebook : ClassGradebook
    committed : list of tuple
        Of a Submission and its Records as they count in the class.

    Returns
    -------
    told : list of Note
    stale : set of tuple
        Student and unit of those of which it is not certain which points are the newer ones, or which cannot be
        entered.
    """
    before = gradebook.committed()
    there, cut, with_times = gradebook.submitted(), gradebook.incomplete(), is_older(store, gradebook)

    def differs(one, entries):
        key = _key(one[0])
        return key in cut or not _agrees(gradebook, entries.get(key), *one, with_times)

    differing = [one for one in committed if _key(one[0]) in there and differs(one, before)]
    certain = [one for one in differing if _is_certain(store, one[0], before.get(_key(one[0]), NOTHING))]
    for submission, records in certain:
        gradebook.renew(submission, records)
    if not certain:
        return [], {_key(submission) for submission, _ in differing}
    gradebook.set_penalties()
    now, cut = gradebook.committed(), gradebook.incomplete()
    stale = {_key(one[0]) for one in differing if differs(one, now)}
    return _told(before, [one for one in certain if _key(one[0]) not in stale]), stale


def _agrees(gradebook, entry, submission, records, with_times):
    """Return whether the gradebook has the points of verdicts, and the time of a submission where that is asked."""
    entry = entry or NOTHING
    scores = {record.exercise: record.points for record in records}
    left_out = gradebook.decisions.of(submission.unit).without
    return (
        scores.items() <= entry.scores.items()
        and not any(entry.scores.get(name) for name in left_out)
        and (not with_times or _time(submission) in (None, entry.timestamp))
    )


def _is_certain(store, submission, entry):
    """Return whether the verdicts are those of what is kept as handed in, and the gradebook knows of nothing later."""
    original = store.place("originals", *_key(submission), f"{submission.unit}.ipynb")
    content = store.mark(*_key(submission)).get("content")
    is_kept = not original.is_file() or hash_of(original.read_bytes()) == content
    time = _time(submission)
    return is_kept and not (time and entry.timestamp and entry.timestamp > time)


def _time(submission: Submission) -> datetime | None:
    """Return when something was handed in, as the gradebook has it; None where that is not known."""
    try:
        return parse_utc(submission.timestamp or None)
    except (TypeError, ValueError):  # of a damaged mark
        return None


def _told(before: dict[Key, Entry], renewed: Committed) -> list[Note]:
    """Say whose points were renewed, one sentence for each unit."""
    by_unit = defaultdict(list)
    for submission, records in renewed:
        had = _total(before.get(_key(submission), NOTHING).scores.values())
        has = _total(one.points for one in records)
        by_unit[submission.unit].append(submission.student + (f" ({has:g}, not {had:g})" if has != had else ""))
    return [
        Note(
            f"{unit}: the gradebook did not say what the verdicts say, as after an older gradebook.db was put back. "
            f"Their points were entered again: {', '.join(whose)}.",
            COSTS,
        )
        for unit, whose in sorted(by_unit.items())
    ]


def _total(points: Iterable[float | None]) -> float:
    return sum(filter(None, points))


def _key(submission: Submission) -> Key:
    return submission.student, submission.unit
