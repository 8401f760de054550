"""What a report says, as a tree: the points, what is wrong, a small example, the claims one by one, and the details.

`autograder.feedback.text` and `autograder.feedback.html` print it in this order, and so does the page that a learner
gets back. The details are folded, and what stands before them is short.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from autograder.evaluation.evaluate import NOT_JUDGED, SET_RIGHT, Verdict
from autograder.evaluation.example import Example
from autograder.execution.outcome import NOT_TRIED
from autograder.feedback.finding import ORDINALS, Finding, of_cause
from autograder.feedback.words import beginning, count_words, first_sentence

MARKS = {True: "PASS", False: "FAIL", None: "NOT YET"}
REPLIES = {True: "RIGHT.", False: "NOT QUITE.", None: "OPEN."}
UNSTABLE = "The results change from call to call, although the arguments stay the same."
WHY_UNSTABLE = "Does your function draw random numbers of its own, or use a global variable that changes?"
NOT_YET = "needs right numbers first"
NEXT_STEP = "write your code in place of `raise NotImplementedError`, then run both cells."
UNREAD = re.compile(r"as it was given|is X itself|moves? nothing|has no effect|(does|do) not move|is not read")
WHERE = "Where"  # the label of a note on the first line of the learner's code that goes wrong
MAX_FINDING = 60  # words above the claims where a mistake is named: a reason that takes more folds the claims
MAX_PLACE = 90  # words above them where none is, and of a finding without them
MAX_SHOWN = 120  # words that are not folded
SAME, ONE_OF_TWO = "same cause", "one of these causes"  # for which a claim fails
WITH_SLIP_SET_RIGHT = "with that set right"  # a claim holds
EXAMPLE, DIFFERS = "A small call:", "≠ "
MIN_NOTE = 12  # words of a note that are always shown


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


def make_report(verdict: Verdict, substituted: Iterable[str] = (), notes: Iterable[Line] = ()) -> Report:
    """Put a verdict into words.

    Parameters
    ----------
    verdict : Verdict
    substituted : iterable of str
        Names of the functions in whose place the course's own were called.
    notes : iterable of Line
        What else there is to say. One labelled "Where" takes the place of a cause that is not known.

    Returns
    -------
    Report
    """
    exercise = verdict.exercise
    notes = tuple(notes)
    head = exercise.name, verdict.points, exercise.points, verdict.status
    asked = Line("Asked", exercise.asks)
    if verdict.status == "not written":
        return Report(*head, notes=(asked, Line("Next", NEXT_STEP), *notes))
    details = [asked, *(Line("Remark", remark) for remark in verdict.remarks)]
    if substituted:
        names = ", ".join(sorted(substituted))
        details.append(Line("Note", f"checked with the course's own {names}; a mistake there costs nothing here."))
    claims = tuple(_claim_reports(verdict))
    if verdict.status == "passed":
        return Report(*head, tally="" if notes else _tally(claims), claims=claims, notes=notes, details=tuple(details))
    located = [note for note in notes if note.label == WHERE]
    finding = _finding(verdict, located)
    details += located if verdict.cause else []
    others = tuple(note for note in notes if note.label != WHERE)
    report = Report(*head, finding, verdict.example, _tally(claims), claims, notes=others, details=tuple(details))
    return _shortened(report, MAX_FINDING if verdict.cause else MAX_PLACE)


def _tally(claims):
    """Sum the claims up in a few words."""
    passed, not_judged = (sum(claim.passed is mark for claim in claims) for mark in (True, None))
    if passed == len(claims):
        return f"All {passed} visible checks passed"
    return f"{passed} of {len(claims)} checks passed" + (f", {not_judged} not judged yet" if not_judged else "")


def _finding(verdict, located):
    """Name what is wrong; where that is not known, say where, or what came back."""
    if verdict.is_unstable:
        return Finding(UNSTABLE, WHY_UNSTABLE)
    if verdict.cause:
        return of_cause(verdict.cause, verdict.exercise)
    sections = (verdict.exercise.where,)
    if located:
        return Finding(f"{WHERE}:", located[0].text, sections)
    failed = [result for result in verdict.results if not result.passed]
    judged = [result for result in failed if result.status != NOT_JUDGED]
    is_over = any(result.ended == NOT_TRIED for result in failed)
    shown = judged[-1] if judged and is_over else _most_telling(judged or failed)
    return Finding("What came back:", f"{shown.message} {_structure(shown, verdict, 'In that call')}".strip(), sections)


def _most_telling(failed):
    """Return the failure that says most of why; where none says more than that numbers differ, the first.

    That an argument has no effect, or is what comes back, says more than any number. Then the first failure counts if
    it shows a pattern or an error, then a pattern that several show, and then an error.
    """
    first = failed[0]
    patterns = [result.structure for result in failed if result.ended == "returned"]
    telling = [result for result in failed if UNREAD.search(f"{result.message} {result.structure}")]
    if not telling and not first.structure and first.ended == "returned":
        telling = [result for result in failed if result.structure and patterns.count(result.structure) > 1]
        telling = telling or [result for result in failed if result.ended == "raised" and result.structure]
    return telling[0] if telling else first


def _structure(shown, verdict, here="In this call"):
    """Return the pattern of a failure, confined to its call unless all that is judged shows the same.

    Only a sentence that says that something is right needs that: in other calls it need not be so.
    """
    judged = [result for result in verdict.results if not result.passed and result.status != NOT_JUDGED]
    structure = shown.structure
    if len({result.structure for result in judged}) <= 1 or not re.search(r"\bright\b|\bonly\b", structure):
        return structure
    return f"{here}, {structure[0].lower()}{structure[1:]}"


def _claim_reports(verdict):
    """Yield a report on each claim."""
    shown = set()
    is_explained = verdict.is_unstable or (verdict.cause and verdict.cause.kind == "certain")
    for number, result in enumerate(verdict.results):
        name = result.name
        points = f"0/{result.claim.points:g}"
        if result.passed:
            remark = WITH_SLIP_SET_RIGHT if result.status == SET_RIGHT else ""
            yield ClaimReport(True, name, f"{result.points:g}", remark)
            continue
        details = tuple(_failure(result, _structure(result, verdict), result.message in shown, is_explained))
        shown.add(result.message)
        if result.status == NOT_JUDGED:
            yield ClaimReport(None, name, points, NOT_TRIED if result.ended == NOT_TRIED else NOT_YET, details)
        else:
            yield ClaimReport(False, name, points, _remark(verdict.cause, number), details)


def _remark(cause, number):
    """Say whether a claim fails because of what is named."""
    if not cause:
        return ""
    if number in cause.unexplained_claims:
        return "perhaps another cause"
    return ONE_OF_TWO if cause.kind == "two" else SAME


def _failure(result, structure, repeated, is_explained):
    """Yield what is known of a failure, with its pattern; `repeated`: an earlier claim failed with the same message.

    Where the cause is certain, a pattern in the numbers has nothing to add.
    """
    if result.called:
        yield Line("Called", result.called)
    yield Line("Came back", "the same as above." if repeated else result.message)
    if structure and not repeated and not is_explained:
        yield Line("Pattern", structure)


def _shortened(report, limit):
    """Return a report in which few words stand before the details; what is cut stands there in full.

    The limit is one for the words above the claims. The list of the claims is the first to go, and a reason the last.
    """
    finding = report.finding
    cut = []
    used = count_words(report.name, report.score, finding.title, report.tally) + _around(report.example)
    sections = finding.sections if used + _to_read(finding.sections) <= MAX_PLACE else finding.sections[:1]
    used += _to_read(sections)
    text = _abridged(finding.text, max(MAX_PLACE - used, 0))
    if text.endswith("...") and not finding.title.endswith(":"):
        text = ""  # half a reason is none
    if text != finding.text:
        cut.append(Line("In full", finding.text))
    cut += [Line("See also", f"“{section}”") for section in finding.sections[len(sections) :]]
    used += count_words(text)
    is_short = used <= limit
    notes = []
    for note in report.notes:
        notes.append(Line(note.label, beginning(note.text, max(MAX_SHOWN - used - 1, MIN_NOTE))))
        cut += [note] if notes[-1] != note else []
        used += count_words(note.label, notes[-1].text)
    listed = sum(count_words(claim.mark, claim.name, claim.points, claim.remark) for claim in report.claims)
    lists_claims = is_short and used + listed <= MAX_SHOWN
    return replace(
        report,
        finding=Finding(finding.title, text, sections),
        tally=report.tally if lists_claims else report.tally + _same(report.claims),
        lists_claims=lists_claims,
        notes=tuple(notes),
        details=(*cut, *report.details),
    )


def _same(claims):
    """Say what all claims that fail have in common, where they are not listed."""
    remarks = {claim.remark for claim in claims if claim.passed is False}
    if remarks == {ONE_OF_TWO}:
        return f"; what fails has {ONE_OF_TWO}"
    return f"; what fails has the {SAME}" if remarks == {SAME} else ""


def _abridged(text, words):
    """Return a text or its beginning; of two reasons the first sentences, or the first alone, without its number."""
    if not text.startswith(ORDINALS[0]) or count_words(text) <= words:
        return beginning(text, words)
    first, _, second = text.removeprefix(ORDINALS[0]).partition(f" {ORDINALS[1]}")
    both = f"{ORDINALS[0]}{first_sentence(first)} {ORDINALS[1]}{first_sentence(second)}"
    return both if count_words(both) <= words else beginning(first, words)


def _to_read(sections):
    """Return how many words it takes to say what to read."""
    return count_words(*sections) + len(sections)


def _around(example):
    """Return how many words stand beside the code and the numbers of an example."""
    return 4 + count_words(EXAMPLE, example.result, example.result, example.error, *example.kinds) if example else 0
