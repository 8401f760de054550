"""What the instructor's commands of `course` do; each returns the exit status."""

import argparse
import logging
import os
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from autograder.course import CLASSROOM, course_root
from autograder.decisions.reading import read_decisions
from autograder.evaluation.ahead import measure_ahead
from autograder.grading import executors, summary
from autograder.grading.agreement import keep_ids, require_files
from autograder.grading.commit import Committer
from autograder.grading.crossed import require_owners
from autograder.grading.database import CannotUse
from autograder.grading.dry_run import plan
from autograder.grading.export.kept_columns import keep_headings
from autograder.grading.founding import NotPossible
from autograder.grading.given import note_left_behind
from autograder.grading.gradebook import ClassGradebook
from autograder.grading.intake.find.merge_rosters import joined, merged
from autograder.grading.intake.find.missing import NOTHING
from autograder.grading.intake.find.register import read_register
from autograder.grading.intake.find.roster import Roster, read_people, write_people
from autograder.grading.intake.find.roster_table import headings, read_roster
from autograder.grading.intake.find.worksheet import times_in
from autograder.grading.intake.skeleton import NoSkeleton, skeleton
from autograder.grading.intake.take_in import Intake
from autograder.grading.leaving import note_gradebook, removed
from autograder.grading.moved import hand_over, invented, owners_before
from autograder.grading.notes import WHOSE, Note
from autograder.grading.opened import Refused, is_shared, lock, opened, read, unit_ids
from autograder.grading.persons import Persons
from autograder.grading.progress import progress
from autograder.grading.released_cells import UnitChanged
from autograder.grading.run import Run
from autograder.grading.settle import settle
from autograder.grading.verdicts.store import COLLECTED, Store
from autograder.judge import sandbox
from autograder.nbgrader_config import settings
from autograder.registry import CourseNotFound, find_unit

EXPECTED = (
    *(Refused, NotPossible, sandbox.NoSandbox, executors.NoCluster, NoSkeleton, UnitChanged, CannotUse),
    *(CourseNotFound, ValueError, OSError),
)
logging.getLogger("tornado.application").addHandler(logging.NullHandler())  # nbgrader logs there what it also raises


def grade(options: argparse.Namespace) -> int:
    """Grade a class; see the options in `autograder.cli`."""
    root = course_root()
    store = Store(root / CLASSROOM)
    submissions = _submissions(options, store)
    if options.dry_run:
        register = read_register(store.ids)
        require_files(store, register, bool(options.roster))
        require_owners(store, register.given, read_people(store.roster))
        roster = Roster(_people(options, store), register)
        intake = _intake(options, submissions, root, register, roster)
        flags = options.force, options.older, _collects(submissions, store), options.no_sandbox
        told = plan(settings(root), store, intake, root, options.student or (), *flags)
        summary.tell(options, told | summary.of_intake(intake), summary.lines_of_dry_run)
        return 0
    with lock(store):
        store.tidy()
        secret = store.secret()
        register = read_register(store.ids, secret)
        require_files(store, register, bool(options.roster))
        known = read_people(store.roster)
        require_owners(store, register.given, known)
        former = Roster(known, register).ids.values()
        store.begin()
        people = _people(options, store)
        roster = Roster(people, register)
        intake = _intake(options, submissions, root, register, roster)
        backend = _backend(options, intake)
        _measure_ahead(options, intake)
        keep_ids(store, register)
        if options.roster:
            write_people(people, store.roster)
            keep_headings(store, [name for path in options.roster for name in headings(path)])
        config = settings(root)
        with ClassGradebook(config) as gradebook:
            gone = _taken_out(options, intake, removed(store, gradebook))
            note_left_behind(store, gradebook)
            settle(store, gradebook)
            persons = Persons(roster, register)
            released = partial(skeleton, root=root)
            collects = _collects(submissions, store)
            committer = Committer(store, gradebook, released, secret, backend.name, collects, persons)
            committer.prepare(intake.units())
            enrolled = {*roster.ids.values()}
            here = {one.student for one in intake.candidates}
            strangers = invented(store, register, enrolled)
            with progress(len(intake), hidden=options.json) as done:
                run = Run(store, committer, secret, backend.name, options.force, options.older, done)
                result = run.grade(intake, _executor(options))
            committer.add_notes(intake)
            before = intake.former | owners_before(store, strangers, result.graded, here)
            intake.remarks += tuple(hand_over(store, gradebook, before))
            intake.remarks += _kept_strangers(store.students() - gone - here - enrolled if enrolled else ())
            store.state.note_intake(intake.refusals, intake.without_notebook)
            gradebook.enrol({*enrolled, *store.state.nothing()} - gone, former)
            gradebook.name(persons)
            whole = read(store, gradebook)
            page = whole.write_report()
            missing = whole.disagreements()
            note_gradebook(store, gradebook)
        store.close_to_others(is_shared(config))
    intake.remarks += (*sorted(result.remarks), *whole.remarks)  # the first come as the verdicts do, in any order
    absent = _in_their_states(whole.decisions, _absent(intake, store))
    intake.without_notebook = _in_their_states(whole.decisions, intake.without_notebook)
    told = summary.of_run(result, intake, absent, whole.submissions, persons.all_labels()) | {
        "sandbox": backend.name,
        "seconds": round(time.monotonic() - options.started, 2),
        "report": str(page),
        "grades": str(store.grades),
        "missing": missing,
    }
    summary.tell(options, told, summary.lines_of_run)
    return summary.status_of(told)


def _submissions(options, store):
    """Return the folder, zip or notebook that is to be graded; a missing one is refused."""
    folder = Path(options.submissions) if options.submissions else store.collected
    if not folder.exists():
        raise Refused(f"there is no {folder}. Name the folder, zip or notebook that holds the submissions.")
    return folder


def _collects(submissions, store):
    """Return whether what is graded has to be put where nbgrader collects, since it does not lie there."""
    return not submissions.resolve().is_relative_to(store.collected.resolve())


def _intake(options, folder, root, register, roster):
    """Find the submissions; an unknown unit and an empty result are refused."""
    collected = folder.resolve() == (root / CLASSROOM / COLLECTED).resolve()
    intake = Intake(folder, root, unit_ids(options.unit), options.student, register, roster, collected)
    if options.roster and len(intake.units()) == 1:  # a worksheet is one assignment's
        zone = read_decisions(root).of(intake.units()[0]).zone
        for path in options.roster:
            times, told = times_in(path, roster, zone)
            intake.times |= times
            intake.remarks += tuple(told)
    if not (len(intake) or intake.refusals or intake.without_notebook):
        matching = "matching " if options.unit or options.student else ""
        raise Refused(
            f"no {matching}submission was found in {folder}. `course grade --help` shows what it may look like."
        )
    return intake


def _measure_ahead(options, intake):
    """Measure what the judges need to know of the units that were handed in."""
    ids = sorted({one.unit for one in intake.candidates})
    exercises = [exercise for id in ids for exercise in find_unit(id).exercises]
    measure_ahead(exercises, (lambda line: None) if options.json else print, options.jobs)


def _taken_out(options, intake, removed):
    """Leave out whoever was taken out of the gradebook and is not named in the command; return their ids."""
    gone = removed - set(options.student or ())
    intake.leave_out(gone)
    if gone:
        text = (
            f"Taken out of the gradebook, so left out: {', '.join(sorted(gone))}. `course forget` deletes what is kept "
            "of somebody, and `course grade --student` takes somebody in again."
        )
        intake.remarks += (Note(text, WHOSE),)
    return gone


def _kept_strangers(students):
    """Name those who are not on the roster, and whose verdicts earlier runs have left."""
    if not students:
        return ()
    text = (
        f"Not on the roster, with verdicts from earlier runs ({len(students)}): {', '.join(sorted(students))}. Their "
        "lines stay in the tables. Where one of them is somebody on the roster, put the file into a folder with that "
        "person's username and grade it again; `course forget` deletes what is kept of somebody."
    )
    return (Note(text, WHOSE),)


def _people(options, store):
    """Return who is in the class: by the rosters given, with what is known of these people; or by the last ones."""
    if options.together and not options.roster:
        raise Refused("--together names a column of the roster, so name the roster, too: --roster FILE")
    known = read_people(store.roster)
    if not options.roster:
        return known
    return merged(known, joined([read_roster(path, options.together) for path in options.roster]))


def _absent(intake, store):
    """Return those on the roster for whom there is no notebook, neither now nor before, in the words of before."""
    before = store.state.nothing()
    traces = store.traces()
    absent = [one for one in intake.absent if (one.student, one.unit) not in traces]
    return [replace(one, words=before.get(one.student, {}).get(one.unit, one.words)) for one in absent]


def _in_their_states(decisions, ones):
    """Say of those who have handed in nothing whether it is due, and whether they are excused."""
    return [
        replace(one, words=decisions.absence(one.student, one.unit)) if one.words == NOTHING and one.unit else one
        for one in ones
    ]


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


def rewrite_report(options: argparse.Namespace) -> int:
    """Write the grades, the class report and the pages again, from the records and the gradebook."""
    with opened() as (store, gradebook):
        whole = read(store, gradebook)
        if options.let_go:
            store.state.note(left_behind={})
        told = {"report": str(whole.write_report()), "grades": str(store.grades), "missing": whole.disagreements()}
        told["remarks"] = whole.remarks
    summary.tell(options, told, summary.lines_of_report)
    return 1 if told["missing"] else 0


def show_sandbox(options: argparse.Namespace) -> int:
    """Print how submissions are isolated on this machine."""
    backend = sandbox.choose(options.sandbox)
    told: dict[str, Any] = {"sandbox": backend.name, "title": str(backend)}
    told |= {"layers": list(backend.layers), "self_test": backend.report}
    summary.tell(options, told, summary.lines_of_sandbox)
    return 0
