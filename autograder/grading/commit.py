"""Writes what is decided, by one process only: gradebook, autograded notebooks, pages, and last a mark that it is done.

Whatever is interrupted is done again at the next run: every step can be repeated, and the mark comes last.
"""

from autograder.grading import autograded, fingerprint
from autograder.grading.pages import page
from autograder.grading.store import hash_of, write_whole
from autograder.grading.task import unit_of
from autograder.stamp import fingerprint as content_of


class Committer:
    """Commits submissions of a class.

    Parameters
    ----------
    store : Store
    gradebook : ClassGradebook
    released : callable
        Gives the released notebook of a unit by its id.
    secret : bytes
        Of the course.
    backend : str
        Name of the sandbox.
    """

    def __init__(self, store, gradebook, released, secret, backend):
        self.store, self.gradebook, self.released = store, gradebook, released
        self.terms = {"course": fingerprint.course(), "secret": hash_of(secret), "sandboxed": backend != "none"}
        self.entered = gradebook.committed()
        self.registered = set()

    def is_done(self, handed_in):
        """Tell whether just this was graded under the same terms, and everything of it is still in its place."""
        student, unit = handed_in.student, handed_in.unit
        mark, entry = self.store.mark(student, unit), self.entered.get((student, unit))
        return (
            self.store.holds(handed_in)
            and mark.get("terms") == self._terms(unit)
            and entry is not None
            and entry.scores == mark.get("scores")
            and None not in entry.scores.values()
            and all(path.is_file() for path in self._files(student, unit))
        )

    def commit(self, submission, records):
        """Write everything of one submission, whose records are kept already."""
        order = [exercise.name for exercise in unit_of(submission.unit).exercises]
        records = sorted(records, key=lambda record: order.index(record.exercise))
        if submission.unit not in self.registered:
            self.gradebook.register(submission.unit, self.released(submission.unit))
            self.registered.add(submission.unit)
        autograded.write(self.store, submission, records)
        _, shown, original = self._files(submission.student, submission.unit)
        write_whole(shown, page.page(submission, records))
        write_whole(original, submission.content)
        self.gradebook.commit(submission, records)
        scores = {record.exercise: record.points for record in records}
        self.store.set_mark(submission, records, {"terms": self._terms(submission.unit), "scores": scores})

    def _files(self, student, unit):
        notebook = self.store.place("autograded", student, unit, f"{unit}.ipynb")
        shown = self.store.place("feedback", student, unit, f"{unit}.html")
        return notebook, shown, self.store.place("originals", student, unit, f"{unit}.ipynb")

    def _terms(self, unit):
        return self.terms | {"released": content_of(self.released(unit))}
