"""How long the units take: what `make build` has worked out, by the rule of `tools/times.py`."""

import json
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_suffix(".json")


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
