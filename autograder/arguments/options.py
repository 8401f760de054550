"""Options that several commands have."""

import argparse
from typing import Any

Commands = Any  # what `add_subparsers` returns, of a class that argparse keeps to itself


def add_json(group: Any) -> None:
    """Add --json, with which a command prints its outcome for a program."""
    group.add_argument("--json", action="store_true", help="print the outcome as JSON and nothing else")


def add_sandbox(group: Any) -> None:
    """Add --sandbox, which chooses one."""
    group.add_argument(
        "--sandbox",
        choices=("bubblewrap", "landlock", "podman", "docker"),
        help="use this one (default: the first that passes its self-test)",
    )


def add_where(group: Any, at_most: str) -> None:
    """Add --jobs, --sandbox and --no-sandbox: where learners' code runs, which has no sandbox for so much at most."""
    group.add_argument("--jobs", type=count, metavar="N", help="processes (default: one for each processor)")
    add_sandbox(group)
    group.add_argument(
        "--no-sandbox", action="store_true", help=f"run the code with your own rights; refused for more than {at_most}"
    )


def add_unit(group: Any) -> None:
    """Add --unit, which may be repeated."""
    group.add_argument("--unit", action="append", metavar="NN", help="only this unit, such as 02; may be repeated")


def count(text: str) -> int:
    """Return the number of processes that a text says."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number of processes, at least 1, got {text}")
    return int(text)
