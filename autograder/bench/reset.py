"""Set one unit back to its beginning; everything is copied first."""

import shutil
import tempfile
from pathlib import Path

from autograder.bench import files, progress_file
from autograder.stamp import holds_work
from transformer_kit import reference


def reset(folder, unit):
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
    library = folder / f"{_module(unit)}.py"
    fresh = released(folder.parent.parent, unit) if notebook.exists() else None
    with files.writing(folder):
        progress, told = progress_file.read(folder)
        work = [
            library,
            folder / progress_file.NAME,
            *([notebook] if notebook.exists() and holds_work(notebook) else []),
        ]
        backup = _copied(folder, unit, [path for path in work if path.exists()])
        library.unlink(missing_ok=True)
        for exercise in unit.exercises:
            progress.exercises.pop(exercise.name, None)
        for question in unit.questions:
            progress.questions.pop(question.id, None)
        progress_file.write(folder, progress)
        if fresh:
            files.write(notebook, fresh)
    return [*([told] if told else []), *_told(unit, notebook, fresh, backup)]


def released(root, unit):
    """Return the notebook of a unit as it is released, derived from the instructor's; None where that is not at hand.

    Parameters
    ----------
    root : Path
        Folder of the course.
    unit : Unit

    Returns
    -------
    str or None
    """
    source = root / "solutions" / unit.id
    if not (source / f"{unit.id}.ipynb").is_file():
        return None
    from autograder.release import release  # nbgrader comes with it

    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch).resolve()
        shutil.copytree(source, scratch / "solutions" / unit.id)
        release(scratch)
        return (scratch / "notebooks" / unit.id / f"{unit.id}.ipynb").read_text(encoding="utf-8")


def _module(unit):
    """Return the name of the library's file, which is that of the reference's module."""
    return getattr(reference, unit.exercises[0].name).__module__.rpartition(".")[2]


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


def _told(unit, notebook, fresh, backup):
    if backup:
        yield f"What was there is kept in {backup}."
    yield f"Progress and library of unit {unit.id[:2]} begin anew."
    if fresh:
        yield f"{notebook.name} is as it was released. Where it is open, choose File > Reload Notebook from Disk."
    elif notebook.exists():
        yield f"{notebook.name} stays as it is: its released form comes from the folder solutions, which is not here."
