"""What one run of grading leaves for the next, in the file `intake.json` of the class's folder."""

import errno
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from autograder.grading.intake.find.missing import WithoutNotebook
from autograder.whole_file import write_atomically

KINDS = {  # of the file's fields
    "refusals": list,
    "nothing": dict,
    "gradebook": dict,
    "numbers": list,
    "decided": str,
    "left_behind": dict,
    "written": list,
    "archives": dict,
    "ids": list,
}


class State:
    """What the runs so far have left for the next one.

    Parameters
    ----------
    path : Path
        Of the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def note_intake(self, refusals: Iterable[str], nothing: Iterable[WithoutNotebook]) -> None:
        """Keep for the report what the last run refused, and who has ever had a place without a notebook in it.

        Parameters
        ----------
        refusals : iterable of str
        nothing : iterable of WithoutNotebook
        """
        kept = self.nothing()
        for one in nothing:
            kept.setdefault(one.student, {})[one.unit] = one.words
        self.note(refusals=list(refusals), nothing=kept)

    def note(self, **fields: Any) -> None:
        """Keep something that the next run has to know."""
        write_atomically(self.path, json.dumps(self._fields() | fields, indent=1) + "\n")

    def refusals(self) -> list[str]:
        """Return what the last run refused."""
        return self._fields().get("refusals", [])

    def nothing(self) -> dict[str, dict[str, str]]:
        """Return by student and unit what there was in the place of a notebook, in words."""
        return self._fields().get("nothing", {})

    def gradebook(self) -> dict[str, int]:
        """Return by unit the number that the gradebook gave it when all students stood in it."""
        return self._fields().get("gradebook", {})

    def ids(self) -> list[str]:
        """Return all ids that were given to somebody, except those of people who have been forgotten."""
        return self._fields().get("ids", [])

    def numbers(self) -> list[int]:
        """Return the numbers that the gradebook of the last run may have; see `autograder.grading.stale`."""
        return self._fields().get("numbers", [])

    def decided(self) -> str:
        """Return the digest of the decisions that points follow; see `autograder.grading.settle`."""
        return self._fields().get("decided", "")

    def left_behind(self) -> dict[str, dict[str, Any]]:
        """Return by student and unit what people have given in a gradebook that is lost, by kind and cell."""
        return self._fields().get("left_behind", {})

    def written(self) -> list[str]:
        """Return the paths of what the course has written outside of the class's folder: exports, archives, keys."""
        return self._fields().get("written", [])

    def note_written(self, *paths: str | Path) -> None:
        """Keep where the course has written something that is about students, outside of the class's folder."""
        folder = self.path.parent.resolve()
        outside = [str(path) for path in (Path(path).resolve() for path in paths) if not path.is_relative_to(folder)]
        if set(outside) - set(self.written()):
            self.note(written=list(dict.fromkeys([*self.written(), *outside])))

    def archives(self) -> dict[str, str]:
        """Return by path of an archive that of its key; empty for an archive without one."""
        return self._fields().get("archives", {})

    def _fields(self):
        """Return what the last run has left for the next one; ValueError where it cannot be read."""
        if not self.path.exists():
            return {}
        if self.path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(self.path))
        fields = read_json(self.path)
        if not isinstance(fields, dict) or any(type(fields.get(k, kind())) is not kind for k, kind in KINDS.items()):
            raise ValueError(
                f"{self.path} should say who has handed in something else than a notebook, and who was taken out of "
                "the gradebook, and cannot be read. Take it from a backup. Without one, write {} into it, and grade "
                "again what was handed in, of all weeks."
            )
        return fields


def read_json(path: Path) -> Any:
    """Return the JSON in a file; None where there is none, or something else."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
