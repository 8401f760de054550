"""Write the skeleton of an exercise, and say what is still open: `make exercise ARGS="02 log_sum_exp"`."""

import argparse
import sys

from autograder.course import course_root
from tools.exercise.names import Refused, require_free, unit_called
from tools.exercise.places import Draft, write


def main(arguments=None):
    """Run the command; return its exit status: with `--check`, 1 if something is open."""
    parser = argparse.ArgumentParser(prog="make exercise", description=__doc__.partition(":")[0])
    parser.add_argument("unit", help="its number, e.g. 02")
    parser.add_argument("name", help="of the function that learners write")
    parser.add_argument("--after", default="", metavar="NAME", help="the exercise before it (default: the unit's last)")
    parser.add_argument("--check", action="store_true", help="write nothing, only say what is open")
    options = parser.parse_args(arguments)
    root = course_root()
    try:
        draft = Draft(root, unit_called(root, options.unit), options.name, options.after)
        require_free(root, draft.unit_id, draft.name)
        if draft.after and draft.after not in draft.exercises:
            raise Refused(f"Unit {draft.unit_id} has no exercise {draft.after}, only {', '.join(draft.exercises)}.")
    except Refused as why:
        print(why, file=sys.stderr)
        return 2
    if not options.check:
        for path in write(draft):
            print(f"written: {path.as_posix()}")
    return _tell(draft, options.check)


def _tell(draft, check):
    """Print what is open and return the exit status."""
    from tools.exercise.open_steps import open_steps  # loads the course, which may have been written just now

    steps = open_steps(draft)
    for step in steps:
        print(f"{step.path.as_posix()}:{step.line}: {step.what}")
    if steps:
        again = f'make exercise ARGS="{draft.unit_id[:2]} {draft.name} --check"'
        print(f"Still open: {len(steps)}. Ask again with: {again}")
        return int(check)
    print(f'Nothing is open. Now: make test-all ARGS="-k {draft.name}", make readme, .ci/run')
    return 0


if __name__ == "__main__":
    sys.exit(main())
