"""Sets one decision in `course.toml`, and leaves its comments and its layout as they are."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from autograder.decisions.lines import HEADER, line_of, plain
from autograder.decisions.reading import OF_UNIT, read_text, text_of
from autograder.decisions.values import listed
from autograder.registry import units
from autograder.whole_file import write_atomically

TOP = ("missing", "drop_lowest")
LATE = ("late.percent_per_day", "late.grace_minutes", "late.late_days")
WITH_PARTS = {"points": "EXERCISE", "curve": "add"}  # of a unit: a key that has keys of its own
PEOPLE = ("extensions", "excused")
ENTRIES = {  # of the lists: how many values there have to be, what they are called, and what they are
    "extensions": (1, ("days",), "a number of days, or a time"),
    "excused": (0, ("why",), "a reason, or nothing"),
    "adjust": (2, ("claim", "give"), 'the claim and for whom it counts, "everybody" or "whoever handed in"'),
    "left": (1, ("since",), "a time"),
}
KEYS = (
    *TOP,
    *LATE,
    *(f"NN.{key}" + (f".{WITH_PARTS[key]}" if key in WITH_PARTS else "") for key in OF_UNIT),
    *(f"{name}.STUDENT.NN" for name in PEOPLE),
    "adjust.EXERCISE",
    "left.STUDENT",
)


def set_decision(path: Path, key: str, said: Sequence[str], remove: bool = False) -> None:
    """Set a decision, or remove it; nothing is written where the file would have no meaning then.

    Parameters
    ----------
    path : Path
        Of the file; it is made where there is none.
    key : str
        One of `KEYS`, with the number of a unit for NN.
    said : sequence of str
        The value, as it is typed: of `without` the exercises, of `adjust` the claim and for whom it counts.
    remove : bool

    Raises
    ------
    ValueError
        If there is no such key, or the value has no meaning; the message says what is possible.
    """
    text = text_of(path)
    read_text(path, text)
    head, *rest = key.split(".")
    if head in PEOPLE and len(rest) > 1:
        changed = _with_entry(text, head, {"student": ".".join(rest[:-1]), "unit": rest[-1]}, said, remove)
    elif head == "adjust" and len(rest) == 1:
        changed = _with_entry(text, head, {"exercise": rest[0]}, said, remove)
    elif head == "left" and rest:
        changed = _with_entry(text, head, {"student": ".".join(rest)}, said, remove)
    else:
        changed = _with_key(text, _place(text, key), said, remove)
    read_text(path, changed)
    write_atomically(path, changed)


def decided(path: Path) -> dict[str, str]:
    """Return all that a file sets, by the keys with which `set_decision` sets it."""
    return dict(_flat(tomllib.loads(text_of(path))))


def _flat(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in given.items():
        if name == "units":
            yield from (pair for unit, table in value.items() for pair in _of_table(unit, table))
        elif name == "adjust":
            yield from ((f"adjust.{one['exercise']}", f"{one['claim']}, {one['give']}") for one in value)
        elif name == "left":
            yield from ((f"left.{one['student']}", _shown(one["since"])) for one in value)
        elif name in PEOPLE:
            for one in value:
                more = [_shown(its) for key, its in one.items() if key not in ("student", "unit")]
                yield f"{name}.{one['student']}.{one['unit']}", ", ".join(more)
        else:
            yield from _of_table(name, value)


def _of_table(name, value):
    if isinstance(value, dict):
        for key, its in value.items():
            yield from _of_table(f"{name}.{key}", its)
    else:
        yield name, _shown(value)


def _shown(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return " ".join(map(_shown, value))
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _place(text, key):
    """Return the names of the tables in which a key stands, and its own, as the file has them."""
    if key in (*TOP, *LATE):
        return key.split(".")
    head, *rest = key.removeprefix("units.").split(".")
    ids = [unit.id for unit in units() if unit.id == head or (head.isdecimal() and unit.id.startswith(f"{head:0>2}_"))]
    is_whole = rest and rest[0] in OF_UNIT and len(rest) == 1 + (rest[0] in WITH_PARTS)
    if not ids or not is_whole:
        names = [one.replace("NN", head, 1) for one in KEYS] if ids else KEYS
        near = [one for one in names if one.startswith(f"{key}.")] or get_close_matches(key, names, n=1)
        ask = f" Did you mean {near[0]}?" if near else ""
        raise ValueError(f"there is nothing called {key} to be set.{ask} Possible: {listed(names)}")
    there = tomllib.loads(text).get("units", {})
    name = next((name for name in there if name in (ids[0], ids[0][:2], str(int(ids[0][:2])))), ids[0])
    return ["units", name, *rest]


def _with_key(text, place, said, remove):
    """Return a text in which a key of some tables has another value, or is gone."""
    *tables, key = place
    depth = tables[:2] if tables[:1] == ["units"] else tables
    if not remove:
        text = _uncommented(text, ".".join(depth), place[len(depth)])
    document = tomlkit.parse(text)
    inside: Any = document
    for number, name in enumerate(tables):
        if remove and name not in inside:
            raise ValueError(f"{'.'.join(place)} is not set")
        is_inline = number == len(depth)
        new = tomlkit.inline_table() if is_inline else tomlkit.table(is_super_table=name == "units")
        inside = inside.setdefault(name, new)
    if not remove:
        inside[key] = list(said) if key == "without" else _value(place, said)
    elif key in inside:
        del inside[key]
    else:
        raise ValueError(f"{'.'.join(place)} is not set")
    return tomlkit.dumps(document)


def _value(place, said):
    if len(said) != 1:
        raise ValueError(f"{'.'.join(place)} takes one value; found {len(said)}")
    return _typed(said[0])


def _typed(text):
    """Return the value that a text is in TOML; what is none is a text."""
    try:
        return tomlkit.parse(f"x = {text}\n")["x"]
    except TOMLKitError:
        return text


def _uncommented(text, table, key):
    """Let the line count that sets a key of a table in a comment, as in the template; its value is replaced later."""
    lines = text.splitlines(keepends=True)
    heading = f"# [{table}]"
    if heading in map(str.rstrip, lines) and table not in tomllib.loads(text):
        number = [line.rstrip() for line in lines].index(heading)
        lines[number] = lines[number].removeprefix("# ")
    here, found = "", None
    for number, line in enumerate(lines):
        match = HEADER.match(line)
        here = plain(match[2]) if match else here
        if here == table and re.match(rf"[\"']?{re.escape(key)}[\"']?\s*=", line):
            return text
        if here == table and found is None and re.match(rf"# {re.escape(key)} = ", line):
            found = number
    if found is not None:
        lines[found] = f"{key} = {{}}\n" if key in WITH_PARTS else lines[found].removeprefix("# ")
    return "".join(lines)


def _with_entry(text, name, whose, said, remove):
    """Return a text in which the table of a list that is about some key is another one, a new one, or gone."""
    document = tomlkit.parse(text)
    entries = document.get(name, [])
    number = next((n for n, one in enumerate(entries) if _is_about(one, whose)), None)
    if remove:
        if number is None:
            raise ValueError(f"{name} of {listed(whose.values())} is not set")
        del entries[number]
        if not entries:
            del document[name]
        return tomlkit.dumps(document)
    its = {**whose, **_entry(name, said)}
    if number is not None:
        for key in entries[number].keys() - its.keys():
            del entries[number][key]
        entries[number].update({key: its[key] for key in its.keys() - whose.keys()})
        return tomlkit.dumps(document)
    table = tomlkit.table()
    table.update(its)
    if not entries:
        document[name] = entries = tomlkit.aot()
    entries.append(table)
    lines = tomlkit.dumps(document).splitlines(keepends=True)
    number = line_of("".join(lines), name, len(entries) - 1) - 1
    if number and lines[number - 1].strip():
        lines.insert(number, "\n")
    return "".join(lines)


def _is_about(table, whose):
    """Return whether a table is about the same; the number of a unit may be written in several ways."""
    its, wanted = ({key: str(one.get(key, "")) for key in whose} for one in (table, whose))
    units_of = [f"{one.pop('unit', ''):0>2}"[:2] for one in (its, wanted)]
    return its == wanted and units_of[0] == units_of[1]


def _entry(name, said):
    """Return the other keys of a table in a list."""
    least, keys, what = ENTRIES[name]
    if not least <= len(said) <= len(keys):
        raise ValueError(f"{name} takes {what}; found {len(said)} values")
    if name in ("extensions", "left"):
        value = _typed(said[0])
        return {"due" if name == "extensions" and isinstance(value, datetime) else keys[0]: value}
    return dict(zip(keys, said, strict=False))
