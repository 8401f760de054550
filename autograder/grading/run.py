"""One run over a class: grades what has no verdict yet, commits what is decided, and leaves alone what is done."""

from dataclasses import dataclass, field

from autograder.grading.executors import perform_all
from autograder.grading.record import Record
from autograder.grading.task import failed, perform, task_of


@dataclass
class Result:
    """What a run came to; a submission is told by (student, unit).

    Attributes
    ----------
    graded, unchanged : list of tuple
        Submissions that were committed in this run, and those that were done before.
    failed : list of tuple
        Those of `graded` for which a verdict is missing, because of an internal error.
    asked : int
        How many functions were run; the other verdicts were known.
    """

    graded: list = field(default_factory=list)
    unchanged: list = field(default_factory=list)
    failed: list = field(default_factory=list)
    asked: int = 0


class Run:
    """Grades submissions.

    Parameters
    ----------
    store : Store
    committer : Committer
    secret : bytes
        Of the course.
    backend : str
        Name of the sandbox.
    force : bool
        Ask again what is known.
    done : callable
        Is told (student, unit) whenever a submission is done.
    """

    def __init__(self, store, committer, secret, backend, force=False, done=lambda student, unit: None):
        self.store, self.committer, self.secret, self.backend = store, committer, secret, backend
        self.force, self.done = force, done
        self.result, self.waiting = Result(), {}

    def grade(self, handed_in, open_executor):
        """Grade everything that was handed in, and return the Result.

        Parameters
        ----------
        handed_in : iterable of HandedIn
            Such as an `Intake`.
        open_executor : callable
            See `perform_all`.
        """
        for task, records, error in perform_all(perform, self._tasks(handed_in), open_executor):
            submission, known = self.waiting.pop((task["student"], task["unit"]))
            self._finish(submission, known, failed(task, error) if error else [Record(**told) for told in records])
        return self.result

    def _tasks(self, handed_in):
        """Yield the tasks that are left; what needs none is finished on the way."""
        for one in handed_in:
            if not self.force and self.committer.is_done(one):
                self.result.unchanged.append((one.student, one.unit))
                self.done(one.student, one.unit)
                continue
            submission = one.take_in()
            task = task_of(submission, self.secret, self.backend)
            known, task = ([], task) if self.force else self.store.split(task)
            if task["exercises"]:
                self.waiting[submission.student, submission.unit] = submission, known
                yield task
            else:
                self._finish(submission, known, [])

    def _finish(self, submission, known, new):
        for record in new:
            self.store.save(record)
        self.committer.commit(submission, known + new)
        whose = submission.student, submission.unit
        self.result.graded.append(whose)
        self.result.asked += len(new)
        if any(record.points is None for record in new):
            self.result.failed.append(whose)
        self.done(*whose)
