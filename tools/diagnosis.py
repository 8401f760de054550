"""Measure on the bank of learners' functions how far the diagnosis can be trusted, and write it into docs/proof.md.

`python -m tools.diagnosis`; with ``--faults`` it lists all that is to be looked at, and writes nothing.
"""

import argparse
import ast
import re
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field
from inspect import getsourcefile, getsourcelines
from pathlib import Path

from autograder.evaluation.attempts import visible_seed
from autograder.evaluation.evaluate import evaluate
from autograder.execution.call import LocalRunner
from autograder.feedback.html import as_html
from autograder.feedback.make_report import make_report
from autograder.feedback.report import Line
from autograder.learner.local import whereabouts
from autograder.registry import units
from tools.bank import specimens
from tools.readme import PROOF, fill
from tools.words import words_of

# What a message says where it only sets numbers beside numbers
ONLY_NUMBERS = re.compile(r"are right, but|expected (?P<right>.*) \((?P<kind>\w+)\), got .* \((?P=kind)\)", re.DOTALL)
HEADS = (
    "unit",
    "right ones accepted",
    "wrong ones rejected",
    "named rightly, of all named",
    "located at the right line, of all located",
    "told plainly",
    "only numbers",
    "words shown, at most",
    "median, ms",
)


@dataclass
class Row:
    """What was found in a unit: how many functions of which kind, seconds and words of each, and what to look at."""

    unit: str
    counts: Counter = field(default_factory=Counter)
    seconds: list = field(default_factory=list)
    words: list = field(default_factory=list)
    faults: list = field(default_factory=list)


def measure(unit):
    """Check every function of the bank that belongs to a unit.

    Parameters
    ----------
    unit : Unit

    Returns
    -------
    Row
    """
    row = Row(unit.id)
    for exercise in unit.exercises:
        for specimen in specimens(exercise.name):
            began = time.process_time()
            runner = LocalRunner(specimen.function, exercise.signature)
            verdict = evaluate(exercise, runner, visible_seed(exercise))
            where = whereabouts(specimen.function, verdict)
            row.seconds.append(time.process_time() - began)
            row.words.append(_words_shown(verdict, where))
            for kind, fault in judged(specimen, verdict, where):
                row.counts[kind] += 1
                if fault:
                    row.faults.append(f"{exercise.name}, {specimen.function.__name__}: {fault}")
    return row


def _words_shown(verdict, where):
    """Return how many words of a report nobody has to unfold."""
    notes = [Line("Where", where)] if where else []
    return len(words_of(as_html(make_report(verdict, (), notes)))[1])


def judged(specimen, verdict, where):
    """Yield what a verdict counts as, each with what is to be looked at, if anything.

    Parameters
    ----------
    specimen : Specimen
    verdict : Verdict
    where : str
        The line at which the function is said to go wrong; empty where nothing is said.

    Yields
    ------
    tuple of (str, str)
    """
    passed = verdict.status == "passed"
    if not specimen.label:
        lost = next((f"is right and fails: {r.name}: {r.message}" for r in verdict.results if not r.passed), "")
        yield "right", lost
        yield "accepted" * passed, ""
        return
    yield "wrong", f"gets full points, although it {specimen.label}" if passed else ""
    if passed:
        return
    yield "rejected", ""
    failed = [result for result in verdict.results if result.status == "failed"]
    if verdict.cause:
        yield from _named(specimen, verdict.cause)
    elif where:
        yield from _located(specimen, where)
    elif verdict.is_unstable or any(
        r.structure or r.ended != "returned" or not ONLY_NUMBERS.search(r.message) for r in failed
    ):
        yield "told", ""
    else:
        told = "; ".join(r.message for r in failed)[:200]
        yield "dark", f"is told only {told!r}: it {specimen.label}"


def _named(specimen, cause):
    ids = [f"{helper}/{mistake.id}" if helper else mistake.id for mistake, helper in cause.pairs]
    yield "named", ""
    if set(ids) <= specimen.names:
        yield "named rightly", ""
    else:
        yield "misnamed", f"is named {cause.kind}: {', '.join(ids)}; it {specimen.label} ({', '.join(specimen.names)})"


def _located(specimen, where):
    """Compare with the line on the label; without one, nobody can say whether the place is right."""
    lines = accused(where)
    if not specimen.line or not lines:
        yield "told", ""
        return
    first, last = _statement(specimen)
    yield "located", ""
    if any(first <= line <= last for line in lines) and not any(first <= line <= last for line in cleared(where)):
        yield "located rightly", ""
    else:
        yield "mislocated", f"is located: {where!r}; it is line {first}: it {specimen.label}"


def accused(where):
    """Return the lines at which a text looks for the fault: none where it says only which shapes met."""
    if where.endswith("meet.") or "meet. " in where:
        return []
    return [int(number) for number in re.findall(r"[Ll]ine (\d+)\b(?! of your cell still)", where)]


def cleared(where):
    """Return the lines that a text calls right."""
    return [int(number) for number in re.findall(r"[Ll]ine (\d+) of your cell still", where)]


def _statement(specimen):
    """Return the first and the last line, in its file, of the statement that is wrong."""
    number = getsourcelines(specimen.function)[1] + specimen.line - 1
    tree = ast.parse(Path(getsourcefile(specimen.function)).read_text(encoding="utf-8"))
    around = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and n.lineno <= number <= n.end_lineno]
    innermost = max(around, key=lambda node: node.lineno)
    return innermost.lineno, innermost.end_lineno


def line_of(row):
    """Return a row as a line of a Markdown table."""
    c = row.counts
    cells = (
        row.unit.split("_")[0],
        f"{c['accepted']} of {c['right']}",
        f"{c['rejected']} of {c['wrong']}",
        _share(c["named rightly"], c["named"]),
        _share(c["located rightly"], c["located"]),
        c["told"],
        c["dark"],
        max(row.words),
        f"{1000 * statistics.median(row.seconds):.0f}",
    )
    return f"| {' | '.join(map(str, cells))} |"


def _together(rows):
    """Return one row for all."""
    seconds, words = ([one for row in rows for one in getattr(row, kind)] for kind in ("seconds", "words"))
    return Row("all", sum((row.counts for row in rows), Counter()), seconds, words)


def _share(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "0 of 0"


def main():
    """Measure, and print or write what was found."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("units", nargs="*", help="their numbers, such as 02; all when left out")
    parser.add_argument("--faults", action="store_true", help="list what is to be looked at, and write nothing")
    options = parser.parse_args()
    rows = [measure(unit) for unit in units() if not options.units or unit.id[:2] in options.units]
    rows.append(_together(rows))
    table = "\n".join([f"| {' | '.join(HEADS)} |", "|---|" + "---:|" * (len(HEADS) - 1), *map(line_of, rows)])
    print(table)
    if options.faults:
        print(*(f"- {fault}" for row in rows for fault in row.faults), sep="\n")
    elif not options.units:
        fill(PROOF, {"diagnosis": table})


if __name__ == "__main__":
    main()
