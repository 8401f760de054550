"""How much of a report stands before its details: few words, and the most telling ones."""

from dataclasses import replace

from autograder.feedback.finding import ORDINALS, Finding
from autograder.feedback.report import EXAMPLE, ONE_OF_TWO, SAME, Line, Report
from autograder.feedback.words import beginning, count_words, first_sentence

MAX_FINDING = 60  # words above the claims where a mistake is named: a reason that takes more folds the claims
MAX_PLACE = 90  # words above them where none is, and of a finding without them
MAX_SHOWN = 120  # words that are not folded
MIN_NOTE = 12  # words of a note that are always shown


def shortened(report: Report, has_cause: bool) -> Report:
    """Return a report in which few words stand before the details; what is cut stands there in full.

    The list of the claims is the first to go, and a reason the last.

    Parameters
    ----------
    report : Report
        With a finding.
    has_cause : bool
        Whether that names a mistake.
    """
    assert report.finding is not None
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
    is_short = used <= (MAX_FINDING if has_cause else MAX_PLACE)
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
