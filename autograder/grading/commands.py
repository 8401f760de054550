"""What the commands of `course` do; each returns the exit status."""

import json
import os
import time
from pathlib import Path

from filelock import FileLock, Timeout

from autograder.exercises import units
from autograder.grading import executors
from autograder.grading.commit import Committer
from autograder.grading.gradebook import ClassGradebook, UnitChanged
from autograder.grading.intake.skeleton import NoSkeleton, skeleton
from autograder.grading.intake.take_in import Intake
from autograder.grading.pages import report
from autograder.grading.pages.look import Look
from autograder.grading.progress import progress
from autograder.grading.run import Run
from autograder.grading.store import Store
from autograder.judge import sandbox
from autograder.judge.seeds import read_secret
from autograder.nbgrader_config import CLASSROOM, course_root, settings

SHOWN = 12  # sentences of one kind that are printed; the report has all


class Refused(Exception):
    """The command cannot do what was asked; the message says why."""


EXPECTED = (Refused, sandbox.NoSandbox, executors.NoCluster, NoSkeleton, UnitChanged, ValueError, OSError)


def grade(options):
    """Grade a class; see the options in `autograder.cli`."""
    started, root = time.monotonic(), course_root()
    store, intake = Store(root / CLASSROOM), _intake(options, root)
    if options.dry_run:
        return _say_what_is_new(options, store, intake)
    backend = _backend(options, intake)
    with _only_one(store), ClassGradebook(settings(root)) as gradebook:
        store.tidy()
        secret = read_secret(store.folder / "secret")
        committer = Committer(store, gradebook, lambda unit: skeleton(unit, root), secret, backend.name)
        with progress(len(intake), hidden=options.json) as done:
            run = Run(store, committer, secret, backend.name, options.force, done)
            result = run.grade(intake, _executor(options))
        store.note_refusals(intake.refusals)
        page = _write_report(store, gradebook)
    told = {
        "graded": len(result.graded),
        "unchanged": len(result.unchanged),
        "functions_run": result.asked,
        "without_verdict": sorted(f"{student}/{unit}" for student, unit in result.failed),
        "refused": list(intake.refusals),
        "remarks": list(intake.remarks),
        "sandbox": backend.name,
        "seconds": round(time.monotonic() - started, 2),
        "report": str(page),
        "grades": str(store.folder / "grades.csv"),
    }
    _tell(options, told, _sentences)
    return 1 if result.failed or intake.refusals else 0


def _intake(options, root):
    """Find what was handed in; refuse a folder that is not there, and unknown units."""
    folder = Path(options.submissions) if options.submissions else root / CLASSROOM / "submitted"
    if not folder.exists():
        raise Refused(f"there is no {folder}. Name the folder, zip or notebook that holds the submissions.")
    intake = Intake(folder, root, _units(options.unit), options.student)
    if not len(intake) and not intake.refusals:
        asked = " that was asked for" if options.unit or options.student else ""
        raise Refused(f"no submission{asked} was found in {folder}. `course grade --help` shows what it may look like.")
    return intake


def _units(wanted):
    """Return the ids that begin with one of the texts; None for None."""
    known = [unit.id for unit in units()]
    unknown = [text for text in wanted or () if not any(id.startswith(text) for id in known)]
    if unknown:
        raise Refused(f"there is no unit {', '.join(unknown)}; expected the beginning of one of {', '.join(known)}")
    return wanted and [id for id in known if id.startswith(tuple(wanted))]


def _backend(options, intake):
    if not options.no_sandbox:
        return sandbox.choose(options.sandbox)
    students = {candidate.student for candidate in intake.candidates}
    if len(students) > 1:
        raise Refused(
            f"--no-sandbox runs code with your rights, so it grades one student at a time; here are {len(students)}. "
            "Choose one with --student, or leave the option out."
        )
    return sandbox.without_sandbox()


def _executor(options):
    if options.dask:
        return lambda: executors.cluster(options.dask)
    return lambda: executors.local(options.jobs or os.cpu_count() or 1)


def _only_one(store):
    """Lock the class's folder; the lock goes with the process, be it killed."""
    store.folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(store.folder / "grading.lock", blocking=False)
    try:
        return lock.acquire()
    except Timeout:
        raise Refused(f"another `course grade` is at work in {store.folder}. Wait until it is done.") from None


def report_again(options):
    """Write the class report from what is kept."""
    root = course_root()
    store = Store(root / CLASSROOM)
    with _only_one(store), ClassGradebook(settings(root)) as gradebook:
        page = _write_report(store, gradebook)
    told = {"report": str(page), "grades": str(store.folder / "grades.csv")}
    _tell(options, told, lambda told: [f"Report: {told['report']}", f"Grades: {told['grades']}"])
    return 0


def show_sandbox(options):
    """Tell what keeps submissions apart on this machine."""
    backend = sandbox.choose(options.sandbox)
    told = {"sandbox": backend.name, "layers": list(backend.layers), "self_test": backend.report}
    _tell(options, told, _sandbox_sentences)
    return 0


def _sandbox_sentences(told):
    tests = [f"  {name}: {found}" for name, found in told["self_test"].items()]
    return [f"Submissions run in {told['sandbox']} ({', '.join(told['layers'])}). Its self-test:", *tests]


def _write_report(store, gradebook):
    committed = store.committed()
    records = [record for _, records in committed for record in records]
    refused = [Look("", "", "refused", detail=sentence) for sentence in store.refusals()]
    submissions = [submission for submission, _ in committed]
    return report.write(store.folder, records, submissions, units(), remarks=refused, entered=gradebook.totals())


def _say_what_is_new(options, store, intake):
    """Say what would be graded, by what was handed in alone: changed claims are not looked at."""
    new = [one for one in intake if options.force or not store.holds(one)]
    told = {"would_grade": [f"{one.student}/{one.unit}" for one in new], "unchanged": len(intake) - len(new)}
    told |= {"refused": list(intake.refusals), "remarks": list(intake.remarks)}
    lines = [f"Would grade {len(new)} submissions; {told['unchanged']} have not changed since they were graded."]
    _tell(options, told, lambda told: [*lines, *_listed("  ", told["would_grade"]), *_what_was_found(told)])
    return 0


def _sentences(told):
    """Return what an instructor reads at the end of a run."""
    lines = [
        f"{told['graded']} submissions graded, {told['unchanged']} unchanged, in {told['seconds']:.1f} s "
        f"({told['functions_run']} functions run in the sandbox {told['sandbox']}).",
        *_what_was_found(told),
    ]
    if told["without_verdict"]:
        lines += ["Without a verdict, because the grading itself failed (no points are lost; run it again):"]
        lines += _listed("  ", told["without_verdict"])
    return [*lines, f"Report: {told['report']}", f"Grades: {told['grades']}"]


def _what_was_found(told):
    refused = ["Not graded:", *_listed("  ", told["refused"])] if told["refused"] else []
    return refused + (["Please note:", *_listed("  ", told["remarks"])] if told["remarks"] else [])


def _listed(start, sentences):
    more = [f"{start}... and {len(sentences) - SHOWN} more (--json tells all)"] if len(sentences) > SHOWN else []
    return [f"{start}{sentence}" for sentence in sentences[:SHOWN]] + more


def _tell(options, told, sentences):
    print(json.dumps(told, indent=1) if options.json else "\n".join(sentences(told)))
