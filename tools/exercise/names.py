"""Which unit is meant, and whether a name is free for the function of an exercise."""

import builtins
import keyword
import re
from collections.abc import Iterator
from pathlib import Path

from tools.exercise.places import REFERENCE


class Refused(ValueError):
    """No exercise can be begun like this; the message says why."""


def unit_called(root: Path, wanted: str) -> str:
    """Return the id of the unit that a number or an id names.

    Raises
    ------
    Refused
        If there is none.
    """
    ids = sorted(path.name.removeprefix("unit_") for path in (root / "autograder" / "exercises").glob("unit_*"))
    chosen = [id for id in ids if wanted in (id, id[:2])]
    if not chosen:
        raise Refused(f"There is no unit {wanted!r}. The units are:\n  " + "\n  ".join(ids))
    return chosen[0]


def require_free(root: Path, unit_id: str, name: str) -> None:
    """Require that the name of a new exercise is a good one, and that nothing else has it.

    Raises
    ------
    Refused
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise Refused(f"{name!r} is no name for a function: small letters, digits and underscores, as in log_sum_exp.")
    if hasattr(builtins, name):
        raise Refused(f"{name} is a function of Python itself, which the exercise would hide.")
    for path, line in _others(root, f"unit_{unit_id}", name):
        raise Refused(
            f"{name} is taken: {path.relative_to(root).as_posix()}, line {line}. Learners could call what stands there "
            "instead of writing their own, or the two could be mistaken for each other. Choose another name."
        )


def _others(root, package, name) -> Iterator[tuple[Path, int]]:
    """Yield where the name stands for something else than an exercise of this unit."""
    for path in sorted((root / "autograder" / "exercises").glob(f"unit_*/{name}.py")):
        if path.parent.name != package or "EXERCISE = Exercise(" not in path.read_text(encoding="utf-8"):
            yield path, 1
    for path in sorted((root / "shared" / "transformer_kit").rglob("*.py")):
        lines = path.read_text(encoding="utf-8").splitlines()
        if path != root / REFERENCE / f"{package}.py":
            yield from ((path, number) for number, line in enumerate(lines, 1) if line.startswith(f"def {name}("))
