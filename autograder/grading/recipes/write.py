"""What `course recipe` does: it writes the files with which the course grades elsewhere."""

import argparse
import shutil
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import autograder
from autograder.course import CLASSROOM, course_root
from autograder.decisions.reading import NAME as PLAN
from autograder.decisions.reading import read_decisions
from autograder.grading import summary
from autograder.grading.opened import Refused, unit_ids
from autograder.grading.recipes.packed import INSTALLED, NOTEBOOKS, copy_class, copy_course
from autograder.whole_file import write_atomically

REPOSITORY = Path(autograder.__file__).resolve().parent.parent  # from which the course is installed
COPY = "course"  # the folder of the copy
ANY_UNIT = "[0-9][0-9]"


@dataclass(frozen=True)
class Recipe:
    """What a recipe consists of.

    Attributes
    ----------
    files : dict
        By their places in the folder, the names of the templates.
    folder : str
        Where it goes if no folder is named, below the course's; "" for the current folder.
    next : tuple of str
        What to do with it, in sentences; `{folder}` is where it is.
    has_course, has_notebooks : bool
        Whether it brings along a copy of the course, and the notebooks with the class's decisions.
    """

    files: dict[str, str]
    folder: str
    next: tuple[str, ...]
    has_course: bool = True
    has_notebooks: bool = False


RECIPES = {
    "ci": Recipe(
        {".github/workflows/judge.yml": "judge.yml"},
        "",
        (
            "Next: in {folder}/.github/workflows/judge.yml put the repository of the course in place of OWNER/REPO,",
            "commit the file to the repository that learners get, and look at the summary of its first run.",
        ),
        has_course=False,
    ),
    "gradescope": Recipe(
        {"setup.sh": "setup.sh", "run_autograder": "run_autograder"},
        f"{CLASSROOM}/gradescope",
        (
            "Next: zip what is in the folder, not the folder itself, and upload that as the assignment's autograder:",
            "  cd {folder} && zip -qr ../gradescope.zip .",
            "Then choose Test Autograder and hand in an instructor's notebook: it has to get all points.",
        ),
        has_notebooks=True,
    ),
    "container": Recipe(
        {"Containerfile": "Containerfile"},
        f"{CLASSROOM}/container",
        (
            "Next: build it, and run it in the folder of a class (see `course init`); Docker needs -f Containerfile:",
            "  cd {folder} && podman build -t course-grade .",
            "  podman run --rm --entrypoint course course-grade sandbox",
            '  podman run --rm -v "$PWD":/class course-grade week2.zip',
        ),
    ),
}


def write_recipe(options: argparse.Namespace) -> int:
    """Write a recipe, and say what was written and what to do next."""
    recipe, root = RECIPES[options.recipe], course_root()
    units = unit_ids(options.unit) or []
    if units and options.recipe == "container":
        raise Refused("--unit has no meaning for a container: name the unit when you run it.")
    folder = Path(options.folder or (root / recipe.folder if recipe.folder else ".")).resolve()
    targets = [folder / name for name in (*recipe.files, *([COPY] if recipe.has_course else []))]
    there = [str(path) for path in targets if path.exists() or path.is_symlink()]
    if there and not options.force:
        raise Refused(f"{', '.join(there)}: there already. Name another folder, or replace it with --force.")
    lacks = [name for name in NOTEBOOKS if recipe.has_notebooks and not (root / name).is_dir()]
    if lacks:
        raise Refused(f"{root} has no folder {lacks[0]}. Run this in the course's repository, or in a class's folder.")
    if recipe.has_course:
        _copy(recipe, root, _source(options.source, root), folder / COPY)
    for name, template in recipe.files.items():
        _write(folder / name, template, units)
    told = {"recipe": options.recipe, "folder": str(folder), "written": [str(path) for path in targets]}
    summary.tell(options, told, _lines)
    return 0


def _source(named, root):
    """Return the repository of the course; one that lacks a part is refused."""
    source = Path(named or (REPOSITORY if (root / PLAN).is_file() else root)).resolve()
    missing = [name for name in INSTALLED if not (source / name).exists()]
    if missing:
        raise Refused(f"{source} is not the repository of the course: it lacks {missing[0]}. Name it with --from.")
    return source


def _copy(recipe, root, source, folder):
    decisions = read_decisions(root)  # before anything is replaced
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder)
    copy_course(source, folder)
    if recipe.has_notebooks:
        copy_class(root, folder, decisions)


def _write(path, name, units):
    template = files("autograder.grading.recipes") / "templates" / name
    text = template.read_text(encoding="utf-8")
    numbers = [unit[:2] for unit in units] or [ANY_UNIT]
    text = text.replace("__UNITS__", " ".join(units))
    text = text.replace("__NOTEBOOKS__", " ".join(f"**/{number}_*.ipynb" for number in numbers))
    write_atomically(path, text)
    path.chmod(0o755 if text.startswith("#!") else 0o644)


def _lines(told):
    written = [f"  {path}" for path in told["written"]]
    return ["Written:", *written, *(line.format(folder=told["folder"]) for line in RECIPES[told["recipe"]].next)]
