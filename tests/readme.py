"""Fill the built tables of the README: `python -m tests.readme`."""

import re

from autograder.exercises import units
from tests import proof
from tests.course import ROOT

README = ROOT / "README.md"


def units_table():
    """Return the units with their points and times as a Markdown table."""
    lines = ["| unit | exercises | points | minutes |", "|---|---|---:|---:|"]
    for unit in units():
        names = ", ".join(f"`{exercise.name}`" for exercise in unit.exercises)
        lines.append(f"| {unit.id[:2]} {unit.title} | {names} | {unit.points} | {unit.minutes} |")
    return "\n".join(lines)


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
    tables = {"units": units_table(), "proof": proof.table(proof.prove_all())}
    README.write_text(filled(README.read_text(encoding="utf-8"), tables), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
