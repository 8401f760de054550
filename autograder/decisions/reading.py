"""Reads `course.toml`; what is wrong in it is told with its line, and with what is expected there."""

import tomllib
from collections.abc import Callable, Mapping
from datetime import timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from autograder.course import PLAN as NAME
from autograder.decisions import values
from autograder.decisions.decided import EVERYBODY, HANDED_IN, Adjustment, Curve, Decisions, Late, OfUnit
from autograder.decisions.values import Place
from autograder.registry import find, find_unit, names
from autograder.specification import Exercise

TABLES = ("missing", "drop_lowest", "late", "units", "extensions", "excused", "adjust", "left")


def read_decisions(root: str | Path) -> Decisions:
    """Return what the file of a course's folder says; nothing is decided where there is none.

    Raises
    ------
    ValueError
        If the file is no TOML, or says something that has no meaning; the message has the line.
    """
    path = Path(root, NAME)
    return read_file(path) if path.exists() else Decisions()


def read_file(path: Path) -> Decisions:
    """Return what a file says; raises ValueError as `read_decisions` does."""
    return read_text(path, text_of(path))


def text_of(path: Path) -> str:
    """Return the text of a file without the mark that Windows puts at its beginning, or "" where there is no file.

    Raises
    ------
    ValueError
        If it is not in UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig") if path.exists() else ""
    except UnicodeDecodeError:
        raise ValueError(f"{path} cannot be read: it is not in UTF-8. Save it in that encoding.") from None


def read_text(path: Path, text: str) -> Decisions:
    """Return what the text of a file says; raises ValueError as `read_decisions` does."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    top = Place(path, text)
    values.only(top, given, TABLES)
    found = _units(top, given.get("units", {}))
    return Decisions(
        found,
        _late(top, given["late"]) if "late" in given else None,
        values.one_of(top.at("missing"), given.get("missing", 0), (0, "blank")) == "blank",
        values.whole(top.at("drop_lowest"), given.get("drop_lowest", 0)),
        dict(_extension(place, table, found) for place, table in _tables(top, given, "extensions")),
        dict(_excuse(*one) for one in _tables(top, given, "excused")),
        tuple(_adjustment(*one) for one in _tables(top, given, "adjust")),
        dict(_left(*one) for one in _tables(top, given, "left")),
    )


def _units(top, tables):
    values.require(top.at("units"), isinstance(tables, dict), "tables such as [units.01_...]", tables)
    found = {}
    for name, table in tables.items():
        place = Place(top.path, top.text, f"units.{name}")
        id = values.unit(place, name)
        values.require(place, id not in found, "another unit than one above", name)
        values.require(place, isinstance(table, dict), f"a table, [units.{id}]", table)
        values.only(place, table, OF_UNIT)
        its = {key: OF_UNIT[key](place.at(key), value, id) for key, value in table.items()}
        found[id] = OfUnit(**its, **({"zone": table["due"].tzinfo} if "due" in its else {}))
    return found


def _tables(top, given, name):
    """Return the tables of a name, such as [[extensions]], with their places."""
    tables = given.get(name, [])
    is_list = isinstance(tables, list) and all(isinstance(one, dict) for one in tables)
    values.require(Place(top.path, top.text, name, 0), is_list, f"a table with two brackets, [[{name}]]", tables)
    return [(Place(top.path, top.text, name, number), table) for number, table in enumerate(tables)]


def _exercises(place, value, unit):
    known = [exercise.name for exercise in find_unit(unit).exercises]
    values.require(place, isinstance(value, list), f"a list of exercises of this unit: {', '.join(known)}", value)
    for name in value:
        values.require(place, name in known, f"a list of exercises of this unit: {', '.join(known)}", name)
    values.require(place, len(set(value)) < len(known), "a list that leaves one exercise at least to count", value)
    return tuple(dict.fromkeys(value))


def _points(place, value, unit):
    known = [exercise.name for exercise in find_unit(unit).exercises]
    values.require(place, isinstance(value, dict), f"points of exercises, such as {{ {known[0]} = 2 }}", value)
    for name, points in value.items():
        values.require(place, name in known, f"points of exercises of this unit: {', '.join(known)}", name)
        is_more = values.number(place, points) > 0
        values.require(place, is_more, "points above 0; `without` leaves an exercise out", points)
    return dict(value)


def _curve(place, value):
    values.require(place, isinstance(value, dict) and value, "such as { add = 1 } or { times = 1.1 }", value)
    values.only(place, value, ("times", "add"))
    return Curve(**{key: values.number(place, number) for key, number in value.items()})


OF_UNIT: Mapping[str, Callable[[Place, Any, str], Any]] = {  # each is called with the id of the unit, too
    "due": lambda place, value, unit: values.plain_time(place, value),
    "weight": lambda place, value, unit: values.number(place, value),
    "without": _exercises,
    "points": _points,
    "curve": lambda place, value, unit: _curve(place, value),
    "hints": lambda place, value, unit: values.flag_or_time(place, value),
    "solutions": lambda place, value, unit: values.time(place, value),
    "exam": lambda place, value, unit: values.flag(place, value),
}


def _late(top, table):
    place = Place(top.path, top.text, "late")
    values.require(place, isinstance(table, dict), "a table, [late]", table)
    values.with_keys(place, table, ("percent_per_day",), ("grace_minutes", "late_days"))
    days = values.whole(place.at("late_days"), table.get("late_days", 0))
    share = values.number(place.at("percent_per_day"), table["percent_per_day"])
    return Late(share, values.number(place.at("grace_minutes"), table.get("grace_minutes", 0)), days)


def _whose(place, table):
    return values.text(place.at("student"), table["student"]), values.unit(place.at("unit"), table["unit"])


def _extension(place, table, found):
    """Return student and unit, and when it is due for them: at a time, or some days after the others."""
    values.with_keys(place, table, ("student", "unit"), ("due", "days"))
    key = _whose(place, table)
    is_one = ("due" in table) != ("days" in table)
    values.require(place, is_one, "a table with either due or days", values.listed(table))
    if "due" in table:
        return key, values.plain_time(place.at("due"), table["due"])
    due = found[key[1]].due if key[1] in found else None
    expected = f"a time, due, since [units.{key[1]}] has no date from which days could be counted"
    values.require(place.at("days"), due is not None, expected, table["days"])
    return key, due + timedelta(days=values.number(place.at("days"), table["days"]))


def _excuse(place, table):
    values.with_keys(place, table, ("student", "unit"), ("why",))
    return _whose(place, table), values.text(place.at("why"), table["why"]) if "why" in table else ""


def _left(place, table):
    values.with_keys(place, table, ("student", "since"))
    student = values.text(place.at("student"), table["student"])
    return student, values.plain_time(place.at("since"), table["since"])


def _adjustment(place, table):
    values.with_keys(place, table, ("exercise", "claim", "give"))
    name = table["exercise"]
    near = get_close_matches(str(name), names(), n=3, cutoff=0.4) or names()
    values.require(place.at("exercise"), name in names(), f"an exercise, such as {', '.join(near)}", name)
    give = values.one_of(place.at("give"), table["give"], (EVERYBODY, HANDED_IN))
    return Adjustment(name, _claim(place.at("claim"), table["claim"], find(name)), give)


def _claim(place: Place, text: Any, exercise: Exercise) -> str:
    """Return the name of the claim that a text means: word for word, or by a part that only one has."""
    known = [claim.name for claim in exercise.claims]
    plain = " ".join(str(text).split()).casefold()
    meant = [name for name in known if name.casefold() == plain] or [name for name in known if plain in name.casefold()]
    quoted = "; ".join(f"“{name}”" for name in known)
    expected = f"a claim of {exercise.name}, or a part of just one: {quoted}"
    values.require(place, plain and len(meant) == 1, expected, text)
    return meant[0]
