"""Reports as plain text."""

from collections.abc import Iterable

from autograder.feedback.report import DIFFERS, EXAMPLE, REPLIES, Line, Report
from autograder.questions import Reply

BAR = 10  # signs


def as_text(report: Report) -> str:
    """Return a report as plain text."""
    full = round(BAR * report.points / report.max_points)
    bar = "■" * full + "□" * (BAR - full)
    return "\n".join([f"{report.name}: {report.score} {bar}", *(f"  {line}" for line in _body(report))])


def _body(report):
    if report.finding:
        yield from _finding(report.finding)
    if report.example:
        yield from _example(report.example)
    claims = [f"  {_claim(claim)}" for claim in report.claims]
    if report.tally:
        yield report.tally
    yield from claims if report.lists_claims else ()
    yield from map(_line, report.notes)
    if report.details:
        yield "Details"
        yield from () if report.lists_claims else claims
        yield from (f"  {_line(line)}" for line in report.details)
    for claim in report.claims:
        if claim.details:
            yield f"  {claim.name}"
            yield from (f"    {_line(line)}" for line in claim.details)


def _finding(finding):
    yield f"{finding.title} {finding.text}".strip()
    if finding.sections:
        yield f"See {finding.listed}."


def _claim(claim):
    return f"{claim.mark} {claim.name} ({claim.points}){': ' if claim.remark else ''}{claim.remark}"


def _example(example):
    """Yield the call, and below it yours and what is expected, column below column."""
    yield EXAMPLE
    yield from (f"  {line}" for line in example.call.splitlines())
    if example.error:
        yield f"  yours {DIFFERS}raises {example.error}"
    of_result = f"{example.result} " if example.result else ""
    rows = _rows(f"yours {of_result}{example.kinds[0]}", example.yours, example.differs)
    rows += _rows(f"expected {of_result}{example.kinds[1]}", example.expected, [])
    lengths = [max(len(row[column]) for row in rows if column < len(row)) for column in range(max(map(len, rows)))]
    for row in rows:
        yield "  " + "  ".join(entry.ljust(length) for entry, length in zip(row, lengths, strict=False)).rstrip()


def _rows(title, rows, differs):
    """Return a title, the label and the entries of each row; a single row needs no label."""
    table = []
    for number, row in enumerate(rows):
        label = [row.label] if len(rows) > 1 else []
        entries = [
            DIFFERS + entry if [number, column] in differs else entry for column, entry in enumerate(row.entries)
        ]
        table.append([title.strip() if not number else "", *label, *entries])
    return table


def _line(line):
    return f"{line.label}: {line.text}"


def reply_as_text(reply: Reply, notes: Iterable[Line] = ()) -> str:
    """Return the reply to a question, and notes on it, as plain text."""
    return "\n".join([f"{REPLIES[reply.right]} {reply.text}", *(f"  {_line(note)}" for note in notes)])
