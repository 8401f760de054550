"""What a command tells when it is done: as JSON for scripts, or in sentences."""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from autograder.decisions.decided import EXCUSED, LEFT, NOT_DUE
from autograder.grading.intake.find.missing import NOTHING, WithoutNotebook
from autograder.grading.intake.submission import Submission
from autograder.grading.intake.take_in import Intake
from autograder.grading.notes import ASIDE, COSTS, DECIDED, WHOSE, by_weight
from autograder.grading.run import Result

OUTSIDE = re.compile(r": | was ")  # ends the path with which a sentence begins
MAX_LISTED = 12  # sentences of one kind that are printed, unless they cost points; --json has all
HEADS = {  # of notes, by what they cost
    COSTS: "This decides points:",
    WHOSE: "Who is who:",
    DECIDED: "Please note:",
    ASIDE: "Not looked at:",
}


def of_run(
    result: Result,
    intake: Intake,
    absent: Sequence[WithoutNotebook] = (),
    submissions: Iterable[Submission] = (),
    people: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the summary of a run: what came in is what has a verdict and what has none.

    Parameters
    ----------
    result : Result
    intake : Intake
    absent : sequence of WithoutNotebook
        Those on the roster who have never handed in anything.
    submissions : iterable of Submission
        All of the class.
    people : dict, optional
        By id, how somebody is called in sentences.

    Returns
    -------
    dict
        With the keys "in", "with_verdict" and "not_graded"; the last one says how many of what.
    """
    words = Counter(one.words.partition(" (")[0] for one in (*intake.without_notebook, *absent))
    here = {*result.graded, *result.unchanged}
    without = {"refused": len(intake.refusals), "without a verdict": len(result.failed)}
    not_graded = {what: count for what, count in {**dict(sorted(words.items())), **without}.items() if count}
    return {
        "in": len(intake) + len(intake.without_notebook) + len(absent) + len(intake.refusals),
        "with_verdict": len(result.graded) + len(result.unchanged) - len(result.failed),
        "not_graded": not_graded,
        "graded": len(result.graded),
        "unchanged": len(result.unchanged),
        "functions_run": result.n_evaluated,
        "without_verdict": sorted(f"{student}/{unit}" for student, unit in result.failed),
        "unreadable": [
            f"{one.student}, {one.unit}: {one.unreadable}"
            for one in submissions
            if one.unreadable and (one.student, one.unit) in here
        ],
        "causes": _counted(result.causes),
        "people": dict(people or {}),
        **of_intake(intake, absent),
    }


def _counted(causes):
    """Return how many there are of each cause, the most frequent first; those that differ in numbers alone are one."""
    alike = {}
    for cause in causes:
        alike.setdefault(re.sub(r"[\d.]+", "", cause), []).append(cause)
    return {same[0]: len(same) for same in sorted(alike.values(), key=len, reverse=True)}


def status_of(summary: dict[str, Any]) -> int:
    """Return the exit status of a run: 0 if all that was handed in has a verdict, and nobody is missing anywhere."""
    return 1 if summary["missing"] or summary["not_graded"].keys() - {NOTHING, NOT_DUE, EXCUSED, LEFT} else 0


def of_intake(intake: Intake, absent: Iterable[WithoutNotebook] = ()) -> dict[str, list[str]]:
    """Return what was found that is no submission, in sentences."""
    without = (*intake.without_notebook, *absent)
    nothing = [f"{', '.join(filter(None, (one.student, one.unit)))}: {one.words}" for one in without]
    return {"refused": list(intake.refusals), "nothing": nothing, "remarks": list(intake.remarks)}


def lines_of_dry_run(summary: dict[str, Any]) -> list[str]:
    """Say what would be graded."""
    new, unchanged = summary["would_grade"], summary["unchanged"]
    runs = f" ({summary['functions']} functions run)" if new else ""
    first = f"Would grade {len(new)} submissions{runs}; {unchanged} have not changed since they were graded."
    return [first, *_listed(new), *_lines_of_intake(summary)]


def lines_of_run(summary: dict[str, Any]) -> list[str]:
    """Say what was graded and what was not."""
    others = ", ".join(f"{count} {what}" for what, count in summary["not_graded"].items())
    graded = f"{summary['graded']} submission{'' if summary['graded'] == 1 else 's'} graded"
    lines = [
        f"{graded}, {summary['unchanged']} unchanged, in {summary['seconds']:.1f} s "
        f"({summary['functions_run']} functions run in the sandbox {summary['sandbox']}).",
        f"{summary['in']} in all: {summary['with_verdict']} with a verdict, "
        f"{sum(summary['not_graded'].values())} without{f' ({others})' if others else ''}.",
        *_lines_of_unreadable(_named(summary["unreadable"], summary["people"])),
        *_lines_of_intake(summary),
    ]
    if summary["without_verdict"]:
        lines += ["Without a verdict, because the grading itself failed (no points are lost; run it again):"]
        lines += _listed(summary["without_verdict"])
        cause, count = next(iter(summary["causes"].items()))
        lines += [f"Why ({count} of {sum(summary['causes'].values())} functions): {cause}"]
    return lines + _lines_of_results(summary)


def _lines_of_unreadable(sentences):
    """Say whose notebooks could not be read: that is a verdict, and perhaps not the one that the work deserves."""
    if not sentences:
        return []
    first = f"{len(sentences)} could not be read, which means 0 points; the files are in classroom/originals:"
    return [first, *_listed(sentences, None)]


def _lines_of_intake(summary):
    """Say what was found that is no submission: what costs points first, and none of that is left out."""
    people = summary.get("people", {})
    told = [("Not graded:", _one_of_each_sender(summary["refused"]))]
    told += [("Without a notebook:", _together(summary, people))]
    told += [(HEADS[weight], _named(lines, people)) for weight, lines in by_weight(summary["remarks"])]
    uncut = ("Not graded:", "Without a notebook:", HEADS[COSTS])
    return [line for head, its in told if its for line in (head, *_listed(its, None if head in uncut else MAX_LISTED))]


def _named(sentences, people):
    """Write the name of whoever a sentence begins with."""
    whose = [(sentence, sentence.partition(", ")[0]) for sentence in sentences]
    return [people[id] + sentence.removeprefix(id) if id in people else sentence for sentence, id in whose]


def _together(summary, people):
    """Return one line for all of whom the same is to be said, such as that they have handed in nothing for a unit."""
    who = {}
    for sentence in summary["nothing"]:
        whose, _, words = sentence.partition(": ")
        student, _, unit = whose.partition(", ")
        who.setdefault(": ".join(filter(None, (unit, words))), []).append(people.get(student, student))
    return [f"{words}: {', '.join(students)}" for words, students in who.items()]


def _one_of_each_sender(sentences):
    """Leave one sentence about what is in the same folder or zip at the top, or below one that all have in common."""
    places = [OUTSIDE.split(sentence)[0].split("/") for sentence in sentences]
    deepest = max(map(len, places), default=0)
    depth = next((n for n in range(1, deepest) if len({tuple(place[:n]) for place in places}) > 1), deepest)
    senders = {}
    for place, sentence in zip(places, sentences, strict=True):
        senders.setdefault("/".join(place[:depth]), []).append(sentence)
    return [
        f"{first} (And {len(others)} more in {sender}; --json lists all.)" if others else first
        for sender, (first, *others) in senders.items()
    ]


def lines_of_report(summary: dict[str, Any]) -> list[str]:
    """Say where the results are, what cannot be followed of the decisions, and who is missing."""
    return [*lines_of_remarks(summary), *_lines_of_results(summary)]


def lines_of_remarks(summary: dict[str, Any]) -> list[str]:
    """Say what of the class's decisions cannot be followed."""
    return ["Please note:", *_listed(summary["remarks"], None)] if summary["remarks"] else []


def _lines_of_results(summary):
    return [*lines_of_missing(summary), f"Report: {summary['report']}", f"Grades: {summary['grades']}"]


def lines_of_missing(summary: dict[str, Any]) -> list[str]:
    """Say who is missing in the results, and what to do."""
    return ["Missing or inconsistent:", *_listed(summary["missing"], None)] if summary["missing"] else []


def lines_of_sandbox(summary: dict[str, Any]) -> list[str]:
    """Say what isolates submissions, and how it passed its self-test."""
    tests = [f"  {name}: {found}" for name, found in summary["self_test"].items()]
    return [f"Submissions run in {summary['title']} ({', '.join(summary['layers'])}). Its self-test:", *tests]


def _listed(sentences, most=MAX_LISTED):
    """Indent sentences, the first of them where there are more than `most`."""
    hidden = 0 if most is None else len(sentences) - most
    more = [f"  ... and {hidden} more (--json lists all)"] if hidden > 0 else []
    return [f"  {sentence}" for sentence in sentences[:most]] + more


def tell(
    options: argparse.Namespace, summary: dict[str, Any], to_lines: Callable[[dict[str, Any]], list[str]]
) -> None:
    """Print a summary as JSON where that is wanted, otherwise the lines that `to_lines` makes of it."""
    say(json.dumps(summary, indent=1) if options.json else "\n".join(to_lines(summary)))


def say(text: str) -> None:
    """Print a text, also where the output has not all letters of somebody's name."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding))
