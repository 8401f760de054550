"""The learners' edition: the course without the instructor's notebooks, and without the source of its answers."""

import json
import shutil
import tomllib
import zipfile
import zlib
from base64 import b85encode
from pathlib import Path

from autograder.authoring.build import hints_folder
from autograder.authoring.in_class import adapt
from autograder.authoring.own_cells import own_hints
from autograder.authoring.stamp import is_edited
from autograder.compiled import FILE, packed_texts
from autograder.compiled import PACKED as MARK
from autograder.decisions.decided import Decisions
from autograder.decisions.here import FILE as OF_CLASS
from autograder.decisions.here import for_learners
from autograder.own import EXERCISES, HINTS, SHIPPED, own_folder
from autograder.registry import course, units
from autograder.solutions import PACKED, packed

PACKAGES = ("autograder", "shared")
FILES = ("LICENSE", "LICENSE-CC-BY-4.0.md")
RELEASED = "released"  # notebooks as they are, for `course reset`
LEFT_OUT = shutil.ignore_patterns("__pycache__", ".*", "*.pyc", "my_transformer")
README = """\
# The building blocks of the Transformer

A notebook course in NumPy. It needs Python {versions}.

```sh
pip install -e .
course lab
```

Then open START_HERE. `course progress` shows how far you are, and `course reset NN` sets a notebook back.
"""
MODULE = '''\
{mark}import zlib
from base64 import b85decode

exec(compile(zlib.decompress(b85decode("{text}")), "{name}", "exec", dont_inherit=True))
'''
DATE = (1980, 1, 1, 0, 0, 0)  # the same zip for the same course


class NotReleased(Exception):
    """A notebook is not as it was released; the message says which."""


def write_edition(
    source: Path | str,
    folder: Path | str,
    notebooks: Path | str | None = None,
    decisions: Decisions | None = None,
) -> None:
    """Write the learners' edition into a new folder.

    Parameters
    ----------
    source : path
        Folder of the course's repository.
    folder : path
        Must not exist.
    notebooks : path, optional
        The folder of the class's notebooks; those of the repository when left out.
    decisions : Decisions, optional
        Of the class: what counts, when it is due, and from when on hints and solutions are shown; without a time,
        solutions never are.

    Raises
    ------
    NotReleased
        If somebody has worked in one of the course's own notebooks.
    FileExistsError
    """
    source, folder, decisions = Path(source), Path(folder), decisions or Decisions()
    notebooks = Path(notebooks or source / "notebooks")
    edited = [unit.id for unit in units() if is_edited(notebooks / unit.id / f"{unit.id}.ipynb")]
    if edited:
        raise NotReleased(f"somebody has worked in the notebooks of {', '.join(edited)}: `course reset` sets them back")
    folder.mkdir(parents=True)
    for part in (*(source / name for name in PACKAGES), notebooks):
        shutil.copytree(part, folder / part.name, ignore=LEFT_OUT)
    for unit in units():
        shutil.copytree(notebooks / unit.id, folder / RELEASED / unit.id, ignore=LEFT_OUT)
    _add_own(folder / "autograder" / SHIPPED.name)
    for name in FILES:
        shutil.copyfile(source / name, folder / name)
    settings = (source / "pyproject.toml").read_text(encoding="utf-8")
    versions = tomllib.loads(settings)["project"]["requires-python"]
    (folder / "README.md").write_text(README.format(versions=versions), encoding="utf-8")
    (folder / "pyproject.toml").write_text(settings, encoding="utf-8")
    for part in answers(folder):
        for path in sorted(part.rglob("*.py")):
            text = pack(path.read_bytes(), path.relative_to(folder).as_posix())
            path.write_text(text, encoding="utf-8")
    (folder / "autograder" / FILE).write_bytes(packed_texts())
    if decisions.solutions:
        (folder / "autograder" / PACKED).write_bytes(packed(decisions.solutions))
    _follow(folder, notebooks.name, decisions)


def _add_own(folder):
    """Write the exercises that the class has added, with their hints, and nothing that is private."""
    own = own_folder()
    for unit in units() if own else ():
        path = own / unit.id / EXERCISES
        if path.is_file():
            (folder / unit.id).mkdir(parents=True)
            shutil.copyfile(path, folder / unit.id / EXERCISES)
            hints = json.dumps(own_hints(unit), ensure_ascii=False)
            (folder / unit.id / HINTS).write_text(hints, encoding="utf-8")


def _follow(folder: Path, notebooks: str, decisions: Decisions) -> None:
    """Let the notebooks, and what `check` and `progress` say, be those of a class; hints that never open go."""
    if not decisions.units:
        return
    (folder / "autograder" / OF_CLASS).write_text(for_learners(decisions), encoding="utf-8")
    for part in (notebooks, RELEASED):
        for path in (folder / part).rglob("*.ipynb"):
            adapt(path, decisions)
    for unit, its in decisions.units.items():
        if its.exam or its.hints is False:
            (folder / hints_folder() / f"{unit}.json").unlink(missing_ok=True)
            (folder / "autograder" / SHIPPED.name / unit / HINTS).unlink(missing_ok=True)


def answers(folder: Path) -> list[Path]:
    """Return the folders in a copy of the course that hold right functions, and wrong ones: they are packed."""
    packages = [name.replace(".", "/") for name in (course().reference, course().package)]
    packages.append(f"autograder/{SHIPPED.name}")
    roots = [folder, *(folder / name for name in PACKAGES)]
    return [root / package for package in packages for root in roots if (root / package).is_dir()]


def pack(source: bytes, name: str) -> str:
    """Return a module that does what a source does, in any version of Python, and in which that cannot be read.

    Parameters
    ----------
    source : bytes
    name : str
        By which errors call the file; in angle brackets, so that nobody looks for its lines.

    Returns
    -------
    str
    """
    return MODULE.format(mark=MARK, name=f"<{name}>", text=b85encode(zlib.compress(source, level=9)).decode())


def as_zip(folder: Path | str, path: Path | str) -> None:
    """Pack a folder into a zip, in which it is the only folder."""
    folder = Path(folder)
    with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                info = zipfile.ZipInfo((Path(folder.name) / file.relative_to(folder)).as_posix(), DATE)
                archive.writestr(info, file.read_bytes(), zipfile.ZIP_DEFLATED)
