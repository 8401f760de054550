"""A conversation in a notebook, on a small model with random weights; and the pictures of unit 13."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from tests.support.pictures import data_of, groups
from tests.support.small_gguf import SIZES, small_model, written
from transformer_kit import reference
from transformer_kit.pictures import Chat, broken_pairs, head_costs, recorded_chats, rotary_clocks
from transformer_kit.public import smollm
from transformer_kit.trained.recorded import load_recording

FUNCTIONS = SimpleNamespace(**{name: getattr(reference, name) for name in reference.__all__})


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("gguf") / "small.gguf"
    path.write_bytes(written(*small_model(np.random.default_rng(3), **SIZES)))
    return smollm.model_from(path, reference.dequantised)


@pytest.fixture
def shown(monkeypatch):
    """Collect what is displayed, in plain text."""
    pages = []

    class Renewed:
        def __init__(self, html, text):
            self.show(html, text)

        def show(self, html, text):
            pages.append(text)

    monkeypatch.setattr("transformer_kit.pictures.chat.Renewed", Renewed)
    return pages


def test_an_answer_appears_while_it_is_written(model, shown):
    Chat(model, FUNCTIONS)("What is it?", n_pieces=5)
    assert shown[1] == "You: What is it?\nModel: \n(reading ...)"
    assert all("(writing ...)" in page for page in shown[2:-1])
    assert len(shown[-2]) > len(shown[2])
    prompt = model.pieces.encode(
        reference.chat_prompt([("user", "What is it?")], "You are a pirate."), reference.byte_pair_merge
    )
    ids = reference.write(prompt, model.decoder, np.argmax, (model.pieces.marks[smollm.END],), 5)
    said = shown[-1].partition("Model: ")[2].rpartition("\n(")[0]
    assert said == model.pieces.decode(ids)


def test_a_chat_says_whose_functions_wrote(model, shown):
    def write(*args):
        return reference.write(*args)

    mine = SimpleNamespace(**vars(FUNCTIONS) | {"write": write})
    vars(mine)["write"].__globals__["write"] = write  # as in a notebook, where it is a name of the cell
    Chat(model, mine)("Hi", n_pieces=3)
    assert re.search(r"written by 1 function of yours and \d+ of the course, and cut off after 3 pieces", shown[-1])


def test_a_conversation_is_remembered(model, shown):
    chat = Chat(model, FUNCTIONS, system="You are a cat.")
    chat("One", n_pieces=2)
    chat("Two", n_pieces=2)
    assert [role for role, _ in chat.turns] == ["user", "assistant"] * 2
    seen = []
    listening = SimpleNamespace(**vars(FUNCTIONS) | {"chat_prompt": lambda *args: seen.append(args) or "x"})
    Chat(model, listening, "You are a cat.")("One", n_pieces=1)
    assert seen == [([("user", "One")], "You are a cat.")]


def test_a_broken_line_is_told_and_heard(model, shown):
    Chat(model, FUNCTIONS)("What?", n_pieces=6)
    right = shown[-1]
    Chat(model, FUNCTIONS, broken="heads shared as 0, 1, 2, 0, 1, 2")("What?", n_pieces=6)
    assert "(One line is wrong: heads shared as 0, 1, 2, 0, 1, 2. written" in shown[-1]
    assert shown[-1].splitlines()[1] != right.splitlines()[1]


def test_whoever_stops_keeps_what_was_written(model, shown):
    calls = []

    def sample_token(probs, u):
        calls.append(u)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return reference.sample_token(probs, u)

    chat = Chat(model, SimpleNamespace(**vars(FUNCTIONS) | {"sample_token": sample_token}))
    chat("Hi", n_pieces=9)
    assert "and stopped by you" in shown[-1]
    assert chat.turns[-1][0] == "assistant"


def test_draws_depend_on_the_seed(model, shown):
    answers = set()
    for seed in (1, 2, 1):
        Chat(model, FUNCTIONS, temperature=2.0, seed=seed)("Hi", n_pieces=8)
        answers.add(shown[-1])
    assert len(answers) == 2


def test_an_error_of_a_learners_function_is_told(model, shown):
    broken = SimpleNamespace(**vars(FUNCTIONS) | {"chat_prompt": lambda turns, system: turns[7]})
    Chat(model, broken)("Hi")
    assert "IndexError" in shown[-1]


# ---- pictures ----


def test_the_clocks_turn_as_rotate_says():
    picture = rotary_clocks(reference.rotate)
    table = np.array(data_of(picture)["table"])
    X = np.tile([1.0, 0.0], (41, 32))
    np.testing.assert_allclose(table, reference.rotate(X, np.arange(41), 100_000.0), atol=6e-4)
    assert len(groups(picture, "dial")) == 32
    assert "Key 3 before the query: the sum of the products is 26.7 at 20, 26.7 at 28, 26.7 at 40." in picture.words


def test_clocks_that_are_wrong_show_it():
    picture = rotary_clocks(lambda X, positions, base: X + reference.positional_encoding(41, 64, base))
    sums = picture.words.partition("Key 3 before the query: the sum of the products is ")[2].partition(".\n")[0]
    assert len({part.split(" at ")[0] for part in sums.split(", ")}) == 3


def test_every_head_can_be_pointed_at():
    recorded = load_recording("chat")
    picture = head_costs(recorded)
    assert picture.svg.count('<rect class="cell"') == 270
    data = data_of(picture)
    block, head = divmod(int(recorded.copying_cost.argmax()), 9)
    assert data["start"] == head * data["columns"] + block
    np.testing.assert_allclose(data["costs"][data["start"]][0], recorded.copying_cost.max(), atol=0.005)


def test_of_each_pair_one_answer_is_the_models():
    recorded = load_recording("chat")
    page = broken_pairs(recorded)
    assert page.html.count("<details>") == 5
    lines = page.text.splitlines()
    for number in range(5):
        left, right = (lines[3 * number + i].partition(": ")[2].strip() for i in (1, 2))
        assert left != right
        right_ones = {repr(str(answer)) for answer in recorded.answers[0]}
        assert len({left, right} & right_ones) == 1


def test_recorded_chats_are_all_there():
    recorded = load_recording("chat")
    for said in recorded.said:
        assert str(said) in recorded_chats(recorded).text
