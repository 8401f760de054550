"""Notebook 09 in a kernel, on a library in files: the right styles of units 00 to 08, and mistakes planted in them."""

from inspect import getmodule, getsource

import pytest

from autograder.registry import find, units
from tests.support.notebook_runs import noise, run, scores
from tools.bank import right_styles
from tools.course import fill, solved
from tools.kernels import outputs

pytestmark = pytest.mark.exhaustive
EARLIER, UNIT = units()[:9], units()[9]
PLANTED = {  # by a function of the library: its body, the mistake that this is, and the first part that differs
    "positional_encoding": (
        "if d_model % 2:\n"
        "        raise ValueError(f'expected an even d_model, got {d_model}')\n"
        "    angles = np.arange(1, seq_len + 1)[:, None] * base ** (-np.arange(0, d_model, 2) / d_model)\n"
        "    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(seq_len, d_model)",
        "positions-from-1",
        "the input of the encoder",
    ),
    "causal_mask": (
        "n_keys = n_queries if n_keys is None else n_keys\n"
        "    return np.tri(n_queries, n_keys, n_keys - n_queries + 1, dtype=bool)",
        "one-ahead",
        "decoder layer 0, self-attention",
    ),
    "layer_norm": (
        "mean, spread = X.mean(-1, keepdims=True), X.var(-1, ddof=1, keepdims=True)\n"
        "    return gamma * (X - mean) / np.sqrt(spread + eps) + beta",
        "sample-variance",
        "encoder layer 0, norm_1",
    ),
}


@pytest.fixture
def home(tmp_path):
    """A learner's folder with unit 09 and a library that holds the first right style of every earlier exercise."""
    (tmp_path / UNIT.id).mkdir()
    folder = tmp_path / "my_transformer"
    folder.mkdir()
    for unit in EARLIER:
        styles = {exercise.name: right_styles(exercise.name)[0] for exercise in unit.exercises}
        texts = [getsource(getmodule(style)).partition("\n# wrong")[0] for style in styles.values()]
        names = (f"{name} = {style.__name__}" for name, style in styles.items())
        (folder / f"unit_{unit.id}.py").write_text("\n".join([*texts, *names, ""]))
    return tmp_path


def plant(home, name, body):
    """Write a wrong function below the right one in its file of the library; later files and notebooks take that."""
    (path,) = (home / "my_transformer").glob(f"unit_{unit_id(name)}.py")
    head = f"\n\ndef {name}{signature(name)}:\n    "
    path.write_text(f"{path.read_text()}{head}{body}\n")


def unit_id(name):
    return next(unit.id for unit in EARLIER if find(name) in unit.exercises)


def signature(name):
    return getsource(find(name).reference).split(":\n")[0].removeprefix(f"def {name}")


def first_part(book):
    """Cut a notebook off after the comparison of all layers."""
    end = next(n for n, cell in enumerate(book.cells) if cell.source == "compare_layers(mine)")
    book.cells = book.cells[: end + 1]
    return book


def printed(book):
    return "".join(output.get("text", "") for _, output in outputs(book))


def test_a_learners_library_runs_the_whole_notebook(home):
    """Every function is the learner's in the end, all points, and a sentence of one's own comes out in Spanish."""
    book = run(fill(UNIT, solved(UNIT), figures=True), home / UNIT.id)
    assert noise(book) == []
    assert scores(book) == {exercise.name: exercise.points for exercise in UNIT.exercises}
    said = printed(book)
    lent = [line for line in said.splitlines() if line.startswith(("Lent", "On loan"))]
    assert lent == ["On loan from the course until yours passes: translate."]  # for the first card
    assert said.count("Yours: ") == 1
    assert "Me gustan los gatos." in said
    texts = [output["data"]["text/plain"] for _, output in outputs(book) if "text/plain" in output.get("data", {})]
    assert any(text.startswith("All ") and "parts of the trained model are right" in text for text in texts)


@pytest.mark.parametrize("name", PLANTED)
def test_a_mistake_planted_in_the_library_is_named(home, name):
    """`load` names it and lends the right function; taken as it stands, it is named at the part where it shows."""
    body, id, part = PLANTED[name]
    plant(home, name, body)
    mistake = next(mistake for mistake in find(name).mistakes if mistake.id == id)
    book = run(first_part(fill(UNIT, {}, figures=True)), home / UNIT.id)
    assert noise(book) == []
    said = printed(book)
    assert f"Lent by the course in place of yours: {name} (my_transformer/unit_{unit_id(name)}.py, line " in said
    assert f"its check fails. {mistake.name}" in said
    assert "parts of the trained model are right" in book.cells[-1].outputs[-1].data["text/plain"]

    book = first_part(fill(UNIT, {}, figures=True))
    imports = next(cell for cell in book.cells if cell.cell_type == "code")
    before, loaded, after = imports.source.partition('"beam_search",\n)')
    assert loaded, "the last name that is loaded is another one"
    imports.source = f'{before}"beam_search",\n    even_if_wrong=True,\n){after}'
    report = run(book, home / UNIT.id).cells[-1].outputs[-1].data["text/plain"]
    assert report.startswith(f"The first part that differs: {part}.")
    assert f"ause: {mistake.name[0].lower()}{mistake.name[1:]}." in report
