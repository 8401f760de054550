"""Fill the built places of the README and of docs/proof.md: `python -m tools.readme`."""

import re

from autograder.registry import units
from autograder.times import in_words, total
from tools import proof
from tools.course import ROOT

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


def pages():
    """Return what is built of every page: the texts of its places by name."""
    return {
        README: {"numbers": numbers(), "units": units_table()},
        PROOF: {"proof": proof.table(proof.promise_all())},
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


def fill(page, built):
    """Write everything that was built into a page."""
    page.write_text(filled(page.read_text(encoding="utf-8"), built), encoding="utf-8", newline="\n")


def main():
    """Write the pages anew."""
    for page, built in pages().items():
        fill(page, built)


if __name__ == "__main__":
    main()
