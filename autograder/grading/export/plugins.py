"""The same for `nbgrader export`, such as `nbgrader export --exporter autograder.grading.export.plugins.Canvas`."""

from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.plugins.export import ExportPlugin

from autograder.grading.export.kept_columns import kept_columns
from autograder.grading.export.people import rows
from autograder.grading.export.platforms import PLATFORMS
from autograder.grading.export.points import columns
from autograder.grading.opened import opened, read
from autograder.whole_file import write_atomically


class ToPlatform(ExportPlugin):
    """Writes the points of a class for a platform into the folder that `--to` names."""

    platform = ""

    def export(self, gradebook: Gradebook) -> None:
        """Write the files; `--assignment` and `--student` choose."""
        with opened() as (store, own):
            whole = read(store, own)
            whole.write_report()
            for told in (*whole.remarks, *whole.disagreements()):
                self.log.warning("%s", told)
            people = [one for one in rows(whole) if not self.student or one.student in map(str, self.student)]
            names = kept_columns(store, self.platform)
            for made in PLATFORMS[self.platform](people, columns(whole, self.assignment or None, names)):
                path = Path(self.to or ".", made.name)
                write_atomically(path, made.text.encode(made.encoding))
                self.log.info("Exporting grades to %s", path)


class Canvas(ToPlatform):
    """For Canvas's gradebook."""

    platform = "canvas"


class Moodle(ToPlatform):
    """For Moodle's assignments, or its gradebook."""

    platform = "moodle"


class Brightspace(ToPlatform):
    """For Brightspace's gradebook."""

    platform = "brightspace"


class Blackboard(ToPlatform):
    """For Blackboard's Grade Center."""

    platform = "blackboard"


class Ilias(ToPlatform):
    """For the exercises of ILIAS."""

    platform = "ilias"
