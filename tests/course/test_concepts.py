"""The table of ideas names real units, exercises and sections, and leaves no idea out."""

import re
from typing import NamedTuple

import pytest

from autograder.registry import units
from tools.course import ROOT, headings

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
pretrained; running examples; one head in; heads silenced; logit lens; rollout; maps as evidence; longest piece;
lowest rank; which bias; with tanh; vector for a whole; training flow; dropout; classifier; applications; fine-tuning;
faster; without the table; mixture of experts; block of rounded; AdamW; heads share; since the paper;
 rotary; share keys and values; RMS norm; numbers of 4 bits; text that is continued; trained model hides
""".replace("\n", " ").split(";")


class Row(NamedTuple):
    """A row of the table."""

    idea: str
    units: list
    text: str


def rows(page):
    """Return the rows of the table of ideas on a page."""
    lines = [line for line in page.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:]]  # without the head
    return [Row(idea, where.split(", "), text) for idea, where, text in cells]


def problems(row):
    """Return what a row says that is not so, as sentences."""
    taught = [UNITS[number] for number in row.units if number in UNITS]
    exercises = {exercise.name for unit in taught for exercise in unit.exercises}
    sections = {heading for unit in taught for heading in headings(unit.id)}
    named = set(re.findall(r"`(.+?)`", row.text))
    quoted = set(re.findall(r"\*(.+?)\*", row.text))
    return [
        *(f"there is no unit {number}" for number in row.units if number not in UNITS),
        *(f"{name} is no exercise of these units" for name in sorted(named - exercises)),
        *(f"{heading} is no heading of these units" for heading in sorted(quoted - sections)),
    ]


PAGE = (ROOT / "docs" / "ideas.md").read_text(encoding="utf-8")
TABLE = rows(PAGE)


def test_every_row_is_true():
    found = {row.idea: problems(row) for row in TABLE}
    assert {idea: wrong for idea, wrong in found.items() if wrong} == {}


def test_no_idea_is_missing():
    """Each idea has exactly one row, so a row that is lost cannot hide behind another."""
    counts = {idea.strip(): sum(idea.strip() in row.idea for row in TABLE) for idea in IDEAS}
    assert {idea: count for idea, count in counts.items() if count != 1} == {}
    assert len(counts) == len(TABLE)
    assert f"The {len(TABLE)} ideas" in PAGE


def test_every_unit_is_there():
    assert {number for row in TABLE for number in row.units} == set(UNITS)


@pytest.mark.parametrize(
    ("where", "text", "problem"),
    [
        ("77", "", "there is no unit 77"),
        ("02 planned", "", "there is no unit 02 planned"),
        ("02", "write `causal_mask`", "causal_mask is no exercise of these units"),
        ("02", "see (*The leak meter*)", "The leak meter is no heading of these units"),
        ("02, 03", "write `softmax` and `causal_mask` (*The leak meter*)", None),
    ],
)
def test_a_planted_row_is_judged(where, text, problem):
    page = f"# Ideas\n\n| idea | unit | what |\n|---|---|---|\n| x | {where} | {text} |\n"
    (row,) = rows(page)
    assert problems(row) == ([problem] if problem else [])
