"""The values in a TOML file, each with its place, so that one that has no meaning is told with its line."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from autograder.decisions.lines import line_of
from autograder.registry import units

TIME = "a time with its zone, such as 2026-12-04T23:59:00+01:00"
MAX_SHOWN = 80  # characters of a value


@dataclass(frozen=True)
class Place:
    """A table of the file, and a key in it."""

    path: Path
    text: str
    table: str = ""
    number: int = 0
    key: str = ""

    def at(self, key: str) -> "Place":
        """Return the place of a key in this table."""
        return Place(self.path, self.text, self.table, self.number, key)

    def wrong(self, expected: str, found: Any) -> ValueError:
        """Return the error that says what is expected here and what was found, with the line."""
        line = line_of(self.text, self.table, self.number, self.key)
        where = f" {self.key}" if self.key else ""
        return ValueError(f"{self.path}, line {line}:{where} should be {expected}; found {shown(found)}")


def only(place: Place, table: Mapping[str, Any], known: Collection[str]) -> None:
    """Refuse a key that has no meaning, and name the nearest that has one."""
    for key in table:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            ask = f" Did you mean {near[0]}?" if near else ""
            raise ValueError(f"{place.at(key).wrong(f'one of {listed(known)}', key)}.{ask}")


def with_keys(place: Place, table: Mapping[str, Any], required: Sequence[str], possible: Sequence[str] = ()) -> None:
    """Refuse a table in which a required key is missing, or another key stands."""
    only(place, table, (*required, *possible))
    lacking = [key for key in required if key not in table]
    require(place, not lacking, f"a table with {listed(required)}", f"no {listed(lacking, ' and no ')}")


def require(place: Place, holds: object, expected: str, found: Any) -> None:
    """Raise the error of a place, unless something holds."""
    if not holds:
        raise place.wrong(expected, found)


def unit(place: Place, value: Any) -> str:
    """Return the id of a unit that is given by its id, or by the number with which it begins."""
    known = [unit.id for unit in units()]
    number = f"{value:0>2}_" if isinstance(value, str) and value.isdecimal() else value
    matching = [id for id in known if id == value or (isinstance(number, str) and id.startswith(number))]
    require(place, len(matching) == 1, f"a unit, one of {', '.join(known)}", value)
    return matching[0]


def time(place: Place, value: Any) -> datetime:
    """Return a time that has its zone."""
    require(place, isinstance(value, datetime) and value.tzinfo is not None, TIME, value)
    return value


def plain_time(place: Place, value: Any) -> datetime:
    """Return a time in UTC, without its zone."""
    return time(place, value).astimezone(UTC).replace(tzinfo=None)


def number(place: Place, value: Any) -> float:
    """Return a number that is not negative."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    require(place, is_number and 0 <= value < float("inf"), "a number, 0 or more", value)
    return value


def whole(place: Place, value: Any) -> int:
    """Return a whole number that is not negative."""
    require(place, type(value) is int and value >= 0, "a whole number, 0 or more", value)
    return value


def flag(place: Place, value: Any) -> bool:
    """Return true or false."""
    require(place, isinstance(value, bool), "true or false", value)
    return value


def flag_or_time(place: Place, value: Any) -> bool | datetime:
    """Return true, false, or a time that has its zone."""
    is_time = isinstance(value, datetime) and value.tzinfo is not None
    require(place, isinstance(value, bool) or is_time, f"true, false, or {TIME}", value)
    return value


def one_of(place: Place, value: Any, known: Sequence[Any]) -> Any:
    """Return one of some values."""
    require(place, any(type(value) is type(one) and value == one for one in known), listed(known, " or "), value)
    return value


def text(place: Place, value: Any) -> str:
    """Return a text that is not empty."""
    require(place, isinstance(value, str) and value.strip(), "a text in quotation marks", value)
    return value


def listed(known: Iterable[Any], word: str = ", ") -> str:
    """Return values in a row."""
    return word.join(str(one) for one in known)


def shown(value: Any) -> str:
    """Return a value as a message shows it."""
    text = str(value)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"
