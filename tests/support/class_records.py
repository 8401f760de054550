"""Records and submissions of a synthetic class, made without grading anything."""

import random

from autograder.grading.intake.submission import Submission
from autograder.grading.verdicts.record import Record
from autograder.registry import units

SANDBOX = {"backend": "bubblewrap", "layers": ["namespaces", "seccomp"], "self_test": {"network": "passed"}}
ENGINE = {"python": "3.11", "numpy": "2.4"}


def record(student, unit, exercise, held=1.0, mistake=None, status=None, **more):
    """Make a record in which the first claims hold, that share of them."""
    count = round(held * len(exercise.claims))
    claims = [{"name": claim.name, "passed": number < count} for number, claim in enumerate(exercise.claims)]
    points = sum(claim.points for claim in exercise.claims[:count])
    status = status or ("correct" if held == 1 else "diagnosed" if mistake else "wrong")
    cause = {"kind": "certain", "mistakes": [mistake], "inside": [""]} if mistake else None
    known = {"points": points, "claims": claims, "mistake": mistake, "cause": cause}
    fields = known | {"sandbox": SANDBOX, "engine": ENGINE} | more
    return Record("key", student, unit.id, exercise.name, max_points=exercise.points, status=status, **fields)


def submission(student, unit, **more):
    return Submission(student, unit.id, f"{student}/{unit.id}.ipynb", b"", None, **more)


def synthetic_class(students, chosen=(2, 3, 7), held=None, seed=11):
    """Make records and submissions of a class; `held` is everybody's share of the claims that hold."""
    rng, records, submissions = random.Random(seed), [], []
    for number in range(students):
        student = f"s{number:03}"
        for unit in (units()[n] for n in chosen):
            submissions.append(submission(student, unit, code=(f"def helper_{number}(x):\n    return x + {number}\n",)))
            for exercise in unit.exercises:
                share = rng.choice((0, 0.3, 1, 1)) if held is None else held
                mistake = None if share == 1 else rng.choice((None, *exercise.mistakes[:3]))
                records.append(record(student, unit, exercise, share, mistake and mistake.id))
    return records, submissions
