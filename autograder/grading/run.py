"""One run over a class: grades what has no verdict yet, commits what is decided, and leaves alone what is done."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from autograder.file_errors import is_full
from autograder.grading.attempts import Contest, joined, why_late, why_lower, why_older
from autograder.grading.commit import Committer
from autograder.grading.executors import OpenExecutor, perform_all
from autograder.grading.intake.handed_in import HandedIn
from autograder.grading.intake.isolated import submission_of
from autograder.grading.intake.submission import Submission
from autograder.grading.isolation import client
from autograder.grading.notes import COSTS, Note
from autograder.grading.verdicts.record import Record
from autograder.grading.verdicts.store import Store
from autograder.grading.verdicts.task import failed, perform, task_of


@dataclass
class Result:
    """The outcome of a run, in which a submission is a pair (student, unit).

    Attributes
    ----------
    graded, unchanged : list of tuple
        Submissions that were committed in this run, and those that were done before.
    failed : list of tuple
        Those of `graded` for which a verdict is missing, because of an internal error.
    causes : list of str
        What went wrong in the grading itself, once for each function.
    n_evaluated : int
        How many functions were evaluated; the other verdicts were known.
    remarks : list of str
        On attempts that do not count, and on those that are late.
    """

    graded: list[tuple[str, str]] = field(default_factory=list)
    unchanged: list[tuple[str, str]] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    causes: list[str] = field(default_factory=list)
    n_evaluated: int = 0
    remarks: list[str] = field(default_factory=list)


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
        Grade again what already has a verdict.
    older : bool
        Let an older attempt count, or one with fewer points that may be older.
    done : callable
        Called with student and unit whenever a submission is done.
    """

    def __init__(
        self,
        store: Store,
        committer: Committer,
        secret: bytes,
        backend: str,
        force: bool,
        older: bool,
        done: Callable[[str, str], None],
    ) -> None:
        self.store = store
        self.committer = committer
        self.secret = secret
        self.backend = backend
        self.force = force
        self.older = older
        self.done = done
        self.result = Result()
        self.waiting: dict[tuple[str, ...], list[tuple[Submission, Contest, list[Record]]]] = {}

    def grade(self, handed_in: Iterable[HandedIn], open_executor: OpenExecutor) -> Result:
        """Grade everything that was handed in, and return the Result.

        What failed for want of room on a disk is tried once more, when everything else is done and cleared away.

        Parameters
        ----------
        handed_in : iterable of HandedIn
            Such as an `Intake`.
        open_executor : callable
            See `perform_all`.
        """
        again = []
        for task, records in _performed(self._tasks(handed_in), open_executor):
            if any(record.points is None and is_full(record.note) for record in records):
                again.append(task)
            else:
                self._finish_all(task, records)
        for task, records in _performed(again, open_executor) if again else ():
            self._finish_all(task, records)
        return self.result

    def plan(self, handed_in: Iterable[HandedIn]) -> Result:
        """Return what `grade` would do, and write nothing: which submissions, and how many functions would be run."""
        planned, groups = Result(), set()
        for one, contest, why in self._contests(handed_in):
            key = one.student, one.unit
            if contest is None:
                planned.unchanged.append(key)
                planned.remarks += [why] if why else []
                continue
            planned.graded.append(key)
            for each in contest.tied:
                _, _, task = self._split(each)
                if task["exercises"] and _whose(task) not in groups:
                    groups.add(_whose(task))
                    planned.n_evaluated += len(task["exercises"])
        return planned

    def _finish_all(self, task, records):
        """Commit the submissions of those who have the verdict of a task together."""
        self.result.n_evaluated += len(records)
        for waiting in self.waiting.pop(_whose(task)):
            student = waiting[0].student
            self._finish(*waiting, [replace(record, student=student) for record in records])

    def _tasks(self, handed_in):
        """Yield the tasks that are left; what needs none is finished on the way."""
        for one, contest, why in self._contests(handed_in):
            if contest is None:
                self._leave(one, why)
                continue
            for each in contest.tied:
                yield from self._left(each, contest)

    def _contests(self, handed_in):
        """Yield notebooks with their Contest: None for one that is done, or older than what counts, and why."""
        for one in handed_in:
            before = self.committer.before(one.student, one.unit)
            tied = [joined(each, before) for each in (one, *one.rivals)]
            older = [why_older(each, before) for each in tied]
            trying = [each for each, why in zip(tied, older, strict=True) if self.older or not why]
            contest = Contest(before, trying, counted=self.committer.counted)
            is_over = not contest.tied or (not self.force and contest.is_over(self.committer.is_done))
            yield one, None if is_over else contest, older[0]

    def _left(self, one, contest):
        """Yield the task that is left of one notebook."""
        submission, known, task = self._split(one)
        if not task["exercises"]:
            return self._finish(submission, contest, known, [])
        group = self.waiting.setdefault(_whose(task), [])
        group.append((submission, contest, known))
        if len(group) == 1:
            yield task

    def _split(self, one):
        """Return a notebook as a submission, the records that are known of it, and the task that is left."""
        submission = submission_of(one)
        task = task_of(submission, self.secret, self.backend)
        return submission, *(([], task) if self.force else self.store.split(task))

    def _leave(self, one, why):
        """Keep what was graded before."""
        self.result.remarks += [Note(why, COSTS)] if why else []
        self.result.unchanged.append((one.student, one.unit))
        self.done(one.student, one.unit)

    def _finish(self, submission, contest, known, new):
        """Keep what is decided of a notebook; where a disk is full, clear away what is under way, and try once more."""
        contest.decided.append((submission, known + new))
        try:
            self._keep(contest, new)
        except Exception as error:  # the system's, the database's, or nbgrader's in its place
            if not is_full(str(error)):
                raise
            self.committer.gradebook.undo()
            client.restart()
            self._keep(contest, new)

    def _keep(self, contest, new):
        """Save new records; the last notebook of a Contest decides which of them counts."""
        for record in new:
            self.store.save(record)
        if len(contest.decided) == len(contest.tied):
            self._count(contest)

    def _count(self, contest):
        """Commit the best of a Contest."""
        submission, records = contest.best()
        key = submission.student, submission.unit
        why = "" if self.older else why_lower(submission, contest.counted(records), contest.before)
        if why:
            return self._leave(submission, why)
        final = self.committer.commit(submission, records)
        if len(contest.tied) > 1:
            self.store.change_mark(*key, compared=contest.compared())
        why_these = contest.why(), why_late(submission, final, contest.times())
        self.result.remarks += [Note(why, COSTS) for why in why_these if why]
        self.result.graded.append(key)
        if causes := contest.causes():
            self.result.failed.append(key)
            self.result.causes += causes
        self.done(*key)


def _performed(tasks, open_executor):
    """Yield tasks with their Records, in any order."""
    for task, records, error in perform_all(perform, tasks, open_executor):
        yield task, failed(task, error) if error else [Record(**fields) for fields in records]


def _whose(task):
    """Return what is the same for the tasks of those who hand in the same together."""
    return *(task["together"] or [task["student"]]), *(key for _, _, key in task["exercises"])
