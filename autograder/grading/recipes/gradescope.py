"""Makes what Gradescope reads of what `course judge` has written.

The fields are those of https://gradescope-autograders.readthedocs.io/en/latest/specs/
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder.registry import find_unit
from autograder.whole_file import write_atomically

VISIBILITIES = ("visible", "after_due_date", "after_published", "hidden")
NO_NOTEBOOK = "No notebook was handed in. Hand in the .ipynb file that Jupyter saves."


class Undecided(Exception):
    """The grading itself has failed, so that no score can be given."""


def results(judged: Mapping[str, Any], units: Sequence[str] = (), visibility: str = "visible") -> dict[str, Any]:
    """Return the content of results.json.

    Parameters
    ----------
    judged : dict
        What `course judge` has written; "notebooks" is all that is needed of it.
    units : sequence of str
        Ids of those that the assignment asks for; all that were handed in when empty.
    visibility : str
        When students see a test.

    Raises
    ------
    Undecided
        If there is no verdict on an exercise of a notebook that counts.
    """
    notebooks = [one for one in judged["notebooks"] if not units or not one["unit"] or one["unit"] in units]
    best = _best(notebooks)
    for one in best.values():
        if one["problem"]:
            raise Undecided(f"{one['file']}: {one['problem']}")
    missing = [unit for unit in units if unit not in best]
    tests = [_test(unit, exercise) for unit, one in best.items() for exercise in one["exercises"]]
    tests += [_not_handed_in(unit, exercise) for unit in missing for exercise in find_unit(unit).exercises]
    shown = {"visibility": visibility, "output_format": "text"}
    return {
        "score": round(sum(test["score"] for test in tests), 6),
        "output": "\n".join(_remarks(judged["notebooks"], notebooks, best)),
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": [test | shown for test in tests],
    }


def _best(notebooks):
    """Return by unit the notebook that counts: that with the most points; of several, the first."""
    best = {}
    for one in notebooks:
        if one["unit"] and _worth(one) > _worth(best.get(one["unit"])):
            best[one["unit"]] = one
    return best


def _worth(one):
    return -2 if one is None else -1 if one["problem"] else one["points"]


def _test(unit, exercise):
    name = f"{unit[:2]} {exercise['name']}"
    status = "passed" if exercise["points"] >= exercise["max"] else "failed"
    scores = {"score": exercise["points"], "max_score": exercise["max"], "status": status}
    return {"name": name, **scores, "output": exercise["report"]}


def _not_handed_in(unit, exercise):
    told = {"name": exercise.name, "points": 0, "max": exercise.points, "report": f"No notebook of {unit} was judged."}
    return _test(unit, told)


def _remarks(everything, wanted, best):
    """Say what was mended, what could not be judged, and what does not count."""
    if not everything:
        yield NO_NOTEBOOK
    for one in everything:
        file = Path(one["file"]).name
        if one not in wanted:
            yield f"{file}: this assignment does not ask for {one['unit']}."
        elif not one["unit"]:
            yield f"{file} was not judged: {one['problem']}"
        elif one is not best[one["unit"]]:
            yield f"{file}: another notebook of {one['unit']} counts, since it has at least as many points."
        else:
            yield from (f"{file}: {sentence}" for sentence in one["repairs"])


def main() -> int:
    """Read one file and write the other; the exit status is 1, and nothing is written, where no score can be given."""
    parser = argparse.ArgumentParser(description="Write results.json of what `course judge --json` has written.")
    parser.add_argument("judged", type=Path, help="empty where there was no notebook to judge")
    parser.add_argument("results", type=Path)
    parser.add_argument("--visibility", choices=VISIBILITIES, default="visible")
    parser.add_argument("--units", nargs="*", default=())
    options = parser.parse_args()
    judged = json.loads(options.judged.read_text(encoding="utf-8") or '{"notebooks": []}')
    try:
        made = results(judged, options.units, options.visibility)
    except Undecided as why:
        print(why, file=sys.stderr)
        return 1
    write_atomically(options.results, json.dumps(made, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
