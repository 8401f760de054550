"""How long the units take: what `make build` has worked out, by the rule of `tools/times.py`."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_suffix(".json")
SHORT = 120  # minutes: longer times are told in hours


def sittings(unit_id: str) -> tuple[tuple[int, int], ...]:
    """Return the times of a unit.

    Parameters
    ----------
    unit_id : str

    Returns
    -------
    tuple of (int, int)
        Minutes of a quick and of a thorough reader, for each sitting.
    """
    return tuple(tuple(span) for span in _all()[unit_id])


@cache
def _all():
    return json.loads(FILE.read_text(encoding="utf-8"))


def total(spans: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Add up times.

    Parameters
    ----------
    spans : iterable of (int, int)

    Returns
    -------
    least, most : int
    """
    least, most = zip(*spans, strict=True)
    return sum(least), sum(most)


def in_words(span: tuple[int, int]) -> str:
    """Write a time: 45 to 70 minutes, 2.5 to 4 hours."""
    least, most = span
    if least == most:
        return f"{most} minutes"
    if most <= SHORT:
        return f"{least} to {most} minutes"
    return f"{round(least / 30) / 2:g} to {round(most / 30) / 2:g} hours"
