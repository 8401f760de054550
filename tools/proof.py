"""Prove that the grading is sound, and print the table of what was proved: `python -m tools.proof`."""

import argparse
from dataclasses import dataclass, field, replace
from functools import lru_cache

from autograder.evaluation.evaluate import evaluate
from autograder.execution.call import LocalRunner
from autograder.registry import units
from tools.bank import right_styles
from tools.course import solution_functions

FIRST_SEED, *OTHER_SEEDS = SEEDS = (0, 1, 2)


@dataclass
class Row:
    """What was found for one exercise; every entry of `faults` is a sentence about something unproved."""

    unit: str
    name: str
    points: float
    claims: int
    mistakes: int
    styles: int
    caught: int = 0
    named: int = 0
    accepted: int = 0
    stub: float = 0.0
    solution: float = 0.0
    faults: list = field(default_factory=list)


@lru_cache(maxsize=300)  # the functions of one or two exercises
def verdict(exercise, function, seed):
    """Evaluate a function against an exercise in this process; once, however many tests ask."""
    return evaluate(exercise, LocalRunner(function, exercise.signature), seed)


def prove(exercise, unit_id, styles, solution, seeds=SEEDS, mistakes=None):
    """Try everything whose mark is known beforehand on one exercise.

    Parameters
    ----------
    exercise : Exercise
    unit_id : str
    styles : sequence of callable
        Right implementations.
    solution : callable
        The function of the solution notebook.
    seeds : sequence of int
    mistakes : sequence of Mistake, optional
        Those of the exercise's that are tried; all of them when left out.

    Returns
    -------
    Row
    """
    mistakes = exercise.mistakes if mistakes is None else mistakes
    row = Row(unit_id, exercise.name, exercise.points, len(exercise.claims), len(mistakes), len(styles))
    _try_mistakes(row, exercise, mistakes, seeds)
    _try_styles(row, exercise, styles, seeds)
    row.stub = max(verdict(exercise, stub, seed).points for seed in seeds)
    row.solution = min(verdict(exercise, solution, seed).points for seed in seeds)
    if row.stub:
        row.faults.append(f"{exercise.name}: the untouched stub gets {row.stub:g} points")
    if row.solution < exercise.points:
        row.faults.append(f"{exercise.name}: the solution gets only {row.solution:g} points")
    return row


def _try_mistakes(row, exercise, mistakes, seeds):
    for mistake in mistakes:
        verdicts = [verdict(exercise, mistake.function, seed) for seed in seeds]
        caught = all(v.points < exercise.points for v in verdicts)
        names = {v.mistake.id if v.mistake else "nothing" for v in verdicts}
        row.caught += caught
        row.named += names == {mistake.id}
        if not caught:
            row.faults.append(f"{exercise.name}: the mistake {mistake.id} gets full points")
        elif names != {mistake.id}:
            row.faults.append(f"{exercise.name}: the mistake {mistake.id} is named {', '.join(sorted(names))}")


def _try_styles(row, exercise, styles, seeds):
    for style in styles:
        failed = [result for seed in seeds for result in verdict(exercise, style, seed).results if not result.passed]
        row.accepted += not failed
        if failed:
            found = f"{failed[0].name!r}: {failed[0].message}"
            row.faults.append(f"{exercise.name}: the right style {style.__name__} fails {found}")


def stub(*args, **kwargs):
    """What a learner finds."""
    raise NotImplementedError


def promised(exercise, unit_id, styles):
    """Return the row that `prove` has to find. Nothing is run: the counts are those of the specification."""
    row = Row(unit_id, exercise.name, exercise.points, len(exercise.claims), len(exercise.mistakes), len(styles))
    return replace(row, caught=row.mistakes, named=row.mistakes, accepted=row.styles, solution=row.points)


def exercises():
    """Yield every exercise of the course with its unit's id and its right styles."""
    for unit in units():
        for exercise in unit.exercises:
            yield exercise, unit.id, right_styles(exercise.name)


def prove_all():
    """Return one row per exercise of the course, as measured."""
    written = {unit.id: solution_functions(unit.id) for unit in units()}
    return [prove(e, unit_id, styles, written[unit_id][e.name]) for e, unit_id, styles in exercises()]


def promise_all():
    """Return one row per exercise of the course, as the specification promises."""
    return [promised(*entry) for entry in exercises()]


def table(rows):
    """Return the rows as a Markdown table with totals."""
    heads = ("unit", "exercise", "points", "claims", "mistakes caught", "named as themselves", "right styles accepted")
    lines = [f"| {' | '.join(heads)} | stub | solution |", "|---|---|" + "---:|" * 7]
    for r in rows:
        counts = f"{r.caught} of {r.mistakes} | {r.named} of {r.mistakes} | {r.accepted} of {r.styles}"
        lines.append(
            f"| {r.unit[:2]} | `{r.name}` | {r.points:g} | {r.claims} | {counts} | {r.stub:g} | {r.solution:g} |"
        )

    def total(key):
        return sum(getattr(row, key) for row in rows)

    counts = (("caught", "mistakes"), ("named", "mistakes"), ("accepted", "styles"))
    shares = " | ".join(share(total(part), total(whole)) for part, whole in counts)
    solved = share(total("solution"), total("points"))
    lines.append(
        f"| | all {len(rows)} | {total('points'):g} | {total('claims')} | {shares} | {total('stub'):g} | {solved} |"
    )
    return "\n".join(lines)


def share(part, whole):
    """Write a part of a whole as a number and a percentage."""
    return f"{part:g} of {whole:g} ({100 * part / whole:.4g} %)" if whole else "0 of 0"


def main():
    """Print the table; the exit status tells whether everything was proved."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    rows = prove_all()
    print(table(rows))
    faults = [fault for row in rows for fault in row.faults]
    for fault in faults:
        print(f"NOT PROVED: {fault}")
    raise SystemExit(bool(faults))


if __name__ == "__main__":
    main()
