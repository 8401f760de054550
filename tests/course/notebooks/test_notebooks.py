"""The notebooks run from top to bottom, quietly, and every figure can be read without seeing it."""

import re
from html import unescape
from itertools import pairwise

import pytest

from autograder.registry import units
from tests.support.built_site import solved_notebooks
from tests.support.notebook_runs import noise, scores
from tools.course import ROOT, notebook
from tools.kernels import execute, executed, outputs

IDS = [unit.id for unit in units()]
# Of `make test`: one solution, and the first of the untouched notebooks.
SOLVED = ("05_cross_attention",)
UNTOUCHED = ("00_tokens_and_shapes",)


def runs(chosen):
    """Return all units as parameters; those that are not chosen are tried by `make test-all` only."""
    marks = {unit.id: [] if unit.id in chosen else [pytest.mark.exhaustive] for unit in units()}
    group = pytest.mark.xdist_group  # each notebook is one of its own
    return [pytest.param(u, id=u.id, marks=[*marks[u.id], group(f"notebook {u.id}")]) for u in units()]


def images_without_words(nb):
    """Return the ids of cells that show a picture without a text alternative of at least a sentence."""
    found = []
    for id, output in outputs(nb):
        page = output.get("data", {}).get("text/html", "")
        pictures = re.findall(r"<img\b[^>]*>", page)
        alts = [re.search(r'\balt="([^"]*)"', picture) for picture in pictures]
        spoken = [alt and len(unescape(alt[1])) >= 40 for alt in alts]
        bare = any(kind.startswith("image/") for kind in output.get("data", {})) and not pictures
        if bare or not all(spoken):
            found.append(id)
    return found


def large_pictures(nb):
    """Return the ids of cells that show a picture of too many bytes, its words included."""
    pages = [(id, output.get("data", {}).get("text/html", "")) for id, output in outputs(nb)]
    pictures = [(id, part.partition("</script>")[0]) for id, page in pages for part in re.split("(?=<img )", page)[1:]]
    return [id for id, picture in pictures if len(picture.encode()) > limit(picture)]


def limit(picture):
    """Return how many bytes a picture may have: more if it answers to the pointer."""
    return 40_000 if "aria-live" in picture else 30_000


@pytest.mark.parametrize("unit", runs(SOLVED))
def test_the_solution_runs_quietly_and_gets_every_point(unit, tmp_path_factory):
    """No exception, nothing on stderr, full marks, and words for every figure."""
    (nb,) = solved_notebooks(tmp_path_factory, [unit.id]).values()
    assert noise(nb) == []
    assert scores(nb) == {exercise.name: exercise.points for exercise in unit.exercises}
    assert images_without_words(nb) == []
    assert large_pictures(nb) == []


@pytest.mark.parametrize("unit", runs(UNTOUCHED))
def test_the_untouched_notebook_runs_through(unit):
    """Open exercises say so and stop nothing; they have no points."""
    nb = executed(unit.id, "notebooks")
    assert noise(nb) == []
    assert scores(nb) == {exercise.name: 0 for exercise in unit.exercises}
    assert images_without_words(nb) == []


def test_noise_and_bare_pictures_are_found():
    """Meta-test: a warning, an exception, large pictures and such without words are seen in a run notebook."""
    nb = notebook(IDS[0])
    code = [cell for cell in nb.cells if cell.cell_type == "code"][:5]
    code[0].source = "import warnings; warnings.warn('noise')"
    code[1].source = "1 / 0"
    code[2].source = 'from IPython.display import HTML; HTML(\'<img src="x.png" alt="too short">\')'
    code[3].source = "from IPython.display import Image; Image(data=b'x', format='png')"
    code[4].source = "HTML('<img alt=\"' + 'A long story. ' * 2500 + '\">')"
    nb.cells = code
    execute(nb, ROOT)
    assert noise(nb) == [code[0].id, code[1].id]
    assert images_without_words(nb) == [code[2].id, code[3].id]
    assert large_pictures(nb) == [code[4].id]


@pytest.mark.parametrize("unit_id", IDS)
def test_headings_are_in_order(unit_id):
    """One first-level heading, at the top, and no level left out on the way down."""
    text = "\n".join(cell.source for cell in notebook(unit_id).cells if cell.cell_type == "markdown")
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    levels = [len(match) for match in re.findall(r"^(#+) ", text, re.M)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(next_level <= level + 1 for level, next_level in pairwise(levels))


@pytest.mark.parametrize(("unit_id", "next_id"), list(pairwise(IDS)))
def test_the_last_text_leads_to_the_next_unit(unit_id, next_id):
    """One click opens it."""
    last = [cell.source for cell in notebook(unit_id, "notebooks").cells if cell.cell_type == "markdown"][-1]
    assert f"](../{next_id}/{next_id}.ipynb)" in last


@pytest.mark.parametrize("unit", units(), ids=lambda unit: unit.id)
def test_numbers_and_points_are_placeholders(unit):
    """Every exercise and the head of each unit use the placeholders."""
    text = (ROOT / "solutions" / f"{unit.id}.py").read_text(encoding="utf-8")
    assert "**{{points}}, {{time}}." in text
    for exercise in unit.exercises:
        heading = f"# ## Exercise {{{{{exercise.name}}}}}: {exercise.name}\n#\n"
        assert f"{heading}# *{{{{points {exercise.name}}}}}, about " in text
