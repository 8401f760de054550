"""Say what breaks a rule of taste, and what room the limits leave: `make style`."""

import sys

from autograder.course import course_root
from tools.style import mistakes, phrases, units
from tools.style.told import table


def main() -> int:
    """Print what is found and the tables of the limits; return the exit status, 1 if a rule is broken."""
    root = course_root()
    for line in table("Words of running text, without hints, formulas, tables and choices", units.used(root)):
        print(line)
    for line in table("The longest of the course", [*units.fullest(root), *mistakes.fullest(root)]):
        print(line)
    found = [finding for rules in (units, mistakes, phrases) for finding in rules.findings(root)]
    for finding in found:
        print(finding)
    print(f"{len(found)} to mend. A limit or a phrase is changed in tools/style/." if found else "Nothing to mend.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
