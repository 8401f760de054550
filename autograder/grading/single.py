"""What `course judge` does: single notebooks are judged, without the folder of a class, and nothing is kept."""

import argparse
import json
import os
import secrets
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from autograder.course import course_root
from autograder.decisions.decided import Decisions
from autograder.decisions.reading import read_decisions
from autograder.evaluation.ahead import measure_ahead
from autograder.feedback.text import as_text
from autograder.grading import executors, summary
from autograder.grading.counted import counted
from autograder.grading.intake.find.folders import items
from autograder.grading.intake.find.item import Refused
from autograder.grading.intake.find.names import unit_and_version
from autograder.grading.intake.handed_in import HandedIn
from autograder.grading.intake.isolated import submission_of, unit_in
from autograder.grading.intake.submission import Submission
from autograder.grading.pages.frame import visible
from autograder.grading.pages.section import sections_of
from autograder.grading.verdicts.record import Record
from autograder.grading.verdicts.task import failed, perform, task_of
from autograder.judge import sandbox
from autograder.judge.seeds import N_BYTES
from autograder.registry import find_unit, units
from autograder.whole_file import write_atomically

NO_UNIT = "it holds no exercise of this course, and its name is that of no unit."
UNDECIDED = "the grading itself failed, which says nothing about the notebook. Judge it again."
MISTAKE = 2  # exit status: the command itself is wrong


def judge_notebooks(options: argparse.Namespace) -> int:
    """Judge notebooks, and print and write what was found; return the exit status."""
    paths = list(dict.fromkeys(map(Path, options.notebook)))
    if complaint := _complaint(paths, options):
        print(f"course judge: {complaint}", file=sys.stderr)
        return MISTAKE
    backend = sandbox.without_sandbox() if options.no_sandbox else sandbox.choose(options.sandbox)
    root = course_root()
    decisions = read_decisions(root)
    read = {str(path): _read(path, root) for path in paths}
    records = _records([one for one in read.values() if isinstance(one, Submission)], backend.name, options.jobs)
    judged = [_told(file, one, records.get(file, []), decisions) for file, one in read.items()]
    told = {"points": _sum(judged, "points"), "max": _sum(judged, "max"), "sandbox": backend.name, "notebooks": judged}
    if options.json:
        write_atomically(Path(options.json), json.dumps(told, indent=1) + "\n")
    summary.say(visible("\n".join(_lines(told))))
    return 1 if any(one["problem"] for one in judged) else 0


def _complaint(paths, options):
    """Return what is wrong with the command; empty where nothing is."""
    missing = [str(path) for path in paths if not path.is_file()]
    if missing:
        return f"there is no file {', '.join(missing)}. Name notebooks, such as 02_attention.ipynb."
    if options.no_sandbox and len(paths) > 1:
        return "--no-sandbox runs code with your rights, so it judges one notebook at a time."
    return ""


def _read(path: Path, root: Path) -> Submission | str:
    """Return a notebook as a submission, or why it cannot be one; its file stands in the place of a student."""
    [item] = items(path.resolve())
    if item.refused:
        return item.refused
    try:
        content = item.read()
        unit = unit_in(content) or unit_and_version([path.name], [unit.id for unit in units()])[0]
    except Refused as why:
        return str(why)
    if not unit:
        return NO_UNIT
    submission = submission_of(HandedIn(str(path), unit, str(path), "", content, root))
    return submission.unreadable or submission


def _records(submissions: Sequence[Submission], backend: str, jobs: int | None) -> dict[str, list[Record]]:
    """Return the records of some submissions, by their files; the inputs are drawn anew every time."""
    ids = sorted({one.unit for one in submissions})
    exercises = [exercise for id in ids for exercise in find_unit(id).exercises]
    measure_ahead(exercises, lambda line: print(line, file=sys.stderr), jobs)
    secret = secrets.token_bytes(N_BYTES)
    tasks = [task_of(one, secret, backend) for one in submissions]
    n_jobs = min(jobs or os.cpu_count() or 1, len(tasks) or 1)
    found = {}
    for task, fields, error in executors.perform_all(perform, tasks, lambda: executors.local(n_jobs)):
        found[task["student"]] = failed(task, error) if error else [Record(**each) for each in fields or ()]
    return found


def _told(file: str, read: Submission | str, records: list[Record], decisions: Decisions) -> dict[str, Any]:
    """Return what is told of one notebook, as JSON has it."""
    told: dict[str, Any] = {"file": file, "unit": "", "points": None, "max": 0, "problem": "", "repairs": []}
    if isinstance(read, str):
        return told | {"problem": read, "exercises": []}
    records = counted(decisions, records)
    claims = {record.exercise: record.claims for record in records}
    sections = sections_of(read, records, None, decisions)
    exercises = [_exercise(section, claims.get(section.exercise.name, [])) for section in sections]
    problem = UNDECIDED if any(one["points"] is None for one in exercises) else ""
    told |= {"unit": read.unit, "problem": problem, "repairs": list(read.repairs)}
    return told | {"points": _sum(exercises, "points"), "max": _sum(exercises, "max"), "exercises": exercises}


def _exercise(section, claims):
    """Return what is told of one exercise; a sign that nobody sees becomes one that is seen."""
    report = as_text(section.report) if section.report else ""
    return {
        "name": section.exercise.name,
        "points": section.points,
        "max": section.exercise.points,
        "status": section.word,
        "report": visible("\n".join(filter(None, (report, section.help)))),
        "claims": [
            {"name": one["name"], "points": one["points"], "max": one["max_points"], "passed": one["passed"]}
            for one in claims
        ],
    }


def _sum(ones, key):
    """Return a sum; what is not decided counts nothing, and where all is undecided there is none."""
    known = [one[key] for one in ones if one[key] is not None]
    return round(sum(known), 6) if known else None


def _lines(told: dict[str, Any]) -> Iterator[str]:
    """Yield, of every notebook, the table of its points and the reports on its exercises."""
    for one in told["notebooks"]:
        yield f"{one['file']}: {one['unit'] or 'not judged'}"
        yield from (f"Please note: {sentence}" for sentence in one["repairs"])
        yield from [f"Not judged: {one['problem']}"] if one["problem"] else []
        yield ""
        if one["exercises"]:
            yield from _table(one)
            yield ""
        for exercise in one["exercises"]:
            yield from (exercise["report"], "")


def _table(one):
    """Yield the points in a table that is one in Markdown as well."""
    lines = [*one["exercises"], one | {"name": "all", "status": ""}]
    rows = [(each["name"], _number(each["points"]), _number(each["max"]), each["status"]) for each in lines]
    rows = [("exercise", "points", "of", "what was found"), *rows]
    name, points, most, found = (max(map(len, column)) for column in zip(*rows, strict=True))
    for number, row in enumerate(rows):
        yield f"| {row[0]:<{name}} | {row[1]:>{points}} | {row[2]:>{most}} | {row[3]:<{found}} |"
        if not number:
            yield f"|{'-' * (name + 2)}|{'-' * (points + 1)}:|{'-' * (most + 1)}:|{'-' * (found + 2)}|"


def _number(points):
    return "?" if points is None else f"{points:g}"
