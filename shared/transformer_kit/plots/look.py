"""How Matplotlib is set up for the pictures of the course, whatever the learner's own settings are."""

import gc
import logging
from contextlib import contextmanager

from transformer_kit.style import FAINT, HAIRLINE, INK, LINE, SMALL, TEXT

DPI, POINTS_PER_INCH = 96, 72  # CSS pixels per inch, and Matplotlib's unit for type and lines
MARGIN, GAP = 6, 26  # CSS pixels: around the figure, between two panels
AROUND = 50  # CSS pixels that the labels of a panel take from its width
LETTER, BOLD = 0.6, 0.7  # of the size of type: the mean width of a letter


def in_points(pixels):
    """Return CSS pixels in Matplotlib's unit for type and lines."""
    return pixels * POINTS_PER_INCH / DPI


def faint(times=1):
    """Return the colour of lines that only guide the eye, as many times as strong."""
    return f"{INK}{round(255 * times * FAINT):02x}"


STYLE = {
    "font.family": "DejaVu Sans",  # wider than what a page shows, so what fits here fits there
    "font.size": in_points(TEXT),
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "axes.edgecolor": faint(2),
    "axes.grid": False,
    "axes.labelcolor": INK,
    "axes.labelsize": in_points(SMALL),
    "axes.linewidth": in_points(HAIRLINE),
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.titlesize": in_points(TEXT),
    "axes.titleweight": "bold",
    "lines.linewidth": in_points(LINE),
    "lines.solid_capstyle": "butt",
    "lines.solid_joinstyle": "round",
    "text.color": INK,
    "text.parse_math": False,  # a label or an error message may hold any characters
    "text.usetex": False,
    "xtick.color": INK,
    "xtick.labelsize": in_points(SMALL),
    "ytick.color": INK,
    "ytick.labelsize": in_points(SMALL),
}


@contextmanager
def house_style():
    """Draw with the course's own settings, and leave those of the learner as they were."""
    from matplotlib import rc_context

    _load_fonts()
    with rc_context(STYLE):
        yield


def _load_fonts():
    """Import Matplotlib's fonts without the red line that it prints when it first builds its font cache."""
    log = logging.getLogger("matplotlib.font_manager")
    before, log.disabled = log.disabled, True
    try:
        import matplotlib.font_manager  # noqa: F401
    finally:
        log.disabled = before


@contextmanager
def collected_later():
    """Put off the garbage collection: all that a picture needs dies together, and looking for garbage while it is drawn
    takes longer than the drawing itself."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
