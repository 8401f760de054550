"""From a verdict to what a report says about it."""

import re
from collections.abc import Iterable

from autograder.evaluation.evaluate import NOT_JUDGED, SET_RIGHT, Verdict
from autograder.execution.outcome import NOT_TRIED
from autograder.feedback.finding import Finding, of_cause
from autograder.feedback.report import ONE_OF_TWO, SAME, ClaimReport, Line, Report
from autograder.feedback.shortened import shortened

UNSTABLE = "The results change from call to call, although the arguments stay the same."
WHY_UNSTABLE = "Does your function draw random numbers of its own, or use a global variable that changes?"
WITH_SLIP_SET_RIGHT = "with that set right"  # a claim holds
NOT_YET = "needs right numbers first"
NEXT_STEP = "write your code in place of `raise NotImplementedError`, then run both cells."
UNREAD = re.compile(r"as it was given|is X itself|moves? nothing|has no effect|(does|do) not move|is not read")
WHERE = "Where"  # the label of a note on the first line of the learner's code that goes wrong


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
    return shortened(report, has_cause=bool(verdict.cause))


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
