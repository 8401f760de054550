"""How long something takes, added up and in words."""

from collections.abc import Iterable
from datetime import datetime

SHORT = 120  # minutes: longer times are told in hours


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


def moment(time: datetime) -> str:
    """Write a date and time with its zone, such as 4 December 2026, 23:59 (UTC+01:00)."""
    return f"{time.day} {time:%B %Y, %H:%M} ({time.tzname()})"


def in_words(span: tuple[int, int]) -> str:
    """Write a time: 45 to 70 minutes, 2.5 to 4 hours."""
    least, most = span
    if least == most:
        return f"{most} minutes"
    if most <= SHORT:
        return f"{least} to {most} minutes"
    return f"{round(least / 30) / 2:g} to {round(most / 30) / 2:g} hours"
