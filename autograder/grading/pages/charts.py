"""The figures of the class report as SVG for a page: text in the page's colour and font, the same on every run."""

import io
import re
import textwrap

from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

TEXT = "#010203"  # becomes the colour of the text around the figure
BAR, SPECIAL = "#4a82c4", "#c9762b"  # a contrast of at least 3 with white and with the dark page
STYLE = {
    "svg.fonttype": "none",  # text stays text
    "font.family": "sans-serif",
    "font.size": 10,
    "text.parse_math": False,
    "text.color": TEXT,
    "axes.edgecolor": TEXT,
    "axes.labelcolor": TEXT,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": TEXT,
    "ytick.color": TEXT,
    "figure.constrained_layout.use": True,
}
COLUMNS = 3
WIDTH = 10.0  # inches
MAX_BARS = 20  # bars in a figure
LINE = 60  # characters of a label


def distributions(units):
    """Draw how many students reached how much, one panel for each unit.

    Parameters
    ----------
    units : sequence of UnitStatistics
        At least one.

    Returns
    -------
    str
        An SVG element.
    """
    columns = min(COLUMNS, len(units))
    rows = -(-len(units) // columns)
    with rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, 0.4 + 2.1 * rows))
        axes = figure.subplots(rows, columns, squeeze=False, sharey=True).ravel()
        for ax, statistics in zip(axes, units, strict=False):
            count = len(statistics.counts)
            ax.bar([n + 0.5 for n in range(count)], statistics.counts, width=0.92, color=BAR)
            ax.set_title(textwrap.shorten(f"{statistics.unit.id[:2]} {statistics.unit.title}", 30, placeholder=" …"))
            ax.set_xticks([0, count / 2, count], ["0", "50", "100 %"])
            ax.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=4))
        for ax in axes[::columns]:
            ax.set_ylabel("students")
        for ax in axes[len(units) :]:
            ax.remove()
        return _svg(figure, "distributions")


def bars(name, labels, values, special, sign=""):
    """Draw horizontal bars with their values, the first one at the top; at most `MAX_BARS` of them.

    Parameters
    ----------
    name : str
        Of the figure, different from those of the page's other ones.
    labels : sequence of str
    values : sequence of float
    special : sequence of bool
        Which bars have the second colour.
    sign : str
        What follows a value; with " %" a full bar means 100.

    Returns
    -------
    str
        An SVG element.
    """
    labels = [textwrap.fill(label, LINE) for label in labels[:MAX_BARS]]
    values, special = values[:MAX_BARS], special[:MAX_BARS]
    lines = sum(label.count("\n") + 1 for label in labels)
    with rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, 0.4 + 0.16 * lines + 0.14 * len(labels)))
        ax = figure.subplots()
        drawn = ax.barh(range(len(labels)), values, height=0.7, color=[SPECIAL if odd else BAR for odd in special])
        ax.bar_label(drawn, [f"{value:.0f}{sign}" for value in values], padding=3)
        ax.set_yticks(range(len(labels)), labels)
        ax.set_ylim(len(labels) - 0.4, -0.6)
        ax.set_xlim(0, 1.1 * (100 if sign else max(values)))
        ax.tick_params(left=False, bottom=False, labelbottom=False)
        ax.spines[["left", "bottom"]].set_visible(False)
        return _svg(figure, name)


def _svg(figure, name):
    """Return a figure as an SVG element without dates and style sheets, whose ids are its own in the page."""
    file = io.StringIO()
    with rc_context({"svg.hashsalt": name}):
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = file.getvalue()
    svg = svg[svg.index("<svg") :].replace(TEXT, "currentColor")
    svg = re.sub(r"<(metadata|style).*?</\1>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'style="([^"]*)"', lambda found: _attributes(found[1]), svg)
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", svg)
    return re.sub(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>', r'<svg viewBox="\1" aria-hidden="true">', svg, count=1)


def _attributes(style):
    """Turn an inline style, which the page's policy forbids, into attributes; the font is the page's."""
    pairs = (declaration.strip().split(": ") for declaration in style.split(";") if declaration.strip())
    return " ".join(f'{name}="{value}"' for name, value in pairs if not name.startswith("font"))
