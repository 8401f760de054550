"""The fifth stage: which of a student's attempts at a unit counts: the latest, as far as anything tells."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autograder.grading.intake.find.assign_senders import Attempt
from autograder.grading.intake.find.assign_students import Owned
from autograder.grading.intake.find.platforms import CANVAS
from autograder.grading.intake.find.problems import Problems
from autograder.grading.intake.find.roster import People
from autograder.grading.intake.find.wording import MAX_LISTED, join_names
from autograder.grading.intake.find.written_names import similar_name_warnings
from autograder.grading.notes import COSTS, WHOSE

RESUBMITTED = re.compile(r"(.*?)(?:-(\d{1,3}))?", re.DOTALL)  # as Canvas marks a file of a name that it knows
NO_TIME, EQUAL = "no time is known", "their times are equal"
UNLIKE = "their times cannot be compared"  # as where one has none
UNNAMED = "the later one does not bear the unit's name"


@dataclass(frozen=True)
class Candidate:
    """What a student has handed in for a unit: one or more attempts, the one that counts first, and notes on others.

    Of a group, `together` are the ids of all members, and `owners` those of whoever made each attempt.
    """

    student: str
    unit: str
    attempts: tuple[Attempt, ...]
    notes: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()

    def choice(self) -> str:
        """Say which of several attempts counts, as far as times tell; an empty text where they do not."""
        tied, earlier, reason = latest(self.attempts)
        if not earlier:
            return ""
        chosen = join_names([attempt.item.where for attempt in tied], " or ")
        others = join_names([attempt.item.where for attempt in earlier])
        return f"{self.student}, {self.unit}: {chosen} counts, {reason}, and not {others}."


def choose_attempts(owned: Owned, people: People, problems: Problems) -> tuple[Candidate, ...]:
    """Put the attempts of each student at each unit into order, the one that counts first.

    What this says of them goes to `problems`; names that platforms gave, and units, to the register. The candidates
    are in the order of units and students.
    """
    by_unit = defaultdict(list)
    for student, attempt in owned.attempts:
        by_unit[attempt.unit, student].append(attempt)
    candidates = []
    for (unit, student), attempts in sorted(by_unit.items()):
        notes = tuple(owned.notes.get((student, unit), ()))
        candidates.append(Candidate(student, unit, tuple(in_order(_without_foreign_names(attempts))), notes))
    for candidate in candidates:
        people.register.note_name(candidate.student, candidate.unit, candidate.attempts[0].sender)
        if not people.roster:
            people.register.note_unit(candidate.student, candidate.unit, candidate.attempts[0].sender)
    if not people.roster:
        for text in similar_name_warnings([candidate.student for candidate in candidates], people):
            problems.remark(text, weight=WHOSE)
    for candidate in candidates:
        _remark_on_times(candidate, problems)
    _ask_whose_it_is(owned, candidates, problems)
    return tuple(candidates)


def _without_foreign_names(attempts):
    """Return the attempts that bear nobody else's name; all where there are no others."""
    return [attempt for attempt in attempts if not attempt.bears_another_name] or attempts


def _remark_on_times(candidate, problems):
    texts = list(dict.fromkeys(attempt.time_remark for attempt in candidate.attempts if attempt.time_remark))
    for text in texts[:MAX_LISTED]:
        problems.remark(text)
    if len(texts) > MAX_LISTED:
        more = len(texts) - MAX_LISTED
        problems.remark(f"{candidate.student}, {candidate.unit}: the same has to be said of {more} more times.")
    first = candidate.attempts[0]
    if first.sender.label.late:
        problems.remark(f"{candidate.student}, {candidate.unit}: {first.item.where} is marked as late.", weight=COSTS)


def _ask_whose_it_is(owned, candidates, problems):
    """Say what is refused because it bears another student's name; what would count has a verdict, and is not lost."""
    counted = {candidate.attempts[0] for candidate in candidates}
    for _, attempt in owned.attempts:
        if attempt.bears_another_name:
            text = f"{attempt.item.refused} Ask both whose work it is."
            if attempt in counted:
                problems.remark(text, weight=COSTS)
            else:
                problems.refuse(text, attempt.item.path)


def latest(attempts: Sequence[Attempt]) -> tuple[list[Attempt], list[Attempt], str]:
    """Divide attempts of one student at one unit into those that may be the latest, and those that are earlier.

    Each rule asks those that are left of the rule before, and what it cannot compare stays. Where several are left,
    nothing tells which of them is the latest; the most likely one comes first. The third value says what told them
    apart, as the end of a sentence; it is empty where nothing did.
    """
    remaining = list(attempts)
    reasons = []
    for rule in (_by_time, _by_canvas_number, _by_place, _by_date):
        kept, reason = rule(remaining)
        if len(kept) < len(remaining):
            remaining = kept
            reasons.append(reason)
    chosen = set(remaining)
    earlier = [attempt for attempt in attempts if attempt not in chosen]
    return sorted(remaining, key=_likelihood, reverse=True), earlier, " and ".join(reasons)


def in_order(attempts: Iterable[Attempt]) -> list[Attempt]:
    """Return attempts, the one that counts as far as times tell first, and the earlier ones after it."""
    tied, earlier, _ = latest(list(attempts))
    earlier.sort(key=lambda attempt: (attempt.timestamp, attempt.item.dated, _likelihood(attempt)), reverse=True)
    return [*tied, *earlier]


def why_tied(attempts: Sequence[Attempt]) -> str:
    """Say why nothing tells which of several attempts is the latest."""
    times = {attempt.timestamp or attempt.item.dated for attempt in attempts}
    if len(times) > 1 and not all(attempt.is_named for attempt in attempts):
        return UNNAMED
    if not any(times):
        return NO_TIME
    return EQUAL if len(times) == 1 else UNLIKE


def _by_time(attempts):
    newest = max(attempt.timestamp for attempt in attempts)
    noted_by = "the platform" if any(attempt.sender.label.time for attempt in attempts) else "nbgrader"
    kept = [attempt for attempt in attempts if attempt.timestamp in ("", newest)]
    return kept, f"by the time that {noted_by} noted"


def _by_canvas_number(attempts):
    """Compare what Canvas has numbered, because it had a file of this name already."""
    numbers = {}
    last = {}
    for attempt in attempts:
        if attempt.sender.label.platform == CANVAS:
            name, number = RESUBMITTED.fullmatch(attempt.sender.label.rest).groups()
            numbers[attempt] = name, int(number or 0)
            last[name] = max(last.get(name, 0), int(number or 0))
    last_ones = set(last.items())
    kept = [attempt for attempt in attempts if attempt not in numbers or numbers[attempt] in last_ones]
    return kept, "by the number that Canvas gave it"


def _by_place(attempts):
    return [attempt for attempt in attempts if attempt.is_collected] or attempts, "as the file that nbgrader collects"


def _by_date(attempts):
    """Compare the dates in zips; a later notebook that does not bear the unit's name may be a scrap of paper."""
    kept = _of_newest_date(attempts)
    if not any(attempt.is_named for attempt in kept):
        kept += _of_newest_date([attempt for attempt in attempts if attempt.is_named])
    return kept, "by its date in the zip"


def _of_newest_date(attempts):
    newest = max((attempt.item.dated for attempt in attempts), default="")
    return [attempt for attempt in attempts if attempt.item.dated in ("", newest)]


def _likelihood(attempt):
    """Sort what nothing else tells apart."""
    in_its_folder = attempt.inside[-2:] == (attempt.unit, f"{attempt.unit}.ipynb")
    placement = in_its_folder and len(attempt.inside) == 2, in_its_folder, attempt.is_named
    return attempt.item.dated, placement, attempt.version, attempt.item.modified, attempt.item.where
