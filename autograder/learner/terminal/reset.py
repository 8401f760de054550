"""Set one unit back to its beginning; everything is copied first."""

import shutil
import tempfile
from pathlib import Path

from autograder.authoring.edition import RELEASED
from autograder.authoring.stamp import is_edited
from autograder.learner import files, progress_file
from autograder.specification import Unit
from autograder.whole_file import write_atomically
from transformer_kit.library import module_of


def reset(folder: Path, unit: Unit) -> list[str]:
    """Set back the notebook, the library file and the progress of a unit.

    Parameters
    ----------
    folder : Path
        Of the library; the unit's folder lies beside it.
    unit : Unit

    Returns
    -------
    list of str
        What was done, in sentences.

    Raises
    ------
    CannotWrite
        If a copy or a change could not be written; what has been copied by then stays.
    """
    notebook = folder.parent / unit.id / f"{unit.id}.ipynb"
    library = folder / f"{module_of(unit.exercises[0].reference)}.py"
    fresh = released(folder, unit) if notebook.exists() else None
    with files.writing(folder):
        progress, notice = progress_file.read(folder)
        work = [
            library,
            folder / progress_file.NAME,
            *([notebook] if notebook.exists() and is_edited(notebook) else []),
        ]
        backup = _copied(folder, unit, [path for path in work if path.exists()])
        library.unlink(missing_ok=True)
        for exercise in unit.exercises:
            progress.exercises.pop(exercise.name, None)
        for question in unit.questions:
            progress.questions.pop(question.id, None)
        progress_file.write(folder, progress)
        if fresh:
            write_atomically(notebook, fresh)
    return [*([notice] if notice else []), *_summary(unit, notebook, fresh, backup)]


def released(folder: Path, unit: Unit) -> str | None:
    """Return the notebook of a unit as it is released: kept, or derived from the instructor's; None where both miss.

    Parameters
    ----------
    folder : Path
        Of the library. What came by nbgrader's exchange is kept in it, the learners' edition keeps it in the course.
    unit : Unit

    Returns
    -------
    str or None
    """
    root = folder.parent.parent
    for kept in (base / RELEASED / unit.id / f"{unit.id}.ipynb" for base in (folder, root)):
        if kept.is_file():
            return kept.read_text(encoding="utf-8")
    source = root / "solutions" / unit.id
    if not (source / f"{unit.id}.ipynb").is_file():
        return None
    from autograder.authoring.release import release

    with tempfile.TemporaryDirectory() as temporary:
        scratch = Path(temporary).resolve()
        shutil.copytree(source, scratch / "solutions" / unit.id)
        release(scratch)
        return (scratch / "notebooks" / unit.id / f"{unit.id}.ipynb").read_text(encoding="utf-8")


def _copied(folder, unit, paths):
    """Copy files into a new folder and return it; None when there is nothing to copy."""
    if not paths:
        return None
    above = folder / files.EARLIER
    above.mkdir(exist_ok=True)
    backup = next(path for path in files.dated(above, f"reset-{unit.id[:2]}", "") if not path.exists())
    backup.mkdir()
    for path in paths:
        shutil.copy2(path, backup / path.name)
    return backup


def _summary(unit, notebook, fresh, backup):
    if backup:
        yield f"What was there is kept in {backup}."
    yield f"Progress and library of unit {unit.id[:2]} begin anew."
    if fresh:
        yield f"{notebook.name} is as it was released. Where it is open, choose File > Reload Notebook from Disk."
    elif notebook.exists():
        yield f"{notebook.name} stays as it is: its released form comes from the folder solutions, which is not here."
