"""The archives that a class has made, and their keys, which tell who is who: known, so that somebody can leave them."""

import csv
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from autograder.grading.verdicts.store import Store
from autograder.whole_file import replacing, write_atomically


def write_archive(path: Path, files: Mapping[str, str]) -> None:
    """Write a zip of texts by their names."""
    with replacing(path) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)


def as_key(names: Mapping[str, str]) -> str:
    """Return the table of pseudonyms as the text of a CSV file."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(
        [("pseudonym", "student"), *sorted((n, i) for i, n in names.items())]
    )
    return text.getvalue()


def note_archive(store: Store, path: str | Path, key: str | Path | None) -> None:
    """Keep where an archive and its key are, so that somebody can be taken out of both."""
    places = {str(Path(path).resolve()): str(Path(key).resolve()) if key else ""}
    store.state.note(archives=store.state.archives() | places)
    store.state.note_written(path, *([key] if key else []))


def forget_in_archives(store: Store, student: str) -> list[str]:
    """Take a student out of archives whose keys still tell who is who; return their paths.

    Of an archive without a key nobody knows which lines are whose.
    """
    changed = []
    for path, key in store.state.archives().items():
        names = _read_key(key)
        if student not in names.values():
            continue
        gone = next(pseudonym for pseudonym, id in names.items() if id == student)
        left = {id: pseudonym for pseudonym, id in names.items() if id != student}
        write_atomically(Path(key), as_key(left))
        Path(key).chmod(0o600)
        if Path(path).is_file():
            _take_out(Path(path), gone)
            changed.append(path)
        changed.append(key)
    return changed


def _read_key(key):
    """Return the ids by pseudonym; nothing where the file is gone."""
    if not (key and Path(key).is_file()):
        return {}
    with Path(key).open(newline="", encoding="utf-8") as file:
        return {row["pseudonym"]: row["student"] for row in csv.DictReader(file) if row.get("student")}


def _take_out(path, pseudonym):
    """Write an archive anew without the lines of one pseudonym."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    for name in (name for name in files if name.endswith(".csv")):
        lines = files[name].splitlines(keepends=True)
        files[name] = "".join(line for line in lines if line.partition(",")[0] != pseudonym)
    write_archive(path, files)
