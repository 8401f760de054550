"""The report of a check, as plain text and as HTML that reads in light and dark and without style sheets."""

from dataclasses import dataclass
from html import escape

PASS, FAIL, OPEN = "#1a7f37", "#b42318", "#57606a"  # white text on each has a contrast above 4.5
BADGES = {"PASS": PASS, "FAIL": FAIL}


@dataclass(frozen=True)
class Line:
    """One line of a report: a label such as "Came back" and its text; indented below the claim it is about."""

    label: str
    text: str
    indented: bool = False


def headline(verdict):
    """Return the first line of the report."""
    exercise = verdict.exercise
    score = f"{exercise.name}: {verdict.points:g} of {exercise.points:g} points"
    if verdict.status == "not written":
        return f"{score}, not written yet"
    passed = sum(result.passed for result in verdict.results)
    if verdict.status == "passed":
        return f"{score}, visible checks passed"
    return f"{score}, {passed} of {len(verdict.results)} visible checks passed"


def lines(verdict, lent=(), notes=()):
    """Return the report below its headline: asked, came back, likely cause, where to look; and at last the notes."""
    exercise = verdict.exercise
    report = [Line("Asked", exercise.asks)]
    if verdict.status == "not written":
        next_step = "write your code in place of `raise NotImplementedError`, then run both cells."
        return [*report, Line("Next", next_step), *notes]
    failed = [result for result in verdict.results if not result.passed]
    common = verdict.mistake if all(result.mistake is verdict.mistake for result in failed) else None
    told = set()
    for result in verdict.results:
        badge = "PASS" if result.passed else "FAIL"
        report.append(Line(badge, f"{result.name} ({result.points:g} of {result.claim.points:g})"))
        if not result.passed:
            report += _failure_lines(result, common, told)
    if failed:
        report += _cause_lines(exercise, common)
    report += [Line("Remark", remark) for remark in verdict.remarks]
    if lent:
        names = ", ".join(sorted(lent))
        report.append(Line("Note", f"checked with the course's own {names}; a mistake there costs nothing here."))
    return [*report, *notes]


def _failure_lines(result, common, told):
    """Return the lines below a claim that fails.

    `common` is the mistake behind all failures, told at the end; `told` holds the messages that were shown before.
    """
    example = [Line("Example", result.example, indented=True)] if result.example else []
    if result.message in told:
        return [Line("Came back", "the same as above.", indented=True), *example]
    told.add(result.message)
    report = [Line("Called", result.called, indented=True), Line("Came back", result.message, indented=True)]
    if result.structure:
        report.append(Line("Pattern", result.structure, indented=True))
    report += example
    if result.mistake and not common:
        text = f"{_cause(result.mistake)} See the section “{result.mistake.where}”."
        report.append(Line("Likely cause", text, indented=True))
    return report


def _cause_lines(exercise, mistake):
    where = mistake.where if mistake else exercise.where
    cause = [Line("Likely cause", _cause(mistake))] if mistake else []
    return [*cause, Line("Where to look", f"the section “{where}” of the notebook, and the hints of the exercise.")]


def _cause(mistake):
    return f"{mistake.name}. {mistake.why}"


def as_text(verdict, lent=(), notes=()):
    """Return the report as plain text."""
    body = (f"{'      ' if line.indented else '  '}{_word(line)} {line.text}" for line in lines(verdict, lent, notes))
    return "\n".join([headline(verdict), *body])


def _word(line):
    return line.label if line.label in BADGES else f"{line.label}:"


def as_html(verdict, lent=(), notes=()):
    """Return the report as HTML with inline styles only."""
    colour = {"passed": PASS, "open": FAIL, "not written": OPEN}[verdict.status]
    body = "".join(map(_html_line, lines(verdict, lent, notes)))
    return box(colour, f"<strong>{escape(headline(verdict))}</strong>{body}")


def _html_line(line):
    label = badge(line.label) if line.label in BADGES else f"<strong>{escape(line.label)}:</strong>"
    margin = "2px 0 2px 24px" if line.indented else "8px 0 2px 0"
    return f'<div style="margin:{margin}">{label} {escaped(line.text)}</div>'


def badge(label):
    """Write PASS or FAIL on its colour."""
    style = f"background-color:{BADGES[label]};color:#ffffff;padding:0 6px;border-radius:3px"
    return f'<span style="{style};font-size:85%;font-weight:bold">{label}</span>'


def escaped(text):
    """Escape a text and set what stands between backticks as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))


def box(colour, content):
    """Put HTML in a box with a coloured edge."""
    return f'<div style="border-left:5px solid {colour};padding:6px 12px;line-height:1.5">{content}</div>'


def reply_as_text(reply):
    """Return the reply to a question as plain text."""
    notes = (f"\n  {note.label}: {note.text}" for note in reply.notes)
    return f"{_verdict_word(reply)} {reply.text}{''.join(notes)}"


def reply_as_html(reply):
    """Return the reply to a question as HTML."""
    colour = {True: PASS, False: FAIL, None: OPEN}[reply.right]
    notes = "".join(map(_html_line, reply.notes))
    return box(colour, f"<strong>{_verdict_word(reply)}</strong> {escaped(reply.text)}{notes}")


def _verdict_word(reply):
    return {True: "RIGHT.", False: "NOT QUITE.", None: "OPEN."}[reply.right]
