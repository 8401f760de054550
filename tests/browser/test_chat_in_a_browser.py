"""A learner chats in a real browser, on functions of their own for all units; skipped where the model is not there."""

import re

import pytest

from autograder.registry import units
from autograder.sources import source_of
from tests.support import needs
from tools.browser.learner import expect
from tools.course import notebook, source
from transformer_kit.public import smollm

pytestmark = pytest.mark.exhaustive(minutes=3)

UNIT_13 = "13_since_2017"
LONG = 'talk = Chat(model, mine, system="You are a poet.")\ntalk("Tell me a very long story.", n_pieces=2000)'


def write_library(folder):
    """Write what a learner has after units 00 to 12; each function takes those of other units from their files."""
    done = units()[:-1]
    everything = [exercise.name for unit in done for exercise in unit.exercises]
    for unit in done:
        own = [exercise.name for exercise in unit.exercises]
        borrowed = [f'{name} = functions("{name}")' for name in everything if name not in own]
        parts = [*map(source_of, own), "from transformer_kit.workbench import functions", *borrowed]
        (folder / f"unit_{unit.id}.py").write_text("\n".join(parts), encoding="utf-8")


def cell_with(code):
    return next(cell.id for cell in notebook(UNIT_13).cells if cell.cell_type == "code" and code in cell.source)


def test_a_chat_on_ones_own_functions(learner):
    """It is written before the eyes, says whose functions wrote it, can be stopped, and can be broken."""
    if smollm.smollm_file() is None:
        pytest.skip(needs.SMOLLM)
    folder = learner.course / "notebooks" / "my_transformer"
    folder.mkdir(exist_ok=True)
    write_library(folder)
    learner.open_course()
    learner.follow("13 What changed since 2017")
    learner.begin()
    names = [cell.id for cell in notebook(UNIT_13).cells if cell.id.startswith("check-")]
    for exercise in (name.removeprefix("check-") for name in names):
        learner.write(exercise, source(UNIT_13, exercise))
        learner.run(exercise)
    loading = cell_with("load_smollm")
    expect(learner.run(loading)).to_contain_text("ready to chat")
    first = cell_with('system="You are a pirate."')
    said = learner.run(first)
    expect(said).to_contain_text("Who are you")
    expect(said).to_contain_text(re.compile(r"written by \d+ functions of yours\b(?! and)"))

    broken = cell_with("broken=")
    expect(learner.run(broken)).to_contain_text("One line is wrong: columns i and i + d/2 are pairs.")

    learner.write(first, LONG)
    learner.start(first)
    answer = learner.output(first)
    expect(answer).to_contain_text("writing ...")
    answer.get_by_role("button", name="Stop").click()
    expect(answer).to_contain_text("and stopped by you")
