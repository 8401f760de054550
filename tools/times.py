"""How long a unit takes, by one rule: `python -m tools.times` writes `autograder/exercises/sittings.json`.

| what | quick reader | thorough reader |
|---|---:|---:|
| writing a function and getting it through its check | the minutes at the head of the exercise | a quarter more |
| words of the text, hints left out | 220 a minute | 130 a minute |
| a question | 1 minute | 2 minutes |
| a picture | half a minute | 1 minute |

The sum of a sitting is rounded up to five minutes. A sitting begins with a heading of the second level that has the
word "sitting" in it, and the first one with the unit.
"""

import json
import math
import re

import jupytext

from autograder.course import course_root
from autograder.exercises.sittings import FILE
from autograder.whole_file import write_atomically
from transformer_kit import pictures

SITTING = re.compile(r"^## .*\bsitting\b", re.I | re.M)
PICTURE = re.compile(rf"\b(?:plots\.\w+|{'|'.join(pictures.__all__)})\(")
EXERCISE = re.compile(r"about (\d+) minutes, difficulty")


def sittings(source):
    """Work out the times of a unit.

    Parameters
    ----------
    source : str
        The unit in percent format.

    Returns
    -------
    list of [int, int]
        Minutes of a quick and of a thorough reader, for each sitting.
    """
    parts = [[]]
    for cell in jupytext.reads(source, fmt="py:percent").cells:
        if cell.cell_type == "markdown" and SITTING.search(cell.source):
            parts.append([])
        parts[-1].append(cell)
    return [_minutes(cells) for cells in parts]


def _minutes(cells):
    texts = [re.sub(r"<details.*?</details>", "", c.source, flags=re.S) for c in cells if c.cell_type == "markdown"]
    writing = sum(int(minutes) for text in texts for minutes in EXERCISE.findall(text))
    words = sum(len(text.split()) for text in texts)
    questions = sum("answer" in cell.metadata for cell in cells)
    drawn = sum(bool(PICTURE.search(cell.source)) for cell in cells if cell.cell_type == "code")
    quick = writing + words / 220 + questions + drawn / 2
    thorough = 1.25 * writing + words / 130 + 2 * questions + drawn
    return [5 * math.ceil(minutes / 5) for minutes in (quick, thorough)]


def computed():
    """Return the times of all units, as the file holds them."""
    sources = sorted((course_root() / "solutions").glob("[0-9]*.py"))
    found = {source.stem: sittings(source.read_text(encoding="utf-8")) for source in sources}
    lines = ",\n".join(f" {json.dumps(unit)}: {json.dumps(spans)}" for unit, spans in found.items())
    return f"{{\n{lines}\n}}\n"


def main():
    """Write the file anew."""
    write_atomically(FILE, computed())


if __name__ == "__main__":
    main()
