"""Which reasons to review the instructor has seen to: they leave the list, until there is a new reason."""

import csv
import json
from collections.abc import Collection
from typing import Any

from autograder.decisions.decided import MISSING
from autograder.grading.verdicts.store import Store
from autograder.whole_file import write_atomically

REVIEW = "report/review.csv"


def read_ticked(store: Store) -> dict[str, str]:
    """Return the student of every reason that was ticked off, by its mark."""
    try:
        known = json.loads(_path(store).read_text(encoding="utf-8"))
        return {str(mark): str(student) for mark, student in known.items()}
    except FileNotFoundError:
        return {}
    except (ValueError, AttributeError):
        raise ValueError(
            f"{_path(store)} should say what you have ticked off, and cannot be read. Delete it, and tick again."
        ) from None


def tick(
    store: Store, students: Collection[str] = (), units: Collection[str] | None = None, undo: bool = False
) -> dict[str, Any]:
    """Tick off what the last report lists of some students and units, or list it again.

    Parameters
    ----------
    store : Store
    students : collection of str
        Ids; everybody's when left out, also what is nobody's.
    units : collection of str, optional
        Ids; all when left out.
    undo : bool
        List it again.

    Returns
    -------
    dict
        How many reasons were "ticked" (or listed again), and how many are "left".

    Raises
    ------
    ValueError
        If there is no report yet, or somebody is not in its list.
    """
    rows = _rows(store)
    listed = {row["student"] for row in rows}
    unknown = [student for student in students if student not in listed]
    if unknown:
        everybody = ", ".join(sorted(filter(None, listed))) or "nobody"
        raise ValueError(f"the report lists no reason to review {', '.join(unknown)}; it lists {everybody}")
    ticked = read_ticked(store)
    wanted = {
        row["mark"]: row["student"]
        for row in rows
        if (not students or row["student"] in students) and (units is None or row["unit"] in units)
    }
    changed = wanted.keys() & ticked.keys() if undo else wanted.keys() - ticked.keys()
    kept = {mark: student for mark, student in ticked.items() if mark not in wanted} if undo else ticked | wanted
    write_ticked(store, kept)
    return {"ticked": len(changed), "left": sum(row["mark"] not in kept for row in rows)}


def write_ticked(store: Store, ticked: dict[str, str]) -> None:
    """Keep the student of every reason that was ticked off, by its mark."""
    write_atomically(_path(store), json.dumps(ticked, indent=1) + "\n")


def _rows(store):
    """Return the lines of the last report's list, but those of whoever has simply handed in nothing."""
    path = store.folder / REVIEW
    if not path.is_file():
        raise ValueError(f"there is no {path} yet. Grade first, or write the report again: course report")
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if rows and "mark" not in rows[0]:
        raise ValueError(f"{path} is of an older version of the course. Write it again: course report")
    return [row for row in rows if row["reason"] != MISSING]


def _path(store):
    return store.folder / "ticked.json"
