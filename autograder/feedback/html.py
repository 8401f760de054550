"""Reports as HTML that reads in light and dark, and where only inline styles are left."""

from collections.abc import Iterable
from html import escape

from autograder.feedback.report import DIFFERS, EXAMPLE, MARKS, REPLIES, Line, Report
from autograder.questions import Reply

GREEN, AMBER, RED, GREY = "#1a7f37", "#9a6700", "#b42318", "#57606a"  # white text on each has a contrast above 4.5
STATUS_COLOURS = {"passed": GREEN, "open": RED, "not written": GREY}
COLOURS = {True: GREEN, False: RED, None: GREY}
LINE, TINT = "rgba(128,128,128,0.35)", "rgba(218,54,51,0.18)"  # on white and on black
BLOCK = "margin:8px 0 2px 0"
BAR = f"display:inline-block;width:110px;height:8px;margin:0 4px;border-radius:4px;background-color:{LINE}"
CELL = f"border:1px solid {LINE};padding:2px 8px;text-align:right;background-color:transparent"


def as_html(report: Report, linked: bool = False) -> str:
    """Return a report as HTML.

    Parameters
    ----------
    report : Report
    linked : bool
        Whether the report is shown in the notebook, so that a link leads to a section.

    Returns
    -------
    str
        With inline styles only.
    """
    if report.status == "passed":
        return box(GREEN, "".join(_passed(report)))
    content = [f"<div>{_headline(report)}</div>", *_body(report, linked)]
    return box(STATUS_COLOURS[report.status], "".join(content))


def _headline(report):
    share = report.points / report.max_points
    colour = GREEN if share == 1 else AMBER
    full = f"display:block;width:{share:.0%};height:8px;border-radius:4px;background-color:{colour}"
    bar = f'<span style="{BAR}"><span style="{full}"></span></span>'
    return f"<strong>{escape(report.name)}:</strong> {bar} {escape(report.score)}"


def _passed(report):
    """Fold everything but the notes under the headline."""
    folded = [*map(_claim, report.claims), *map(_line, report.details)]
    yield _fold(_headline(report), "".join(folded), style="margin:0")
    yield from map(_line, report.notes)


def _body(report, linked):
    if report.finding:
        yield _finding(report.finding, linked)
    if report.example:
        yield _example(report.example)
    claims = "".join(map(_claim, report.claims))
    if report.lists_claims:
        yield _fold(escape(report.tally), claims, " open")
    elif report.tally:
        yield _block(escape(report.tally))
    yield from map(_line, report.notes)
    if report.details:
        listed = "" if report.lists_claims else claims
        yield _fold("Details", f"{listed}{''.join(map(_line, report.details))}{''.join(map(_failure, report.claims))}")


def _finding(finding, linked):
    links = " and ".join(_link(section) if linked else f"“{escape(section)}”" for section in finding.sections)
    see = f" See {links}." if links else ""
    return _block(f"<strong>{escaped(finding.title)}</strong> {escaped(finding.text)}{see}")


def _link(heading):
    """Link to a heading of the notebook, whose id JupyterLab makes from its text."""
    target = escape(heading.replace(" ", "-"))
    return f'<a href="#{target}" style="text-decoration:underline">{escape(heading)}</a>'


def _example(example):
    call = f'<pre style="margin:0;white-space:pre-wrap;background-color:transparent">{escape(example.call)}</pre>'
    expected = list(_rows(f"expected {example.result}", example.kinds[1], example.expected, []))
    if example.error:
        yours = [_raised(example)]
    else:
        kind = f"{DIFFERS}{example.kinds[0]}" if example.kinds[0] else ""
        yours = list(_rows(f"yours {example.result}", kind, example.yours, example.differs))
    table = f'<table style="border-collapse:collapse;margin:0"><tbody>{"".join(yours + expected)}</tbody></table>'
    side_by_side = "display:flex;flex-wrap:wrap;gap:6px 26px"
    return _block(f'{EXAMPLE}<div style="{side_by_side}"><div>{call}</div><div>{table}</div></div>')


def _raised(example):
    columns = max(len(row.entries) for row in example.expected) + (len(example.expected) > 1)
    raised = f"<strong>{DIFFERS}raises <code>{escape(example.error)}</code></strong>"
    style = f"{CELL};text-align:left;background-color:{TINT}"
    return f'<tr><th scope="row" style="{CELL}">yours</th><td colspan="{columns}" style="{style}">{raised}</td></tr>'


def _rows(title, kind, rows, differs):
    """Yield the rows of one side, with a heading for all of them and, if there are several, one for each."""
    kind = f'<br><span style="font-weight:normal">{escape(kind)}</span>' if kind else ""
    heading = f'<th scope="rowgroup" rowspan="{len(rows)}" style="{CELL}">{escape(title.strip())}{kind}</th>'
    for number, row in enumerate(rows):
        label = f'<th scope="row" style="{CELL};font-weight:normal">{escape(row.label)}</th>' if len(rows) > 1 else ""
        entries = (_cell(entry, [number, column] in differs) for column, entry in enumerate(row.entries))
        yield f"<tr>{heading if not number else ''}{label}{''.join(entries)}</tr>"


def _cell(entry, differs):
    if not differs:
        return f'<td style="{CELL}">{escape(entry)}</td>'
    return f'<td style="{CELL};background-color:{TINT}"><strong>{DIFFERS}{escape(entry)}</strong></td>'


def _claim(claim):
    remark = f": {escape(claim.remark)}" if claim.remark else ""
    return f'<div style="margin:2px 0">{badge(claim.passed)} {escaped(claim.name)} ({claim.points}){remark}</div>'


def _failure(claim):
    details = "".join(_line(line, indented=True) for line in claim.details)
    return f"{_block(f'<strong>{escaped(claim.name)}</strong>')}{details}" if details else ""


def _fold(title, content, state="", style=BLOCK):
    return f'<details{state} style="{style}"><summary>{title}</summary>{content}</details>'


def _line(line, indented=False):
    return _block(f"<strong>{escape(line.label)}:</strong> {escaped(line.text)}", indented)


def _block(content, indented=False):
    return f'<div style="{"margin:2px 0 2px 24px" if indented else BLOCK}">{content}</div>'


def badge(passed: bool | None) -> str:
    """Write PASS, FAIL or, for None, NOT YET on its colour."""
    style = f"background-color:{COLOURS[passed]};color:#ffffff;padding:0 6px;border-radius:3px"
    return f'<span style="{style};font-size:85%;font-weight:bold">{MARKS[passed]}</span>'


def escaped(text: str) -> str:
    """Escape a text and set what stands between backticks as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))


def box(colour: str, content: str) -> str:
    """Put HTML in a box with a coloured edge."""
    return f'<div style="border-left:5px solid {colour};padding:6px 12px;line-height:1.5">{content}</div>'


def reply_as_html(reply: Reply, notes: Iterable[Line] = ()) -> str:
    """Return the reply to a question, and notes on it, as HTML."""
    answer = f"<strong>{REPLIES[reply.right]}</strong> {escaped(reply.text)}"
    return box(COLOURS[reply.right], answer + "".join(map(_line, notes)))
