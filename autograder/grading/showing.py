"""All that is kept of one student, as somebody who asks for their own data is to be told."""

import json
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from autograder.grading.final import Final
from autograder.grading.gradebook import ClassGradebook
from autograder.grading.leaving import folders_of, names_of
from autograder.grading.opened import OpenedClass
from autograder.grading.ticked import read_ticked
from autograder.grading.traces import still_named
from autograder.grading.verdicts.store import Store
from autograder.whole_file import replacing

ABOUT = "about.json"
ONE_A_LINE = ("files", "also named in", "repairs", "notes")


def kept_of(opened: OpenedClass, store: Store, gradebook: ClassGradebook, student: str) -> dict[str, Any]:
    """Return what is kept of a student, in plain values.

    Parameters
    ----------
    opened : OpenedClass
    store : Store
    gradebook : ClassGradebook
    student : str
        Id.

    Returns
    -------
    dict

    Raises
    ------
    ValueError
        If there is nobody with this id.
    """
    names = names_of(store, gradebook, student)
    owner = opened.register.given.get(student, {})
    accounts = owner.get("accounts", {}) | owner.get("came as", {})
    person = opened.persons.of(student)
    on_roster = opened.persons.enrolled.get(student)
    files = sorted(path for folder in folders_of(store, gradebook, student) for path in _files(folder))
    own = {str(path.relative_to(store.folder)) for path in files if path.is_relative_to(store.folder)}
    marks = [mark for mark, other in read_ticked(store).items() if other == student]
    return {
        "student": student,
        "name": person.name,
        "first name": person.first,
        "last name": person.last,
        "email": person.email,
        "roster": dict(on_roster.cells) if on_roster else {},
        "section": on_roster.section if on_roster else "",
        "hands in with": [id for id in opened.roster.teams().get(student, ()) if id != student],
        "known to platforms as": {where: one for where, one in accounts.items() if where != "roster"},
        "submissions": {
            one.unit: _submission(opened, one, records) for one, records in opened.committed if one.student == student
        },
        "without a notebook": opened.nothing.get(student, {}),
        "given in a lost gradebook": store.state.left_behind().get(student, {}),
        "reasons to review that were ticked off": len(marks),
        "files": [str(path) for path in files],
        "also named in": [where for where in still_named(store, names) if where not in own],
    }


def _submission(opened, submission, records):
    """Return what is kept of one submission."""
    final = opened.finals.get((submission.student, submission.unit), Final(0.0))
    return {
        "handed in": submission.timestamp,
        "came in": submission.origin,
        "together with": [id for id in submission.together if id != submission.student],
        "points": final.points,
        "lateness": final.lateness,
        "points by hand": final.by_hand,
        "extra points": final.extra,
        "comments": final.comments,
        "verdicts": {record.exercise: [record.status, record.points, record.max_points] for record in records},
        "repairs": list(submission.repairs),
        "notes": list(submission.notes),
    }


def _files(folder: Path) -> Iterable[Path]:
    return (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def pack(told: dict[str, Any], store: Store, path: str | Path) -> None:
    """Write a zip with what is kept of a student: a description, and copies of all files that are theirs alone.

    Parameters
    ----------
    told : dict
        As `kept_of` returns it.
    store : Store
    path : path
        Of the zip; an existing file is replaced.
    """
    with replacing(Path(path)) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(ABOUT, json.dumps(told, indent=1, ensure_ascii=False) + "\n")
        for file in map(Path, told["files"]):
            inside = file.relative_to(store.folder) if file.is_relative_to(store.folder) else Path(*file.parts[-3:])
            archive.write(file, inside.as_posix())
    Path(path).chmod(0o600)


def lines_of(told: dict[str, Any]) -> list[str]:
    """Say in lines what is kept of a student; what is empty is left out."""
    lines = []
    for heading, value in told.items():
        if heading == "submissions":
            lines += [line for unit, its in value.items() for line in (f"{unit}:", *_lines(its, "  "))]
        else:
            lines += _lines({heading: value}, "")
    return lines


def _lines(told, indent):
    lines = []
    for heading, value in told.items():
        if value in ("", None, [], {}):
            continue
        if isinstance(value, dict):
            lines += [f"{indent}{heading}:", *_lines(value, f"{indent}  ")]
        elif isinstance(value, list) and heading in ONE_A_LINE:
            lines += [f"{indent}{heading}:", *(f"{indent}  {one}" for one in value)]
        else:
            values = value if isinstance(value, list) else [value]
            lines.append(f"{indent}{heading}: {', '.join('open' if one is None else str(one) for one in values)}")
    return lines
