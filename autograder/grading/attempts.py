"""Which of somebody's attempts counts where times do not tell, or where another was graded in an earlier run."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from nbgrader.utils import parse_utc

from autograder.grading.final import Final
from autograder.grading.intake.handed_in import HandedIn
from autograder.grading.intake.submission import Submission
from autograder.grading.verdicts.record import Record
from autograder.grading.verdicts.store import hash_of

LET_IT = "`--older` lets it count."


@dataclass
class Contest:
    """The attempts of one student at one unit of which nothing tells the latest: the one with the most points counts.

    Mostly there is only one.

    Attributes
    ----------
    before : dict
        The mark of what counts so far; see `Store`. Empty if there is none.
    tied : list of HandedIn
    decided : list of (Submission, list of Record)
        Those that have been graded.
    counted : callable
        Returns records as they count in the class.
    """

    before: dict[str, Any]
    tied: list[HandedIn]
    decided: list[tuple[Submission, list[Record]]] = field(default_factory=list)
    counted: Callable[[Iterable[Record]], Iterable[Record]] = list

    def is_over(self, is_done: Callable[[HandedIn], bool]) -> bool:
        """Return whether just these attempts were compared before, and the best of them is committed."""
        return any(map(is_done, self.tied)) and (len(self.tied) == 1 or self.before.get("compared") == self._contents())

    def causes(self) -> list[str]:
        """Return what went wrong in the grading itself, once for each function that has no points for that."""
        open_ = [record for _, records in self.decided for record in records if record.points is None]
        return [record.note.strip().rpartition("\n")[2] for record in open_]

    def best(self) -> tuple[Submission, list[Record]]:
        """Return the submission with the most points, and its records; of several, the likeliest to be the latest."""
        places = {one.origin: -place for place, one in enumerate(self.tied)}
        return max(self.decided, key=lambda one: (self._points(one[1]), places[one[0].origin]))

    def compared(self) -> list[str]:
        """Return what the mark keeps of a contest; nothing where it has to be repeated."""
        return [] if self.causes() else self._contents()

    def why(self) -> str:
        """Say why the best counts; an empty text where there was no choice."""
        best, records = self.best()
        others = [one for one in self.decided if one[0] is not best]
        if not others:
            return ""
        aside = ", ".join(f"{one.origin} ({self._points(its):g})" for one, its in others)
        rule = "so the one with more points counts"
        if any(self._points(its) == self._points(records) for _, its in others):
            rule = "and they have as many points" if len(others) == 1 else "so one with the most points counts"
        whose = f"{best.student}, {best.unit}: {best.origin} ({self._points(records):g} points) counts, and not {aside}"
        return f"{whose}: {self.tied[0].tie}, {rule}."

    def times(self) -> list[str]:
        """Return when other attempts were handed in, as far as that is known."""
        return list(filter(None, (*self.tied[0].others, self.before.get("submission", {}).get("timestamp"))))

    def _points(self, records):
        return _points(self.counted(records))

    def _contents(self):
        return sorted(hash_of(one.content) for one in self.tied)


def joined(handed_in: HandedIn, before: Mapping[str, Any]) -> HandedIn:
    """Return a notebook with what was known when the same file was graded before.

    Parameters
    ----------
    handed_in : HandedIn
    before : dict
        The mark of the submission that counts; see `Store`. Empty if there is none.

    Returns
    -------
    HandedIn
        With the earliest time at which this file was handed in, and with the notes of then.
    """
    if not _is_same(handed_in, before):
        return handed_in
    known = before["submission"]
    times = sorted(filter(None, (handed_in.timestamp, known["timestamp"])))
    notes = tuple(dict.fromkeys([*known["notes"], *handed_in.notes]))
    dated = handed_in.dated or known.get("dated", "")
    by = known.get("by") or handed_in.by
    return replace(handed_in, timestamp=times[0] if times else "", dated=dated, notes=notes, by=by)


def of_group(handed_in: HandedIn, before: Mapping[str, Any]) -> HandedIn:
    """Return a notebook that nbgrader has found as that of the group for which it was graded before, if it was."""
    if not _is_same(handed_in, before):
        return handed_in
    return replace(handed_in, together=tuple(before["submission"].get("together", ())))


def why_older(handed_in: HandedIn, before: Mapping[str, Any]) -> str:
    """Say that a notebook is older than the one that counts; an empty text if it is not, or nobody knows."""
    if _is_same(handed_in, before) or _order(handed_in, before) >= 0:
        return ""
    when, known = _times(handed_in, before)
    return f"{_who(handed_in)} is older than what counts ({when}, not {known}), and was left out. {LET_IT}"


def why_lower(submission: Submission, records: Iterable[Record], before: Mapping[str, Any]) -> str:
    """Say that a notebook has fewer points than the one that counts and may be older; an empty text otherwise.

    Parameters
    ----------
    submission : Submission
    records : iterable of Record
    before : dict
        As for `joined`.

    Returns
    -------
    str
    """
    if not before or _is_same(submission, before) or _order(submission, before) > 0:
        return ""
    now, then = _points(records), _total(before["scores"].values())
    if now >= then:
        return ""
    lowers = f"{_who(submission)} would lower the points from {then:g} to {now:g}"
    return f"{lowers}, and nothing says that it is newer, so it was left out. {LET_IT}"


def why_late(submission: Submission, final: Final, others: Iterable[str]) -> str:
    """Say how late a notebook is, what that costs, and whether it takes the place of one in time; else an empty text.

    Parameters
    ----------
    submission : Submission
    final : Final
    others : iterable of str
        When earlier attempts were handed in.

    Returns
    -------
    str
    """
    if not final.seconds_late:
        return ""
    in_time = any(parse_utc(time) <= final.due for time in others)
    place = ", in place of an attempt in time" if in_time else ""
    return f"{submission.student}, {submission.unit}: handed in {final.lateness}{place}."


def _is_same(one, before):
    return before.get("content") == hash_of(one.content)


def _who(one):
    return f"{one.student}, {one.unit}: {one.origin}"


def _points(records):
    return _total(record.points for record in records)


def _total(points):
    return sum(filter(None, points))


def _order(one, before):
    """Return whether an attempt is later (1) or earlier (-1) than what counts, and 0 where that is not known."""
    when, known = _times(one, before)
    return (when > known) - (when < known)


def _times(one, before):
    """Return two times that can be compared: those of handing in, or else the dates that zips say; else empty ones."""
    known = before.get("submission", {})
    pairs = (one.timestamp, known.get("timestamp")), (one.dated, known.get("dated"))
    return next((pair for pair in pairs if all(pair) and len(set(pair)) == 2), ("", ""))
