"""Fill the built places of the README and of docs/proof.md: `python -m tools.readme`."""

import re
from collections import Counter

from autograder.registry import units
from autograder.times import in_words, total
from tests.attacks import ATTACKS
from tests.support import damaged_notebooks
from tests.support.course import ROOT
from tools import proof

README = ROOT / "README.md"
PROOF = ROOT / "docs" / "proof.md"


def numbers():
    """Return the size of the course in a sentence."""
    exercises = [exercise for unit in units() for exercise in unit.exercises]
    mistakes = sum(len(exercise.mistakes) for exercise in exercises)
    time = in_words(total(unit.minutes for unit in units()))
    return (
        f"{len(units())} notebooks, {len(exercises)} functions to write, about {time}; "
        f"and {mistakes:,} mistakes that the checks know by name."
    )


def units_table():
    """Return the units with their points and times as a Markdown table."""
    lines = ["| unit | what you write | points | time |", "|---|---|---:|---|"]
    for unit in units():
        names = ", ".join(f"`{exercise.name}`" for exercise in unit.exercises)
        link = f"[{unit.id[:2]} {unit.title}](notebooks/{unit.id}/{unit.id}.ipynb)"
        lines.append(f"| {link} | {names} | {unit.points} | {unit.time} |")
    return "\n".join(lines)


def grading_table():
    """Return what is handed in to try the grading of a class, as a Markdown table."""
    families = Counter(attack.family for attack in ATTACKS.values())
    outcomes = [expected for _, expected in damaged_notebooks.KINDS.values()]
    readable = len(outcomes) - outcomes.count("unreadable")
    listed = ", ".join(f"{name} {count}" for name, count in families.most_common())
    lines = [
        "| handed in | how many | what comes of it |",
        "|---|---:|---|",
        f"| hostile submissions ({listed}) | {len(ATTACKS)} | what their functions are worth without the attack |",
        f"| damaged notebooks whose code can be read | {readable} | the points of the functions that are left |",
        f"| files that hold no notebook | {outcomes.count('unreadable')} | the verdict *unreadable*, and why |",
    ]
    return "\n".join(lines)


def pages():
    """Return what is built of every page: the texts of its places by name."""
    return {
        README: {"numbers": numbers(), "units": units_table()},
        PROOF: {"proof": proof.table(proof.promise_all()), "grading": grading_table()},
    }


def filled(text, built):
    """Return a page with everything built in its place.

    A place begins with ``<!-- name: ...`` and ends with ``<!-- end -->``.
    """
    for name, part in built.items():
        place = re.compile(rf"(<!-- {name}: [^\n]*-->\n).*?(<!-- end -->)", re.S)
        text, count = place.subn(lambda match, part=part: f"{match[1]}\n{part}\n\n{match[2]}", text)
        if count != 1:
            raise ValueError(f"expected one place named {name!r} in the text, found {count}")
    return text


def main():
    """Write the pages anew."""
    for page, built in pages().items():
        page.write_text(filled(page.read_text(encoding="utf-8"), built), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
