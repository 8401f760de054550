"""The notebooks run from top to bottom, quietly, and every figure can be read without seeing it."""

import re
import statistics
from html import unescape
from itertools import pairwise

import pytest
from nbclient import NotebookClient

from autograder.exercises import units
from tests.course import ROOT, notebook, tags

IDS = [unit.id for unit in units()]
SECONDS_PER_CELL = 120  # unit 10 trains a model, which takes 10 seconds on a machine that has nothing else to do


def executed(unit_id, folder):
    """Run a built notebook in a kernel of its own and return it with its outputs."""
    client = NotebookClient(
        notebook(unit_id, folder),
        timeout=SECONDS_PER_CELL,
        kernel_name="python3",
        resources={"metadata": {"path": ROOT / folder / unit_id}},
        allow_errors=True,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
    )
    return client.execute()


def outputs(nb):
    """Return every output with the id of its cell."""
    return [(cell.id, output) for cell in nb.cells if cell.cell_type == "code" for output in cell.outputs]


def noise(nb):
    """Return the ids of cells that end in an exception or write to stderr."""
    return [id for id, o in outputs(nb) if o.output_type == "error" or o.get("name") == "stderr"]


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


def scores(nb):
    """Return the plain-text result of every check cell, by exercise."""
    checks = [cell for cell in nb.cells if tags(cell).get("grade")]
    return {tags(c)["grade_id"].removeprefix("check-"): float(c.outputs[-1].data["text/plain"]) for c in checks}


@pytest.mark.slow
@pytest.mark.parametrize("unit", units(), ids=IDS)
def test_the_solution_runs_quietly_and_gets_every_point(unit):
    """No exception, nothing on stderr, full marks, and words for every figure."""
    nb = executed(unit.id, "solutions")
    assert noise(nb) == []
    assert scores(nb) == {exercise.name: exercise.points for exercise in unit.exercises}
    assert images_without_words(nb) == []


@pytest.mark.slow
@pytest.mark.parametrize("unit", units(), ids=IDS)
def test_the_untouched_notebook_runs_through(unit):
    """Open exercises say so and stop nothing; they have no points."""
    nb = executed(unit.id, "notebooks")
    assert noise(nb) == []
    assert scores(nb) == {exercise.name: 0 for exercise in unit.exercises}
    assert images_without_words(nb) == []


@pytest.mark.slow
def test_noise_and_bare_pictures_are_found():
    """Meta-test: a warning, an exception and pictures without words are seen in a run notebook."""
    nb = notebook(IDS[0])
    code = [cell for cell in nb.cells if cell.cell_type == "code"][:4]
    code[0].source = "import warnings; warnings.warn('noise')"
    code[1].source = "1 / 0"
    code[2].source = 'from IPython.display import HTML; HTML(\'<img src="x.png" alt="too short">\')'
    code[3].source = "from IPython.display import Image; Image(data=b'x', format='png')"
    nb.cells = code
    NotebookClient(nb, kernel_name="python3", allow_errors=True).execute()
    assert noise(nb) == [code[0].id, code[1].id]
    assert images_without_words(nb) == [code[2].id, code[3].id]


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


@pytest.mark.parametrize("unit", units(), ids=IDS)
def test_cells_and_text_are_of_a_readable_size(unit):
    """Code cells are short, and the text can be read within the unit's time."""
    cells = notebook(unit.id, "notebooks").cells
    lengths = [len(cell.source.splitlines()) for cell in cells if cell.cell_type == "code"]
    assert statistics.median(lengths) <= 6
    assert max(lengths) <= 40
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    prose = re.sub(r"<details>.*?</details>", "", prose, flags=re.S)  # hints: read when needed
    prose = re.sub(r"\$\$.*?\$\$|\$[^$]*\$", "", prose, flags=re.S)  # formulas
    prose = re.sub(r"^\|.*$", "", prose, flags=re.M)  # tables
    longest = 3600 if unit.id == "09_transformer" else 2600  # the capstone has an ungraded second half
    assert 1000 <= len(prose.split()) <= longest
