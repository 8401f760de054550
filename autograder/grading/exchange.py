"""What nbgrader's exchange does not bring by itself: the start page to learners, and `course grade`'s pages back."""

import shutil
import stat
from pathlib import Path

from nbgrader.exchange.default import ExchangeFetchAssignment, ExchangeReleaseAssignment, ExchangeReleaseFeedback

from autograder.authoring.edition import RELEASED
from autograder.authoring.in_class import adapt
from autograder.course import CLASSROOM
from autograder.decisions.reading import read_decisions
from autograder.grading.nbgraders_files import NBGRADERS
from transformer_kit.workbench import FOLDER, START_PAGE

MAX_BYTES = 1000  # of each; a learner can have written anything there


class ReleaseAssignment(ExchangeReleaseAssignment):
    """Releases the start page, to which every unit links, with each unit: into the folder of the course."""

    def copy_files(self) -> None:
        """Copy the unit as the class gives it, and the start page if the course has one."""
        super().copy_files()
        decisions = read_decisions(self.coursedir.root)
        unit = self.coursedir.assignment_id
        _adapt(Path(self.dest_path) / f"{unit}.ipynb", decisions)
        page, target = Path(self.src_path).parent / START_PAGE, Path(self.course_path) / START_PAGE
        if page.is_file():
            shutil.copyfile(page, target)
            target.chmod(0o644)
            _adapt(target, decisions)


def _adapt(path, decisions):
    """Let a notebook be that of the class, and readable for all who may fetch it."""
    if path.is_file():
        mode = path.stat().st_mode
        path.chmod(mode | stat.S_IWUSR)
        adapt(path, decisions)
        path.chmod(mode)


class FetchAssignment(ExchangeFetchAssignment):
    """Fetches the start page with a unit, and keeps the unit as it was released, for `course reset`."""

    def copy_files(self) -> None:
        """Copy the unit into its folder, and the rest beside it; a start page that is there stays."""
        super().copy_files()
        unit = self.coursedir.assignment_id
        above = Path(self.dest_path).parent
        page = Path(self.course_path) / START_PAGE
        released, kept = Path(self.src_path) / f"{unit}.ipynb", above / FOLDER / RELEASED / unit / f"{unit}.ipynb"
        if not (page.is_file() and released.is_file()):
            return  # another course, on the same server
        if not (above / START_PAGE).exists():
            shutil.copyfile(page, above / START_PAGE)
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(released, kept)


class ReleaseFeedback(ExchangeReleaseFeedback):
    """Releases the pages of those who handed in by the exchange.

    nbgrader finds a learner's page again by what `nbgrader submit` has written beside the notebook, and stops where a
    page comes without it. `course grade` writes pages alone, so it is brought from where it was collected. Who handed
    in by another way cannot fetch a page, and is named; so is whoever has another's page.
    """

    def copy_files(self) -> None:
        """Copy the pages to the exchange."""
        without = [folder.parent.name for folder in self._pages() if not self._is_stamped(folder)]
        if without:
            self.log.warning(
                "Not handed in by the exchange, so nothing can be fetched there: %s. Give them their pages from %s.",
                ", ".join(without),
                self.coursedir.feedback_directory,
            )
        excluded = [*filter(None, self.coursedir.student_id_exclude.split(",")), *without, *self._of_others()]
        self.coursedir.student_id_exclude = ",".join(excluded)
        super().copy_files()

    def _pages(self):
        """Return the folders that `src_path`, which may hold a star, stands for."""
        place = Path(self.src_path)
        return sorted(place.parent.parent.glob(f"{place.parent.name}/{place.name}"))

    def _of_others(self):
        """Return whose page is not the one that `course grade` has written for them, and say so."""
        from autograder.grading.commit import is_of_another  # which loads the judge; learners load this module, too
        from autograder.grading.verdicts.store import Store

        store = Store(Path(self.coursedir.root, CLASSROOM))
        keys = [(folder.parent.name, folder.name) for folder in self._pages()]
        others = [key[0] for key in keys if store.mark(*key) and is_of_another(store, *key)]
        if others:
            self.log.warning(
                "Not released, since these pages are not the ones that were written for them, and may be another "
                "student's: %s. `course report` writes them anew.",
                ", ".join(others),
            )
        return others

    def _is_stamped(self, folder):
        """Bring what is missing beside a page; return whether it is all there."""
        student, unit = folder.parent.name, folder.name
        collected = Path(self.coursedir.format_path(self.coursedir.submitted_directory, student, unit))
        for name in NBGRADERS:
            source, target = collected / name, folder / name
            if _is_short_text(source):
                target.unlink(missing_ok=True)  # of an earlier attempt, or read-only
                shutil.copyfile(source, target)
        return all(_is_short_text(folder / name) for name in NBGRADERS)


def _is_short_text(path):
    """Return whether nbgrader can read a file: where it cannot, it gives nobody in the class a page."""
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_BYTES:
            return False
        path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False
    return True
