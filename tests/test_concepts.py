"""The README's table of ideas names real units, exercises and sections, and leaves no idea out."""

import re
from typing import NamedTuple

import pytest

from autograder.exercises import units
from tests.course import headings
from tests.readme import README

UNITS = {unit.id[:2]: unit for unit in units()}

# What a course on the Transformer has to teach. Each stands for one row of the table, and for no other.
IDEAS = """
source and target; product of conditionals; recurrent; bottleneck; both directions; additive; weighted sum; in a loop;
stacks of layers; encoder layer; decoder layer; one memory; embeddings; blind to order; wavelengths; learned matrices;
dictionary; similarity, and; scaled dot-product; queries and keys; every row sums to 1; √d_k; Jacobian; exponentials;
nothing to learn; shares of a budget; self-attention: one; causal mask; True and False; or after the scale; first
position; mask for all heads; padding; shifted; multi-head; own projections; W_O; token ids; output layer;
convolution; shapes; cross-attention; from the encoder; context vector; alignment; nothing causal; feed-forward;
nonlinearity; residual; layer norm; batch norm; norm after; teacher forcing; KL; label smoothing; like writing;
feedback; start symbol; greedy; beam search; length penalty; top-k; ties and seeds; only read; only write; GPT; large
pretrained; running examples
""".replace("\n", " ").split(";")


class Row(NamedTuple):
    """A row of the table: the units as ``{"00": "", "09": "planned"}``."""

    idea: str
    units: dict
    text: str


def rows(page):
    """Return the rows of the table of ideas on a page."""
    section = re.search(r"^## Where each idea is taught\n(.*?)^## ", page, re.M | re.S)[1]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:]]  # without the head
    return [
        Row(idea, dict(entry.partition(" ")[::2] for entry in where.split(", ")), text) for idea, where, text in cells
    ]


def problems(row):
    """Return what a row says that is not so, as sentences."""
    taught = [UNITS[number] for number in row.units if number in UNITS]
    exercises = {exercise.name for unit in taught for exercise in unit.exercises}
    sections = {heading for unit in taught for heading in headings(unit.id)}
    named = set(re.findall(r"`(.+?)`", row.text))
    quoted = set(re.findall(r"\*(.+?)\*", row.text))
    return [
        *(f"there is no unit {n}" for n, state in row.units.items() if not state and n not in UNITS),
        *(f"unit {n} is there already" for n, state in row.units.items() if state == "planned" and n in UNITS),
        *(f"unit {n} is {state}?" for n, state in row.units.items() if state not in ("", "planned")),
        *(f"{name} is no exercise of these units" for name in sorted(named - exercises)),
        *(f"{heading} is no heading of these units" for heading in sorted(quoted - sections)),
    ]


PAGE = README.read_text(encoding="utf-8")
TABLE = rows(PAGE)


def test_every_row_is_true():
    found = {row.idea: problems(row) for row in TABLE}
    assert {idea: wrong for idea, wrong in found.items() if wrong} == {}


def test_no_idea_is_missing():
    """Each idea has exactly one row, so a row that is lost cannot hide behind another."""
    counts = {idea.strip(): sum(idea.strip() in row.idea for row in TABLE) for idea in IDEAS}
    assert {idea: count for idea, count in counts.items() if count != 1} == {}
    assert len(counts) == len(TABLE)
    assert f"All {len(TABLE)} ideas" in PAGE


def test_every_unit_is_there():
    numbers = {number for row in TABLE for number in row.units}
    assert {f"{number:02}" for number in range(9)} | set(UNITS) <= numbers


@pytest.mark.parametrize(
    ("where", "text", "problem"),
    [
        ("77", "", "there is no unit 77"),
        ("02 planned", "", "unit 02 is there already"),
        ("02 some", "", "unit 02 is some?"),
        ("02", "write `causal_mask`", "causal_mask is no exercise of these units"),
        ("02", "see (*The leak meter*)", "The leak meter is no heading of these units"),
        ("02, 03", "write `softmax` and `causal_mask` (*The leak meter*)", None),
    ],
)
def test_a_planted_row_is_judged(where, text, problem):
    page = f"## Where each idea is taught\n\n| idea | unit | what |\n|---|---|---|\n| x | {where} | {text} |\n\n## Next"
    (row,) = rows(page)
    assert problems(row) == ([problem] if problem else [])
