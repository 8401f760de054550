"""Show a learner's progress: as HTML in a notebook, as text, as a table in the terminal, as JSON."""

from collections.abc import Iterable
from html import escape
from typing import Any

from autograder import times
from autograder.learner.overview import UnitProgress, survey
from autograder.registry import drawing
from autograder.specification import Unit
from transformer_kit import workbench

DONE = "#1a7f37"  # white text on it has a contrast above 4.5
HEADINGS = ("points", "due", "open exercises", "mistakes overcome", "time left", "read again", "help taken")
SHORT = ("points", "time left")  # these are not broken into lines
NOTHING_YET = "You have not started yet: everything is still open."


class Overview:
    """The progress in all units; displays itself.

    Parameters
    ----------
    found : sequence of UnitProgress
    notice : str
        About the progress file; may be empty.
    """

    def __init__(self, found: Iterable[UnitProgress], notice: str = "") -> None:
        self.units, self.notice = tuple(found), notice

    @property
    def lines(self) -> list[str]:
        """The sentences above the table."""
        points, total = sum(row.points for row in self.units), sum(row.unit.points for row in self.units)
        left = times.total(row.minutes_left for row in self.units)
        begun = any(row.touched for row in self.units)
        first = f"{points:g} of {total:g} points, about {times.in_words(left)} left." if begun else NOTHING_YET
        return [first, *([self.notice] if self.notice else [])]

    @property
    def next(self) -> UnitProgress | None:
        """The first unit with an open exercise, or None."""
        return next((row for row in self.units if row.open), None)

    def __repr__(self):
        rows = "\n".join(map(_sentence, self.units))
        step = [f"Next: {title(self.next.unit)}."] if self.next else ["All exercises are done."]
        return "\n".join([*self.lines, rows, *step])

    def _repr_html_(self):
        headings, texts = self.table()
        heads = "".join(f'<th scope="col" style="text-align:left">{heading}</th>' for heading in ("unit", *headings))
        short = [headings.index(heading) for heading in SHORT if heading in headings]
        rows = "".join(_html_row(row, text, short) for row, text in zip(self.units, texts, strict=True))
        above = "".join(f"<div>{escape(line)}</div>" for line in self.lines)
        step = f"Next: {_link(self.next.unit)}" if self.next else "All exercises are done."
        return (
            f'<div style="line-height:1.5">{above}{drawing("", written(self.units))}'
            f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
            f"<div>{step}</div></div>"
        )

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the headings of all columns that hold anything, and the texts of each unit in them."""
        rows = [cells(row) for row in self.units]
        used = [number for number in range(len(HEADINGS)) if any(row[number] for row in rows)]
        return [HEADINGS[number] for number in used], [[row[number] for number in used] for row in rows]


class Standing:
    """Where a unit is in the drawing of the course, and how far it is done; displays itself.

    Parameters
    ----------
    row : UnitProgress
    picture : str
        The drawing as HTML.
    """

    def __init__(self, row: UnitProgress, picture: str) -> None:
        self.row, self.picture = row, picture

    def __repr__(self):
        return _sentence(self.row)

    def _repr_html_(self):
        return f"<div>{self.picture}<div>{escape(_sentence(self.row))}.</div></div>"


def progress(unit: str = "") -> Overview | Standing:
    """Show how far you have come: points, open exercises, mistakes met and overcome, time left, what to read again.

    Parameters
    ----------
    unit : str, optional
        Number of a unit, such as "04", to see it alone, and where it is in the drawing of the course.

    Returns
    -------
    Overview or Standing
    """
    location = workbench.place()
    problem = f"Your progress cannot be found: {location.problem}" if location.problem else ""
    standings, notice = survey(location.folder) if location.folder else (survey(None)[0], problem)
    if not unit:
        return Overview(standings, notice)
    rows = {row.unit.id[:2]: row for row in standings}
    if unit not in rows:
        raise ValueError(f"expected the number of a unit, one of {', '.join(rows)}; got {unit!r}")
    return Standing(rows[unit], drawing(unit, written(standings)))


def written(found: Iterable[UnitProgress]) -> set[str]:
    """Return the names of the functions that have all their points.

    Parameters
    ----------
    found : sequence of UnitProgress

    Returns
    -------
    set of str
    """
    return {exercise.name for row in found for exercise in row.unit.exercises if exercise.name not in row.open}


def cells(row: UnitProgress) -> tuple[str, ...]:
    """Return the texts of a row of the table, but for the unit's title."""
    return (
        f"{row.points:g} of {row.unit.points:g}",
        row.due,
        ", ".join(row.open) if row.touched and row.open else f"all {len(row.open)}" if row.open else "none",
        f"{row.overcome} of {row.met}" if row.met else "",
        times.in_words(row.minutes_left) if any(row.minutes_left) else "",
        "; ".join(row.read_again),
        ", ".join([*([_number(row.hints, "hint")] if row.hints else []), *(f"solution of {n}" for n in row.solutions)]),
    )


def as_json(overview: Overview) -> dict[str, Any]:
    """Return an overview as plain data."""
    return {
        "notice": overview.notice,
        "units": [
            {
                "unit": row.unit.id,
                "points": row.points,
                "max_points": row.unit.points,
                "due": row.due,
                "open": list(row.open),
                "mistakes_met": row.met,
                "mistakes_overcome": row.overcome,
                "questions_right": row.questions,
                "minutes_left": row.minutes_left,
                "read_again": list(row.read_again),
                "hints": row.hints,
                "solutions": list(row.solutions),
            }
            for row in overview.units
        ],
    }


def _number(count, noun):
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def title(unit: Unit) -> str:
    """Return the heading of a unit in a list: its number and its title."""
    return f"{unit.id[:2]} {unit.title}"


def details(row: UnitProgress) -> str:
    """Return what the open exercises are, what to read again, and which help was taken."""
    _, _, still_open, _, _, again, taken = cells(row)
    parts = {"open": still_open if row.open else "", "read again": again, "help taken": taken}
    return "; ".join(f"{label}: {text}" for label, text in parts.items() if text)


def _sentence(row):
    """Return a row as it is read aloud."""
    points, due, _, overcome, left, *_ = cells(row)
    parts = [f"{points} points", f"due on {due}" if due else "", f"mistakes overcome: {overcome}" if overcome else ""]
    parts.append(f"{left} left" if left else "")
    return f"{title(row.unit)}: {'; '.join(part for part in [*parts, details(row)] if part)}"


def _link(unit):
    return f'<a href="{unit.id}/{unit.id}.ipynb">{escape(title(unit))}</a>'


def _html_row(row, texts, short):
    """Write a row; the columns with the numbers in `short` are not broken into lines."""
    badge = f'<span style="background-color:{DONE};color:#ffffff;padding:0 6px;border-radius:3px">DONE</span> '
    points, *others = map(escape, texts)
    data = ""
    for number, text in enumerate([points if row.open else badge + points, *others]):
        data += f'<td style="text-align:left{";white-space:nowrap" if number in short else ""}">{text}</td>'
    return f'<tr><th scope="row" style="text-align:left">{_link(row.unit)}</th>{data}</tr>'
