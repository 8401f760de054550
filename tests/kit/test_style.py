"""The house style: colours that everybody can tell apart on light and dark ground, and drawings that stay small."""

import re
from itertools import combinations, pairwise

import numpy as np
import pytest

from transformer_kit import plots, style
from transformer_kit.pictures import picture
from transformer_kit.plots.look import DPI
from transformer_kit.plots.vector import SvgRenderer

GROUNDS = {"light": "#ffffff", "dark": "#111111"}  # of JupyterLab
TEXT = {"light": "#1a1a1a", "dark": "#dedede"}  # white of 87 % on the dark ground
# How the colour-blind see linear RGB: Machado, Oliveira and Fernandes (2009), severity 1.0.
EYES = {
    "normal": np.eye(3),
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.119192, 0.9503041]]
)
WHITE = TO_XYZ.sum(axis=1)


def channels(colour):
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255


def linear(rgb):
    rgb = np.asarray(rgb)
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """Return the contrast of two colours from 0 to 1, as WCAG defines it."""
    dark, light = sorted(float(TO_XYZ[1] @ linear(rgb)) for rgb in (one, other))
    return (light + 0.05) / (dark + 0.05)


def lab(rgb, eye):
    """Return CIE L*a*b* of what an eye sees; the distance of two colours in it is Delta E."""
    x = TO_XYZ @ np.clip(np.asarray(EYES[eye]) @ linear(rgb), 0, 1) / WHITE
    f = np.where(x > (6 / 29) ** 3, np.cbrt(x), x / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(one, other, eye):
    return float(np.linalg.norm(lab(one, eye) - lab(other, eye)))


def over(shade, ground):
    """Return a translucent colour on a ground."""
    return shade[3] * shade[:3] + (1 - shade[3]) * channels(ground)


def test_contrast_and_distance_by_hand():
    """Black and white: a contrast of 21 and a distance of 100 for every eye."""
    black, white = channels("#000000"), channels("#ffffff")
    assert contrast(black, white) == pytest.approx(21)
    assert [distance(black, white, eye) for eye in EYES] == pytest.approx([100] * 3, abs=0.01)
    red, green = channels("#ff0000"), channels("#807000")
    assert distance(red, green, "deuteranopia") < 0.6 * distance(red, green, "normal")


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("colour", dict.fromkeys([*style.SERIES, style.GREEN, style.RED]))
def test_every_colour_stands_out_from_the_ground(colour, ground):
    assert contrast(channels(colour), channels(GROUNDS[ground])) >= 3


@pytest.mark.parametrize("eye", EYES)
def test_accents_can_be_told_apart(eye):
    """A distance of 2 can just be seen; the first three of a picture are more than twenty times as far apart."""
    assert distance(channels(style.BLUE), channels(style.ORANGE), eye) > 100
    for one, other in combinations(style.SERIES[:3], 2):
        assert distance(channels(one), channels(other), eye) > 45


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("eye", EYES)
def test_scales_rise_evenly_for_everybody(eye, ground):
    """Every step away from zero is seen, always in the same direction of lightness."""
    for low, values in ((0, np.linspace(0, 1, 9)), (-1, np.linspace(0, -1, 9))):
        colours = [over(shade, GROUNDS[ground]) for shade in style.shades(values, low, 1)]
        steps = [lab(b, eye)[0] - lab(a, eye)[0] for a, b in pairwise(colours)]
        assert len({step > 0 for step in steps}) == 1
        assert min(distance(a, b, eye) for a, b in pairwise(colours)) > 4


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("eye", EYES)
def test_both_arms_of_a_signed_scale_differ(eye, ground):
    for value in (0.25, 0.5, 1):
        below, above = (over(shade, GROUNDS[ground]) for shade in style.shades(np.array([-value, value]), -1, 1))
        assert distance(below, above, eye) > 20


@pytest.mark.parametrize("ground", GROUNDS)
def test_numbers_can_be_read_on_every_shade(ground):
    shades = style.shades(np.array([*np.linspace(-1, 1, 21), np.nan]), -1, 1, style.UNDER_TEXT)
    least = min(contrast(over(shade, GROUNDS[ground]), channels(TEXT[ground])) for shade in shades)
    assert least >= 4.5 if ground == "light" else least >= 4


def test_shades_by_hand():
    blue, orange = channels(style.BLUE), channels(style.ORANGE)
    signed = style.shades(np.array([0.5, -2.0, 0.0]), -2, 1, 0.8)
    np.testing.assert_allclose(signed, [[*blue, 0.2], [*orange, 0.8], [*blue, 0]], atol=0.005)
    np.testing.assert_allclose(style.shades(np.array([2.0, 3.5, 9.0]), 2, 4)[:, 3], [0, 0.75, 1])
    assert style.shades(np.array([np.inf]), 0, 1)[0, :3].tolist() == channels(style.SERIES[-1]).tolist()


def test_both_kinds_of_picture_have_the_same_colours():
    for name in ("BLUE", "ORANGE", "GREEN", "RED", "INK", "GROUND"):
        assert getattr(picture, name) is getattr(style, name)


# --- drawings ---


X = np.linspace(0, 6, 40)
KINDS = {
    "heatmap": lambda: plots.heatmap(np.arange(20.0).reshape(4, 5) - 7, x_label="key", y_label="query", title="Scores"),
    "mask": lambda: plots.mask_picture(np.tri(4, 6, dtype=bool)),
    "curves": lambda: plots.curves(X, {"sine": np.sin(X), "cosine": np.cos(X)}, x_label="x", title="Waves"),
    "bars": lambda: plots.bars({"before": [0.5, 0.25, 0.2], "after": [1, 0, 0]}, ["a", "b", "c"], y_label="weight"),
    "strip": lambda: plots.strip({"a": np.geomspace(1e-5, 1, 300), "b": np.geomspace(0.1, 0.2, 300)}),
    "points": lambda: plots.points({"cats": [(0, 1), (2, 3)], "dogs": [(4, 5), (6, 7)]}, ["I", "you"]),
    "attention": lambda: plots.attention_maps(np.full((2, 3, 4), 0.25), list("abc"), list("wxyz")),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_drawing_is_deterministic_and_without_ids(kind):
    svg = KINDS[kind]().svg
    assert svg == KINDS[kind]().svg
    assert not re.search(r"\bid=|url\(#|<metadata|clip-path", svg)


@pytest.mark.parametrize("kind", KINDS)
def test_a_drawing_is_small_and_has_no_pixels(kind):
    figure = KINDS[kind]()
    assert "<image" not in figure.svg
    assert len(figure.html.encode()) < 30_000


@pytest.mark.parametrize("kind", KINDS)
def test_a_drawing_uses_style_and_page_colours(kind):
    svg = KINDS[kind]().svg.partition("</style>")[2]
    used = set(re.findall(r'(?:fill|stroke)="([^"]*)"', svg))
    assert used <= {"none", "currentColor", style.GREEN, *style.SERIES}
    assert "<text" in svg


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_cut_off_and_type_is_readable(kind):
    """All words lie in the picture, also as wide as the kit's own font, which is wider than most."""
    figure = KINDS[kind]()
    drawn = figure.draw()
    renderer = SvgRenderer(*drawn.bbox.size)
    width, height = drawn.bbox.size
    for axes in drawn.axes:
        box = axes.get_tightbbox(renderer)
        assert min(box.x0, box.y0, width - box.x1, height - box.y1) >= 0
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', figure.svg)]
    assert min(sizes) >= 9
    assert width <= 1.1 * style.COLUMN


@pytest.mark.parametrize("array", [np.zeros((2, 3)), np.zeros((20, 31)), np.full((2, 3), np.nan), np.ones((1, 1))])
def test_nothing_to_colour(array):
    assert plots.heatmap(array).svg
    assert plots.mask_picture(array == 0).svg
    assert plots.curves(np.arange(3), {"a": array.ravel()[:1].repeat(3)}).svg
    assert plots.bars(array[0]).svg


def test_a_picture_is_drawn_in_pixels_of_css():
    """A line from corner to corner of axes of one inch."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(1, 1), dpi=DPI)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    look = {"solid_joinstyle": "bevel", "solid_capstyle": "butt"}
    axes.plot([0, 1], [0, 1], color=style.BLUE, linewidth=0.75, **look)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    renderer = SvgRenderer(96, 96)
    figure.draw(renderer)
    assert f'<path fill="none" stroke="{style.BLUE}" d="M0 96l96-96"/>' in renderer.drawing
