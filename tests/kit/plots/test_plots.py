"""The plots: what is drawn, what the text says, and the learner's function beside the reference."""

import json
import re
from base64 import b64decode
from collections import Counter
from io import BytesIO
from itertools import combinations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.image import imread

from transformer_kit import plots, reference
from transformer_kit.plots.figure import DescribedFigure
from transformer_kit.style import BLUE, COLUMN, INK, ORANGE, RED, SMALL

TOKENS, KEYS = ["Write", "a", "poem"], ["I", "like", "cats", "too"]
WEIGHTS = np.array([[0.25, 0.5, 0.25, 0.0], [0.1, 0.2, 0.3, 0.4], [0.0, 0.0, 1.0, 0.0]])
rng = np.random.default_rng(11)


def drawn_axes(figure):
    return figure.draw().axes


def texts(axes):
    return [text.get_text() for text in axes.texts]


def labels(axis):
    return [tick.get_text() for tick in axis.get_ticklabels()]


# --- heat maps ---


def test_small_heatmap_writes_numbers_and_labels():
    figure = plots.heatmap(WEIGHTS, TOKENS, KEYS, title="Weights", x_label="key", y_label="query")
    (axes,) = drawn_axes(figure)
    assert texts(axes) == [f"{value:.2f}" for value in WEIGHTS.ravel()]
    assert (labels(axes.yaxis), labels(axes.xaxis)) == (TOKENS, KEYS)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("key →", "query ↓")
    assert [text.get_text() for text in axes.figure.texts] == ["Weights"]
    assert figure.alt.splitlines() == [
        "Weights: 3 rows (query) by 4 columns (key). Columns: I, like, cats, too.",
        "Row Write: 0.25, 0.5, 0.25, 0.",
        "Row a: 0.1, 0.2, 0.3, 0.4.",
        "Row poem: 0, 0, 1, 0.",
    ]


def test_numbers_have_the_colour_of_text():
    """The colours below them are pale enough; tests of the style measure that."""
    figure = plots.heatmap([[0.0, 1.0, -np.inf]])
    (axes,) = drawn_axes(figure)
    assert {text.get_color() for text in axes.texts} == {INK}
    assert texts(axes) == ["0", "1", "-∞"]
    assert ">-∞</text>" in figure.svg


def test_a_long_name_of_the_rows_is_turned():
    """In the corner it would push the table aside."""
    for name, written, turned in (("query", "query ↓", 0), ("position of the query", "← position of the query", 90)):
        (axes,) = drawn_axes(plots.heatmap(WEIGHTS, TOKENS, y_label=name))
        assert (axes.get_ylabel(), axes.yaxis.label.get_rotation()) == (written, turned)


def test_large_heatmap_has_a_bar_and_extremes():
    table = reference.positional_encoding(50, 32)
    figure = plots.heatmap(table, title="Table")
    (axes,) = drawn_axes(figure)
    assert texts(axes) == []
    assert len(axes.child_axes) == 1
    assert "50 rows by 32 columns" in figure.alt
    assert "Smallest -1 (row 11, column 0), largest 1 (row 0, column 1)" in figure.alt
    assert "First row begins 0, 1, 0, 1, 0, 1" in figure.alt


@pytest.mark.parametrize(
    ("array", "options", "scale"),
    [
        ([[0.2, 0.7]], {}, (0.0, 0.7)),
        ([[-0.2, 0.7]], {}, (-0.7, 0.7)),
        ([[-0.9, 0.7]], {}, (-0.9, 0.9)),
        ([[0.2, 0.7]], {"signed": True}, (-0.7, 0.7)),
        ([[0.2, 0.7]], {"limits": (-1, 2)}, (-2, 2)),
        ([[0.2, 0.7]], {"limits": (0, 2)}, (0, 2)),
        ([[0.2, 0.7]], {"limits": (0.1, 2)}, (0.1, 2)),
        ([[0.0, 0.0]], {}, (0.0, 1.0)),
        ([[np.nan, np.inf]], {}, (0.0, 1.0)),
        ([[True, False]], {}, (0.0, 1.0)),
    ],
)
def test_colour_scale(array, options, scale):
    assert plots.heatmap(array, **options).panels[0].scale == pytest.approx(scale)


def test_cells_have_the_colours_of_their_values():
    """By hand: half of the strongest blue, all of the orange, and for zero nothing is drawn."""
    figure = plots.heatmap([[0.5, -1.0, 0.0]])
    found = re.findall(r'<path fill="(#\w+)" fill-opacity="([.\d]+)"', figure.svg)
    assert sorted(found) == sorted([(BLUE, ".38"), (ORANGE, ".75")])


def test_large_maps_are_images_of_one_pixel_cells():
    small, bare, large = (plots.heatmap(np.eye(n), annotate=n == 5) for n in (5, 6, 7))
    assert [figure.svg.count("<image") for figure in (small, bare, large)] == [0, 1, 2]  # with the bars of the others
    address = re.findall(r'href="data:image/png;base64,([^"]*)"', large.svg)[0]
    pixels = imread(BytesIO(b64decode(address)))
    assert pixels.shape == (7, 7, 4)
    np.testing.assert_array_equal(pixels[..., 3], np.eye(7))


def test_values_that_are_not_finite_are_said():
    table = np.where(np.eye(9, 10) == 1, np.nan, 0.5)
    alt = plots.heatmap(table).alt
    assert "9 entries are not finite" in alt
    assert "Smallest 0.5" in alt
    assert "No finite value" in plots.heatmap(np.full((9, 10), np.inf)).alt


def test_one_axis_is_one_row():
    assert "1 row by 3 columns" in plots.heatmap([1.0, 2.0, 3.0]).alt
    assert "2 rows by 3 columns" in plots.heatmap(np.ones((1, 2, 1, 3))).alt


def test_long_labels_are_turned():
    (axes,) = drawn_axes(plots.heatmap(np.ones((2, 7)), column_labels=["everything at once"] * 7))
    assert {label.get_rotation() for label in axes.get_xticklabels()} == {45.0}


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: plots.heatmap(np.ones((2, 3, 4))), ValueError, r"\(2, 3, 4\)"),
        (lambda: plots.heatmap(np.ones((0, 3))), ValueError, r"\(0, 3\)"),
        (lambda: plots.heatmap(np.ones((2, 3)), TOKENS), ValueError, "3 labels for 2 rows"),
        (lambda: plots.heatmap(np.ones((2, 3)), column_labels=KEYS), ValueError, "4 labels for 3 columns"),
        (lambda: plots.heatmap([["a"]]), TypeError, "<U1"),
        (lambda: plots.heatmap([[1j]]), TypeError, "complex"),
        (lambda: plots.mask_picture(np.ones((2, 3))), TypeError, "float64"),
        (lambda: plots.curves([1, 2], {"a": [1, 2, 3]}), ValueError, r"\(3,\).*\(2,\)"),
        (lambda: plots.curves([1, 2], {}), ValueError, "got 0"),
        (lambda: plots.curves([1], {str(k): [k] for k in range(7)}), ValueError, "got 7"),
        (lambda: plots.bars([1, 2], ["a"]), ValueError, "2 values for 1 labels"),
        (lambda: plots.strip({"a": []}), ValueError, r"\(0,\)"),
        (lambda: plots.beside(plots.jacobian_grid([(np.eye(2), np.eye(2))])), ValueError, "one of 2"),
        (lambda: plots.slider(plots.bars, "n", [1, 2], start=3), ValueError, "got 3"),
    ],
)
def test_wrong_arguments_are_explained(call, error, message):
    with pytest.raises(error, match=message):
        call()


# --- masks ---


def test_mask_is_told_by_marks():
    mask = reference.causal_mask(3, 5)
    figure = plots.mask_picture(mask, TOKENS)
    (axes,) = drawn_axes(figure)
    assert Counter(texts(axes)) == {"✓": 12, "✓ may attend, empty: hidden": 1}
    allowed, hidden = axes.collections[:2]
    assert (len(allowed.get_paths()), len(hidden.get_paths())) == (12, 3)
    assert "12 of 15 entries are allowed" in figure.alt
    assert "query Write: allowed 0 to 2; hidden 3 to 4." in figure.alt
    assert "query poem: allowed 0 to 4; hidden none." in figure.alt


def test_ticks_of_a_mask_mark_allowed_cells():
    mask = np.array([[True, False, True, False], [False, False, True, True]])
    (axes,) = drawn_axes(plots.mask_picture(mask))
    assert {(y, x) for x, y in (text.get_position() for text in axes.texts[:-1])} == set(map(tuple, np.argwhere(mask)))
    centres = [path.vertices[:4].mean(axis=0)[::-1] for path in axes.collections[1].get_paths()]
    assert set(map(tuple, centres)) == set(map(tuple, np.argwhere(~mask)))


def test_large_mask_is_counted():
    figure = plots.mask_picture(reference.causal_mask(30, 40))
    assert len(figure.alt.splitlines()) == 1
    assert "765 of 1200" in figure.alt
    assert figure.svg


# --- curves, bars, strips ---


def test_lines_differ_by_more_than_colour():
    x = np.arange(40)
    figure = plots.curves(x, {f"dimension {k}": np.sin(x / (k + 1)) for k in range(6)}, x_label="position")
    (axes,) = drawn_axes(figure)
    lines = axes.lines[:6]
    assert len({line.get_color() for line in lines}) == 6
    assert len({str(line._dash_pattern) for line in lines}) == 6
    assert sorted(texts(axes)) == [f"dimension {k}" for k in range(6)]
    heights = sorted(text.get_position()[1] for text in axes.texts)
    assert min(np.diff(heights)) * figure.panels[0].size[1] > SMALL
    assert "value against position" in figure.alt
    assert f"dimension 1: from 0 at 0 to {np.sin(39 / 2):.3g} at 39" in figure.alt


def test_few_points_are_all_said():
    d_k = [1, 16, 256]
    figure = plots.curves(d_k, {"scaled": [0.5, 0.25, 0.125]}, log_x=True, log_y=True, y_label="norm", x_label="d_k")
    assert figure.alt == "norm against d_k.\nscaled: 0.5 at 1, 0.25 at 16, 0.125 at 256."
    (axes,) = drawn_axes(figure)
    assert (axes.get_xscale(), axes.get_yscale(), labels(axes.xaxis)) == ("log", "log", ["1", "16", "256"])
    assert axes.lines[0].get_marker() == "o"  # few points are marked


def test_logarithmic_axes_use_powers_of_ten():
    wide, medium, close = (drawn_axes(plots.curves([1, 2], {"a": [1, top]}, log_y=True))[0] for top in (1e5, 999, 8))
    assert {"10⁰", "10⁵"} < set(labels(wide.yaxis))
    assert {"1", "10", "100"} < set(labels(medium.yaxis))
    assert {"1", "2", "5"} < set(labels(close.yaxis))


def test_what_leaves_the_frame_is_cut_off():
    """The line goes up at x = 4 and leaves the frame at y = 2, half-way to x = 6."""
    figure = plots.curves([0, 4, 6], {"a": [1, 1, 3]}, limits=(0, 2))
    (axes,) = drawn_axes(figure)
    (line,) = re.findall(r'<path fill="none" stroke="#3b82f6" stroke-width="2"[^>]* d="([^"]*)"', figure.svg)
    assert re.fullmatch(r"M[\d.]+ [\d.]+h[\d.]+l([\d.]+)-([\d.]+)", line)
    across, up = map(float, re.findall(r"l([\d.]+)-([\d.]+)", line)[0])
    width, height = figure.panels[0].size
    left, right = axes.get_xlim()
    assert (across, up) == pytest.approx((width / (right - left), height / 2), abs=1.1)


def test_curves_bear_values_that_cannot_be_drawn():
    figure = plots.curves(np.arange(20), {"nan": np.full(20, np.nan), "zero": np.zeros(20)}, log_y=True)
    assert "nan: no finite value" in figure.alt
    assert figure.svg


def test_group_names_stand_over_their_own_bars():
    groups = {"before": [0.4, 0.3, 0.2, 0.1], "after": [0.0, 0.0, 0.6, 0.4], "later": [0.0, 0.0, 0.6, 0.4]}
    (axes,) = drawn_axes(plots.bars(groups, limits=(0, 1)))
    names = [text for text in axes.texts if text.get_text() in groups]
    renderer = FigureCanvasAgg(axes.figure).get_renderer()
    boxes = [text.get_window_extent(renderer) for text in names]
    bars = [patch.get_window_extent(renderer) for patch in axes.patches]
    assert not any(box.overlaps(bar) for box in boxes for bar in bars)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    colours = [line.get_color() for line in axes.lines if line.get_marker() == "s"]
    assert [to_hex(bar.get_facecolor()) for bar in axes.patches[::4]] == colours
    for k, box in enumerate(boxes):  # a line of text above one of its own
        assert any(box.x0 - 16 < bar.x1 and bar.x0 < box.x1 and box.y0 - bar.y1 < 20 for bar in bars[4 * k :][:4])
    assert axes.get_legend() is None


def test_the_only_panel_gives_the_figure_its_title():
    alone, pair = plots.bars([1, 2], title="One"), plots.beside(plots.bars([1]), plots.bars([2]), title="Two")
    sizes = {re.search(r'font-size="(\d+)" font-weight="600">', figure.svg)[1] for figure in (alone, pair)}
    assert sizes == {"15"}


def test_bars_write_their_values():
    figure = plots.bars({"C = 1": [0.1, 0.9], "C = 2": [0.25, 0.75]}, ["yes", "no"])
    (axes,) = drawn_axes(figure)
    assert texts(axes) == ["0.100", "0.900", "0.250", "0.750", "C = 1", "C = 2"]
    assert len({patch.get_facecolor() for patch in axes.patches}) == 2
    assert figure.alt == "C = 1: yes 0.1, no 0.9.\nC = 2: yes 0.25, no 0.75."
    assert plots.bars([0.2, -0.8], title="One").alt == "One:\n0 0.2, 1 -0.8."


def test_strip_shows_every_value_and_the_median():
    groups = {"unscaled": 10.0 ** rng.uniform(-8, 0, 101), "scaled": rng.uniform(0.1, 0.2, 50)}
    figure = plots.strip(groups, y_label="norm")
    (axes,) = drawn_axes(figure)
    points, median = axes.lines[:2]
    np.testing.assert_array_equal(points.get_ydata(), groups["unscaled"])
    assert set(median.get_ydata()) == {np.median(groups["unscaled"])}
    assert axes.get_yscale() == "log"
    assert axes.lines[0].get_color() != axes.lines[2].get_color()
    x = np.concatenate([axes.lines[0].get_xdata(), axes.lines[2].get_xdata()])
    assert x[:101].max() < x[101:].min()
    assert np.ptp(x[:101]) > 0.3
    assert "unscaled: 101 values from" in figure.alt
    assert f"median {np.median(groups['scaled']):.3g}" in figure.alt


def test_zeros_stay_visible_on_a_logarithmic_strip():
    (axes,) = drawn_axes(plots.strip({"a": [0.0, 1e-3, 1.0]}))
    assert axes.lines[0].get_ydata().min() == axes.get_ylim()[0] > 0


# --- Jacobians ---


@pytest.fixture
def pairs():
    draws = [rng.normal(size=n) * np.sqrt(n) for n in (4, 8, 16)]
    return [(reference.softmax_jacobian(s), reference.softmax_jacobian(s, np.sqrt(len(s)))) for s in draws]


def test_jacobians_are_coloured_symmetrically_about_zero(pairs):
    figure = plots.jacobian_grid(pairs)
    assert [len(row) for row in figure.rows] == [3, 3]
    for upper, lower, pair in zip(*figure.rows, pairs, strict=True):
        largest = max(np.abs(each).max() for each in pair)
        assert upper.scale == lower.scale == (-largest, largest)


def test_jacobian_titles_and_words(pairs):
    figure = plots.jacobian_grid(pairs, names=("plain", "divided"), title="J")
    assert len(figure.rows) == 2
    for row, name, which in zip(figure.rows, ("plain", "divided"), (0, 1), strict=True):
        for panel, pair in zip(row, pairs, strict=True):
            J = pair[which]
            assert panel.title.splitlines() == [
                f"n = {len(J)}, {name}",
                "mean 0",
                f"SD {J.std():.3g}",
                f"range {np.ptp(J):.3g}",
            ]
            assert f"n = {len(J)}, {name}: mean 0, standard deviation {J.std():.3g}" in figure.alt


def test_jacobian_mean_is_shown_unless_noise(pairs):
    wrong = [(upper + 0.5, lower) for upper, lower in pairs]
    assert "mean 0.5" in plots.jacobian_grid(wrong).panels[0].title


def test_own_scales_and_bars(pairs):
    shared, own = plots.jacobian_grid(pairs), plots.jacobian_grid(pairs, same_limits=False)
    assert [len(axes.child_axes) for axes in drawn_axes(shared)] == [0, 0, 0, 1, 1, 1]
    axes = drawn_axes(own)
    assert [len(each.child_axes) for each in axes] == [1] * 6
    assert own.rows[1][2].scale[1] == np.abs(pairs[2][1]).max()


def test_five_jacobians_fit_on_a_page(pairs):
    wide = plots.jacobian_grid([*pairs, *pairs[-2:]])
    assert wide.draw().bbox.width <= 1.1 * COLUMN


# --- yours and target ---


def softmax_named(function, name="softmax"):
    function.__name__ = name
    return function


def test_right_function_gets_one_large_picture():
    scores = rng.normal(size=(3, 4))
    options = {"row_labels": TOKENS, "column_labels": KEYS, "alt": "Rows sum to 1."}
    figure = plots.yours_and_target(reference.softmax, scores, **options)
    assert figure.title == "softmax: same numbers"
    assert figure.alt.startswith("softmax: same numbers\nRows sum to 1.\n3 rows")
    (panel,) = figure.panels
    np.testing.assert_array_equal(panel.array, reference.softmax(scores))
    assert panel.marked == {}
    assert RED not in figure.svg
    assert ">softmax: same numbers</text>" in figure.svg


def test_wrong_function_is_drawn_on_the_same_scale():
    def softmax(x):
        result = reference.softmax(x)
        result[2, 3] += 0.75
        return result

    figure = plots.yours_and_target(softmax, np.zeros((3, 4)), title="Weights")
    assert figure.title == "Weights: largest difference 0.75 at row 2, column 3"
    assert [panel.title for panel in figure.panels] == ["yours", "target"]
    assert [panel.scale for panel in figure.panels] == [(0.0, 1.0)] * 2
    for panel, axes in zip(figure.panels, drawn_axes(figure), strict=True):
        assert np.argwhere(panel.marked[""]).tolist() == [[2, 3]]
        edges = np.concatenate(axes.collections[-1].get_segments())
        assert edges.min(axis=0).tolist() == [2.5, 1.5]
        assert edges.max(axis=0).tolist() == [3.5, 2.5]
        assert len(axes.collections[-1].get_segments()) == 4
    assert figure.svg.count(f'stroke="{RED}"') == 2


def test_neighbours_are_marked_together():
    """An L of three cells has eight sides."""

    def softmax(x):
        result = reference.softmax(x)
        result[[0, 1, 1], [0, 0, 1]] = 0
        return result

    left, _ = drawn_axes(plots.yours_and_target(softmax, np.zeros((3, 4))))
    assert len(left.collections[-1].get_segments()) == 8


def test_one_colour_bar_for_both_sides():
    def positional_encoding(n, d_model):
        return -reference.positional_encoding(n, d_model)

    figure = plots.yours_and_target(positional_encoding, 40, 20)
    assert [len(axes.child_axes) for axes in drawn_axes(figure)] == [0, 1]


def test_pick_selects_from_a_tuple():
    Q, K, V = (rng.normal(size=shape) for shape in ((3, 5), (4, 5), (4, 2)))
    args = (reference.scaled_dot_product_attention, Q, K, V)
    weights = reference.scaled_dot_product_attention(Q, K, V)[1]
    for pick in (1, lambda result: result[1]):
        np.testing.assert_array_equal(plots.yours_and_target(*args, pick=pick).panels[0].array, weights)


@pytest.mark.parametrize(
    ("result", "verdict"),
    [
        (lambda x: None, "returns None: is there a `return`?"),
        (lambda x: x[:2], "returns shape (2, 4) where (3, 4) is expected"),
        (lambda x: "weights", "returns a str where an array of numbers is expected"),
        (lambda x: [[1], [2, 3]], "returns a list where an array of numbers is expected"),
        (lambda x: x > 0, "returns dtype bool where float64 is expected"),
        (lambda x: x @ x, "raises ValueError: matmul"),
        (lambda x: {}["$a_$"], "raises KeyError: '$a_$'"),
        (lambda x: [][0], "raises IndexError: list index out of range"),
        (lambda x: (_ for _ in ()).throw(AssertionError), "raises AssertionError"),
    ],
)
def test_useless_results_are_told_in_words(result, verdict):
    scores = rng.normal(size=(3, 4))
    figure = plots.yours_and_target(softmax_named(result), scores)
    assert figure.title.startswith(f"softmax: {verdict}")
    assert figure.alt.startswith(figure.title)
    (panel,) = figure.panels
    assert panel.title == "target"
    np.testing.assert_array_equal(panel.array, reference.softmax(scores))


def test_unwritten_functions_are_told_from_failing_ones():
    def attention_scores(Q, K):
        raise NotImplementedError

    def softmax(x):
        return attention_scores(x, x)

    Q, K = rng.normal(size=(3, 2)), rng.normal(size=(4, 2))
    assert plots.yours_and_target(attention_scores, Q, K).title == "attention_scores: not written yet"
    assert plots.yours_and_target(softmax, Q).title == "softmax: waits for attention_scores, which is not written yet"


@pytest.mark.parametrize(
    ("entry", "verdict"),
    [(value, f"{value} where 0.25 is expected, at row 1, column 2") for value in (np.nan, np.inf)],
)
def test_values_that_are_not_finite_are_shown(entry, verdict):
    def softmax(x):
        result = reference.softmax(x)
        result[1, 2] = entry
        return result

    figure = plots.yours_and_target(softmax, np.zeros((3, 4)))
    assert figure.title == f"softmax: {verdict}"
    assert figure.svg


def test_infinite_targets_agree_with_infinite_results():
    figure = plots.yours_and_target(reference.additive_mask, reference.causal_mask(3, 5))
    assert figure.title == "additive_mask: same numbers"


def test_a_tuple_is_expected_as_in_the_reference():
    def scaled_dot_product_attention(Q, K, V):
        return Q

    figure = plots.yours_and_target(scaled_dot_product_attention, *np.ones((3, 4, 4)), pick=1)
    assert figure.title.endswith(": returns one array of dtype float64 where a tuple of 2 results is expected")


def test_masks_beside_each_other():
    def causal_mask(n_queries, n_keys=None):
        return np.tril(np.ones((n_queries, n_keys), dtype=bool))

    figure = plots.yours_and_target(causal_mask, 3, 5, draw=plots.mask_picture)
    assert figure.title == "causal_mask: 6 of 15 entries differ, the first at row 0, column 1"
    assert figure.svg


def test_mask_of_numbers_is_told():
    def causal_mask(n_queries):
        return np.tril(np.ones((n_queries, n_queries)))

    figure = plots.yours_and_target(causal_mask, 4, draw=plots.mask_picture)
    assert figure.title == "causal_mask: returns dtype float64 where bool is expected"


def test_one_axis_as_bars_and_as_curves():
    def angular_frequencies(d_model):
        return 2 * reference.angular_frequencies(d_model)

    dims = np.arange(3)
    for draw in (plots.bars, plots.heatmap, lambda f: plots.curves(dims, {"frequency": f}, log_y=True)):
        figure = plots.yours_and_target(angular_frequencies, 6, draw=draw)
        assert figure.title == "angular_frequencies: largest difference 1 at index 0"
        assert figure.svg.count(f'stroke="{RED}"') == 2
    left, right = drawn_axes(figure)
    assert left.get_ylim() == right.get_ylim()
    assert left.lines[-1].get_ydata().tolist() == (2 * reference.angular_frequencies(6)).tolist()


def test_columns_as_curves():
    def draw(table):
        return plots.curves(np.arange(len(table)), {f"dimension {d}": table[:, d] for d in (0, 4)})

    figure = plots.yours_and_target(reference.positional_encoding, 30, 8, draw=draw)
    assert len(drawn_axes(figure)[0].lines) == 4  # two curves, two names


def test_arguments_are_not_changed():
    def softmax(x):
        x -= 1
        return reference.softmax(x)

    scores = np.zeros((2, 3))
    assert plots.yours_and_target(softmax, scores).title == "softmax: same numbers"
    assert not scores.any()


def test_float32_is_compared_with_its_own_precision():
    def softmax(x):
        return reference.softmax(x) * np.float32(1 + 3e-6)

    scores = rng.normal(size=(2, 3)).astype(np.float32)
    assert plots.yours_and_target(softmax, scores).title == "softmax: same numbers"
    assert "largest difference" in plots.yours_and_target(softmax, scores.astype(np.float64)).title


def test_unknown_names_get_their_neighbours():
    with pytest.raises(ValueError, match=r"'soft_max'; near names: softmax, ") as caught:
        plots.yours_and_target(softmax_named(lambda x: x, "soft_max"), np.ones(3))
    assert "masked_softmax" in str(caught.value)


def test_results_that_the_drawing_refuses_are_told():
    def draw(array):
        return plots.heatmap(array) if array.sum() < 3.1 else plots.heatmap(array[None, None, :0])

    figure = plots.yours_and_target(softmax_named(lambda x: x + 5), np.zeros((3, 4)), draw=draw)
    assert figure.title.startswith("softmax: returns something that cannot be drawn: expected a table")


# --- rows and sliders ---


def test_beside_shares_limits_only_when_asked():
    small, large = plots.heatmap(np.ones((2, 3)), alt="Ones."), plots.heatmap(-4 * np.ones((2, 3)))
    assert plots.beside(small, large, alt="Signs.").alt.startswith("Signs.\nOnes.\n2 rows")
    apart, alike = (
        [panel.scale for panel in plots.beside(small, large, same_limits=same).panels] for same in (False, True)
    )
    assert apart == [(0, 1), (-4, 4)]
    assert alike == [(-4, 4), (-4, 4)]


def states_of(slider):
    return json.loads(re.search(r"const data=(.*);\n", slider.html)[1])["states"]


def drawn_again(source, edits):
    pieces = re.split("(<[^>]*>)", source)
    for start, end, text in edits:
        pieces[start:end] = [text]
    return "".join(pieces)


def test_slider_carries_one_figure_and_the_changes():
    slider = plots.slider(lambda n: plots.bars(np.arange(1, n)), "n & m", [2, 3, 4], start=3)
    bundle = slider._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle["text/plain"] == f"n & m = 3: {plots.bars(np.arange(1, 3)).alt}"
    assert bundle["text/html"].count("<img") == 1
    assert '>n &amp; m <input type="range" min="0" max="2" value="1"' in bundle["text/html"]
    states = states_of(slider)
    assert states[1]["changes"] == [[[], *slider.figure.wide[1:]]]
    for state, (value, figure) in zip(states, slider.figures.items(), strict=True):
        (edits, *size), *narrow = state["changes"]
        assert (state["value"], state["words"]) == (str(value), figure.alt)
        assert drawn_again(slider.figure.wide.source, edits) == figure.wide.source
        assert tuple(size) == figure.wide[1:]
        assert narrow == []  # the first one fits on a phone


def test_a_slider_of_wide_figures_changes_both_drawings():
    slider = plots.slider(lambda n: plots.bars(np.full(9, n)), "n", [1, 2])
    _, narrow = states_of(slider)[0]["changes"]
    first, other = slider.figure.narrow, slider.figures[1].narrow
    assert drawn_again(first.source, narrow[0]) == other.source != first.source
    assert len(slider.html.encode()) < 2 * len(slider.figure.html.encode())


def test_slider_draws_when_it_is_looked_at():
    computed = []
    slider = plots.slider(lambda n: computed.append(n) or plots.bars(np.ones(n)), "n", [2, 3, 5])
    assert computed == [2, 3, 5]
    assert not any("png" in vars(figure) for figure in slider.figures.values())
    assert slider.html == slider.html
    assert computed == [2, 3, 5]


def test_slider_escapes_its_values():
    slider = plots.slider(lambda word: plots.bars([1.0]), "word", ["a", '"></script>'], start='"></script>')
    assert "<output>&quot;&gt;&lt;/script&gt;</output>" in slider.html
    assert slider.html.count("</script>") == 1
    assert states_of(slider)[1]["value"] == '"></script>'


def test_a_phone_gets_a_figure_of_stacked_panels():
    small, wide = plots.bars([1, 2]), plots.curves(range(5), {"a": range(5)})
    assert small.narrow is None
    assert wide.wide.width > 600
    assert wide.narrow.width <= 360
    apart = plots.beside(plots.heatmap(np.eye(3)), plots.heatmap(np.eye(3)))
    assert apart.narrow.height > 1.7 * apart.wide.height
    assert apart.narrow.width < 0.6 * apart.wide.width
    assert '"narrow":null' in small.html


def test_words_too_long_for_bars_are_slanted():
    figure = plots.bars(np.ones(7), ["quite", "a", "lot", "of", "extraordinarily", "long", "words"])
    assert "rotate(-40" in figure.narrow.source
    assert "rotate(-40" not in plots.bars(np.ones(7), list("abcdefg")).narrow.source


def test_every_plot_is_a_described_figure_with_documentation():
    assert sorted(plots.__all__) == plots.__all__
    for name in plots.__all__:
        assert "Parameters\n" in getattr(plots, name).__doc__
    assert isinstance(plots.strip({"a": [1.0]}), DescribedFigure)
