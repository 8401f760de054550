"""When learners may see the course's own functions, and their lookalikes: in a learners' edition, from a date on."""

import json
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from autograder.registry import find_unit
from autograder.sources import lookalike_of, source_of
from autograder.times import moment

PACKED = "solutions.z"  # beside this file; so that no answer can be read in passing, not so that nobody can
NOT_HERE = "This edition of the course does not hold its solutions. Ask your instructor."
NOT_YET = "The solution of `{name}` can be seen from {day} on, which is what your instructor has decided."


class NotShown(Exception):
    """A solution is not shown; the message says why."""


def shown(name: str, now: datetime | None = None) -> str:
    """Return the source of the course's function with this name.

    Parameters
    ----------
    name : str
        Of the exercise.
    now : datetime, optional
        The time of this machine when left out.

    Raises
    ------
    NotShown
        In an edition that does not hold it, or not yet.
    """
    return _shown(name, now, "source", source_of)


def lookalike_shown(name: str, now: datetime | None = None) -> str:
    """Return the source of an exercise's lookalike, which is one change away from the solution, as `shown` does."""
    return _shown(name, now, "lookalike", lookalike_of)


def _shown(name, now, part, write):
    try:
        return write(name)
    except OSError:  # packed, as in the learners' edition
        packed = Path(__file__).with_name(PACKED)
    kept = json.loads(zlib.decompress(packed.read_bytes())) if packed.is_file() else {}
    if name not in kept:
        raise NotShown(NOT_HERE)
    opens = datetime.fromisoformat(kept[name]["from"])
    if (now or datetime.now(UTC)) < opens:
        raise NotShown(NOT_YET.format(name=name, day=moment(opens)))
    return kept[name][part]


def packed(dates: Mapping[str, datetime]) -> bytes:
    """Return the file with the solutions of some units.

    Parameters
    ----------
    dates : dict
        By id of the unit, the time (with its zone) from which its solutions are shown.

    Returns
    -------
    bytes
    """
    kept = {
        exercise.name: {
            "from": opens.isoformat(),
            "source": source_of(exercise.name),
            "lookalike": lookalike_of(exercise.name) if exercise.lookalike else "",
        }
        for unit, opens in dates.items()
        for exercise in find_unit(unit).exercises
    }
    return zlib.compress(json.dumps(kept, sort_keys=True).encode(), level=9)
