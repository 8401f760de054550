"""What notebook 13 and its replies say of the chat model is what was recorded of it."""

import re

import numpy as np
import pytest

from autograder.registry import find_unit
from tests.support import needs
from tools.course import ROOT
from transformer_kit.public import smollm
from transformer_kit.trained.recorded import load_recording

SOURCE = (ROOT / "solutions" / "13_since_2017.py").read_text(encoding="utf-8")
CARD = (ROOT / "docs" / "model_card.md").read_text(encoding="utf-8")
REPLIES = {
    question.id: " ".join([*question.replies.values(), question.reason])
    for question in find_unit("13_since_2017").questions
}
CHAT = load_recording("chat")


def loss(name):
    """Return the loss on the first text with a line changed, or something hidden."""
    names, losses = [*CHAT.lines, *CHAT.probes], [*CHAT.loss, *CHAT.probe_loss]
    return losses[names.index(name)][0]


@pytest.mark.parametrize(
    ("question", "name", "told"),
    [
        ("which-clocks", "as it should be", "3.12"),
        ("which-clocks", "the slow half of the clocks stands still", "3.13"),
        ("which-clocks", "the four fastest clocks stand still", "3.92"),
        ("loss-without-mask", "no mask", "1.16"),
        ("first-token", "each token sees the last 32 and the first", "3.18"),
    ],
)
def test_losses_in_replies_are_those_recorded(question, name, told):
    assert f"{loss(name):.2f}" == told
    assert told in REPLIES[question]


def test_the_window_costs_what_the_question_says():
    told = re.search(r"rises from (\S+) to (\S+)\. Now let", SOURCE).groups()
    assert told == (f"{loss('as it should be'):.2f}", f"{loss('each token sees the last 32 only'):.2f}")


@pytest.mark.parametrize("text", range(3))
def test_surprises_hold_on_every_recorded_text(text):
    """Two in English and one program: what is cheap, what is dear, and what goes down."""
    right, losses = CHAT.loss[0][text], dict(zip(CHAT.lines, CHAT.loss[:, text], strict=True))
    probes = dict(zip(CHAT.probes, CHAT.probe_loss[:, text], strict=True))
    assert losses["no mask"] < right
    assert abs(probes["the slow half of the clocks stands still"] - right) < 0.01
    assert probes["the four fastest clocks stand still"] > right + 0.4
    lost, found = (probes[f"each token sees the last 32 {end}"] for end in ("only", "and the first"))
    assert found - right < 0.2 * (lost - right)


def test_one_head_carries_copying_and_no_english():
    (first, again), cost = CHAT.random_loss, CHAT.copying_cost[16, 0]
    assert (f"{again:.1f}", f"{again + cost:.1f}", f"{first:.1f}") == ("3.4", "8.6", "14.7")
    assert f"{np.log(49_152):.1f}" == "10.8"
    assert f"{CHAT.english_cost[16, 0]:.2f}" == "0.01"
    assert cost == CHAT.copying_cost.max()
    before, copied, silent = CHAT.looks
    assert before > 0.85
    assert silent < 0.4 * copied


def test_a_third_of_attention_is_for_the_first():
    assert (CHAT.first_share > 1 / 3).all()


def test_the_answer_comes_in_the_last_block():
    last_first = (CHAT.ranks[:, -1] == 0) & (CHAT.ranks[:, -2] > 0)
    assert last_first.sum() == 9
    assert CHAT.countries[~last_first].tolist() == ["Egypt"]
    assert (CHAT.ranks[CHAT.countries == "Egypt"] > 0).all()
    assert CHAT.ranks[CHAT.countries == "France"][0][[24, 28]].tolist() == [91, 2]  # number 92, number 3
    for block, least, most in ((9, 1_100, 21_600), (19, 2_000, 24_800)):
        ranks = CHAT.ranks[:, block]
        assert (round(ranks.min(), -2), round(ranks.max(), -2)) == (least, most)
        assert f"between {least:,} and {most:,}" in REPLIES["where-the-answer-comes-from"]


def test_a_third_of_the_lines_is_silent():
    right, answer = CHAT.loss[0][0], CHAT.answers[0][0]
    silent = (CHAT.loss[1:, 0] < right + 0.15) | (CHAT.answers[1:, 0] == answer)
    assert round(3 * silent.mean()) == 1
    worst = CHAT.lines[1:][CHAT.loss[1:, 0].argmin()]
    assert worst == "no mask"
    assert "The capital of France is France." in CHAT.answers[list(CHAT.lines).index("no mask")]


def test_what_the_model_cannot_do_was_recorded():
    said = dict(zip(CHAT.asked, CHAT.said, strict=True))
    assert "42" not in said["What is 17 + 25?"]
    assert "Cervantes" not in said["Who wrote Don Quixote?"]
    assert "gustan los gatos" not in said['How do you say "I like cats" in Spanish?']


def test_the_size_of_the_cache():
    assert round(9 * 64 * 2 * 4 * 30 * 8192 / 1e9) == 1  # heads, d_k, keys and values, bytes, blocks, tokens


@pytest.mark.parametrize("text", [smollm.INSTALL, smollm.SHA256])
def test_how_to_get_smollm_is_told_consistently(text):
    assert text in CARD
    assert needs.SMOLLM.endswith(smollm.INSTALL)
    assert f"%{smollm.INSTALL}" in SOURCE
