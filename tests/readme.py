"""Fill the built tables of the README: `python -m tests.readme`."""

import re
from collections import Counter

from autograder.exercises import units
from tests import damage, proof
from tests.attacks import ATTACKS
from tests.course import ROOT

README = ROOT / "README.md"


def units_table():
    """Return the units with their points and times as a Markdown table."""
    lines = ["| unit | exercises | points | minutes |", "|---|---|---:|---:|"]
    for unit in units():
        names = ", ".join(f"`{exercise.name}`" for exercise in unit.exercises)
        lines.append(f"| {unit.id[:2]} {unit.title} | {names} | {unit.points} | {unit.minutes} |")
    return "\n".join(lines)


def grading_table():
    """Return what is handed in to try the grading of a class, as a Markdown table."""
    families = Counter(attack.family for attack in ATTACKS.values())
    outcomes = [expected for _, expected in damage.KINDS.values()]
    readable = len(outcomes) - outcomes.count("unreadable")
    listed = ", ".join(f"{name} {count}" for name, count in families.most_common())
    lines = [
        "| handed in | how many | what comes of it |",
        "|---|---:|---|",
        f"| hostile submissions ({listed}) | {len(ATTACKS)} | what their functions are worth without the attack |",
        f"| damaged notebooks whose code can be had | {readable} | the points of the functions that are left |",
        f"| files that hold no notebook | {outcomes.count('unreadable')} | the verdict *unreadable*, and why |",
    ]
    return "\n".join(lines)


def tables():
    """Return the built tables by name."""
    return {"units": units_table(), "proof": proof.table(proof.prove_all()), "grading": grading_table()}


def filled(text, tables):
    """Return a text with every built table in its place.

    A place begins with ``<!-- name: ...`` and ends with ``<!-- end -->``.
    """
    for name, table in tables.items():
        place = re.compile(rf"(<!-- {name}: [^\n]*-->\n).*?(<!-- end -->)", re.S)
        text, count = place.subn(lambda match, table=table: f"{match[1]}\n{table}\n\n{match[2]}", text)
        if count != 1:
            raise ValueError(f"expected one place named {name!r} in the text, found {count}")
    return text


def main():
    """Write the README anew."""
    README.write_text(filled(README.read_text(encoding="utf-8"), tables()), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
