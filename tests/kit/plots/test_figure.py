"""The figure layer itself: text alternatives, what Jupyter is given, and what stays behind."""

import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from transformer_kit import skip_if_unimplemented
from transformer_kit.plots import beside, heatmap, yours_and_target
from transformer_kit.plots.figure import DescribedFigure
from transformer_kit.plots.look import STYLE, collected_later
from transformer_kit.plots.vector import SvgRenderer
from transformer_kit.plots.words import cell_format, number, ranges
from transformer_kit.style import COLUMN


class Page(HTMLParser):
    """Attributes of the image, and the text inside <details>."""

    def __init__(self, html):
        super().__init__()
        self.image, self.folded, self.open_tags = {}, "", []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag == "img":
            self.image = dict(attrs)
        else:
            self.open_tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open_tags.pop() == tag

    def handle_data(self, data):
        if self.open_tags == ["div", "details", "div"]:
            self.folded += data


def in_fresh_python(code):
    return subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=60)


@pytest.mark.exhaustive
def test_the_first_figure_ever_comes_without_a_message(tmp_path, monkeypatch):
    """Matplotlib says that it looks for fonts after five seconds, and in a browser at once."""
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path))
    at_once = "import threading, types\nthreading.Timer = lambda _, f: types.SimpleNamespace(start=f, cancel=int)\n"
    assert "font cache" in in_fresh_python(f"{at_once}import matplotlib.font_manager").stderr
    for cache in tmp_path.glob("fontlist*"):
        cache.unlink()
    drawn = in_fresh_python(f"{at_once}from transformer_kit.plots import heatmap\nprint(len(heatmap([[0.5]]).svg))")
    assert drawn.stderr == ""
    assert int(drawn.stdout) > 500


def test_bundle_has_picture_alt_and_folded_text():
    figure = heatmap([[0.25, 0.75]], ["<unk>"], ["a & b", '"c"'], title="Weights", alt="The second wins.")
    bundle = figure._repr_mimebundle_()
    page = Page(bundle["text/html"])
    assert set(bundle) == {"text/html", "text/plain"}
    assert page.image["alt"] == page.folded == bundle["text/plain"] == repr(figure) == figure.alt
    assert page.image["src"].startswith("data:image/svg+xml;base64,")
    assert page.open_tags == []
    for part in ("Weights", "The second wins.", "<unk>", "a & b", '"c"', "0.25", "0.75"):
        assert part in figure.alt


def test_ipython_takes_the_bundle_as_it_is():
    from IPython.core.formatters import DisplayFormatter

    figure = heatmap([[1.0, 2.0]])
    data, _ = DisplayFormatter().format(figure)
    assert data == figure._repr_mimebundle_()


def test_picture_is_drawn_once_on_light_ground():
    """Dark ink on white as an image; in the page the colours of the page, which `live` stands for."""
    figure = heatmap(np.eye(2, 3))
    assert figure.svg is figure.svg
    root = ElementTree.fromstring(figure.svg)
    assert root.get("class") == "lm-picture"
    assert "color: #1a1a1a; background: #ffffff" in root[0].text
    assert ".lm-picture.live { color: inherit; background: none }" in root[0].text


def test_page_width_is_picture_width():
    figure = heatmap(np.eye(3, 5))
    root, image = ElementTree.fromstring(figure.svg), Page(figure.html).image
    assert image["width"] == root.get("width")
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    assert "max-width:100%;height:auto" in image["style"]


def test_a_figure_keeps_the_numbers_it_was_given():
    array = np.array([[1.0, 2.0]])
    figure = heatmap(array)
    array[:] = 7
    assert (figure.panels[0].array == [[1.0, 2.0]]).all()


def test_matplotlib_is_imported_only_when_a_picture_shows():
    code = """
import sys, numpy as np
import transformer_kit, transformer_kit.parameters, transformer_kit.reference
from transformer_kit import plots
figure = plots.heatmap(np.eye(2)); figure.alt
assert "matplotlib" not in sys.modules
figure.svg
assert "matplotlib" in sys.modules
assert "matplotlib.pyplot" not in sys.modules
"""
    done = in_fresh_python(code)
    assert done.returncode == 0, done.stderr


def test_the_import_test_can_fail():
    done = in_fresh_python("import sys, transformer_kit, matplotlib\nassert 'matplotlib' not in sys.modules")
    assert "AssertionError" in done.stderr


def test_nothing_is_left_behind():
    import gc

    import matplotlib
    from matplotlib.figure import Figure

    def alive():
        gc.collect()
        return sum(isinstance(each, Figure) for each in gc.get_objects())

    before, alive_before = dict(matplotlib.rcParams), alive()
    figures = [heatmap(np.eye(2)) for _ in range(3)]
    assert all(figure.svg for figure in figures)
    assert alive() == alive_before
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize("enabled", [True, False])
def test_no_garbage_is_collected_during_drawing(enabled):
    import gc

    (gc.enable if enabled else gc.disable)()
    collections = []
    gc.callbacks.append(lambda phase, info: collections.append(phase))
    try:
        figure = heatmap(np.eye(12))
        before = len(collections)
        with collected_later():
            figure.draw()
            during = len(collections)
        assert during == before
        assert gc.isenabled() == enabled
    finally:
        gc.callbacks.pop()
        gc.enable()


def test_a_learners_settings_do_not_change_the_picture():
    import matplotlib

    plain = heatmap(np.eye(2, 3), title="Title").svg
    dark = {"axes.facecolor": "black", "axes.grid": True, "text.color": "white", "font.size": 30}
    with matplotlib.rc_context(dark):
        assert heatmap(np.eye(2, 3), title="Title").svg == plain
    assert set(dark) <= set(STYLE)


def test_draw_gives_a_new_matplotlib_figure():
    figure = heatmap(np.eye(2))
    assert figure.draw() is not figure.draw()


@pytest.mark.parametrize("shapes", [[(2, 3)], [(2, 3), (12, 8)], [(20, 31), (3, 2), (7, 6)]])
def test_panels_keep_their_size_and_do_not_overlap(shapes):
    figures = [heatmap(np.ones(shape), ["long label"] * shape[0], title="A title") for shape in shapes]
    row = beside(*figures, title="All of them")
    drawn = row.draw()
    renderer = SvgRenderer(*drawn.bbox.size)
    boxes = [axes.get_tightbbox(renderer) for axes in drawn.axes]
    for axes, panel in zip(drawn.axes, row.panels, strict=True):
        box = axes.get_window_extent(renderer)
        np.testing.assert_allclose((box.width, box.height), panel.size, rtol=1e-6)
    width, height = drawn.bbox.size
    assert all(box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width and box.y1 <= height for box in boxes)
    assert all(left.x1 < right.x0 for left, right in pairwise(boxes))
    assert width <= 1.2 * COLUMN


def test_rows_of_a_grid_do_not_overlap():
    panels = [[heatmap(np.ones((n, n + 1)), title="A\ntitle").panels[0] for n in (2, 3)] for _ in range(2)]
    drawn = DescribedFigure(panels, title="Grid").draw()
    renderer = SvgRenderer(*drawn.bbox.size)
    upper, lower = ([axes.get_tightbbox(renderer) for axes in drawn.axes[i : i + 2]] for i in (0, 2))
    assert min(box.y0 for box in upper) > max(box.y1 for box in lower)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0974123, "0.0974"),
        (-2.0, "-2"),
        (1.7e-5, "1.7e-05"),
        (True, "True"),
        (np.int64(7), "7"),
        (np.nan, "nan"),
        (np.float32(0.5), "0.5"),
        (-np.inf, "-inf"),
        (-0.0, "0"),
        (np.bool_(False), "False"),
        (12345.6, "1.23e+04"),
    ],
)
def test_numbers_in_words(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([0.5, 0.123456], ["0.500", "0.123"]),
        ([12.5, -0.001], ["12.5", "0.0"]),
        ([3, 40], ["3", "40"]),
        ([1.0, -2.0], ["1", "-2"]),
        ([2e-5, 0], ["2e-05", "0e+00"]),
        ([True, False], ["1", "0"]),
    ],
)
def test_numbers_in_cells(values, texts):
    spell = cell_format(np.array(values))
    assert [spell(value) for value in np.array(values)] == texts
    assert [spell(value) for value in (np.inf, -np.inf, np.nan)] == ["∞", "-∞", "nan"]


def test_ranges():
    assert ranges([0, 1, 2, 5, 7, 8]) == "0 to 2, 5, 7 to 8"
    assert ranges([]) == ""


def test_skip_if_unimplemented_names_the_missing_function(capsys):
    def softmax(x):
        raise NotImplementedError

    def attention(x):
        return [softmax(each) for each in x]

    with skip_if_unimplemented():
        print(attention([1, 2]))
    assert capsys.readouterr().out == "This cell waits for `softmax`: write it above, then run the cell again.\n"


def test_skip_if_unimplemented_without_a_function_to_name(capsys):
    with skip_if_unimplemented():
        exec("raise NotImplementedError")
    # The block itself is the innermost thing with a name here, as <module> is in a notebook.
    assert "This cell waits for" in capsys.readouterr().out


def test_skip_if_unimplemented_at_the_top_names_none():
    block = "with skip_if_unimplemented(): raise NotImplementedError"
    done = in_fresh_python(f"from transformer_kit import skip_if_unimplemented\n{block}")
    assert done.stdout.startswith("This cell waits for a function that is not written yet: ")


def test_skip_if_unimplemented_lets_everything_else_through(capsys):
    with pytest.raises(ZeroDivisionError), skip_if_unimplemented():
        print(1 / 0)
    with skip_if_unimplemented():
        print("runs")
    assert capsys.readouterr().out == "runs\n"


def test_waits_can_be_displayed_together_with_figures(capsys):
    def softmax(x):
        raise NotImplementedError

    with skip_if_unimplemented():
        repr(heatmap(softmax(np.eye(2))))
    assert "softmax" in capsys.readouterr().out
    assert "not written yet" in yours_and_target(softmax, np.array([1.0, 2.0])).alt
