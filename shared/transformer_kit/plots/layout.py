"""Where the panels of a figure stand: in a grid, with room for what sticks out of each."""

from dataclasses import replace
from math import ceil
from textwrap import fill

from transformer_kit.plots.look import BOLD, DPI, GAP, MARGIN, in_points
from transformer_kit.style import COLUMN, TITLE


def laid_out(rows, title, room=COLUMN):
    """Draw all panels at their exact sizes, measure what sticks out of each (labels, titles, bars), then place them.

    Parameters
    ----------
    rows : sequence of sequences of Panel
    title : str
        Stands above all of them.
    room : int
        CSS pixels that the title may fill even where the panels do not.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib.figure import Figure

    from transformer_kit.plots.vector import SvgRenderer

    if not title and sum(map(len, rows)) == 1:  # the only panel's title is that of the figure
        title, rows = rows[0][0].title, [[replace(rows[0][0], title="")]]
    figure = Figure(figsize=(COLUMN / DPI, COLUMN / DPI), dpi=DPI)
    renderer = SvgRenderer(COLUMN, COLUMN)
    grid = [[_Cell(figure, renderer, panel) for panel in row] for row in rows]
    columns = [[row[j] for row in grid if j < len(row)] for j in range(max(map(len, grid)))]

    lefts, x = [], MARGIN
    for column in columns:
        lefts.append(x + max(cell.left for cell in column))
        x = lefts[-1] + max(cell.width + cell.right for cell in column) + GAP
    heading = fill(title, width=int(max(x, room) / (BOLD * TITLE)))
    width = ceil(max([x - GAP, *(BOLD * TITLE * len(line) for line in heading.splitlines())]) + MARGIN)
    tops, y = [], MARGIN + (1.3 * TITLE * len(heading.splitlines()) + 8 if heading else 0)
    for row in grid:
        tops.append(y + max(cell.top for cell in row))
        y = tops[-1] + max(cell.height + cell.bottom for cell in row) + GAP
    height = ceil(y - GAP + MARGIN)

    figure.set_size_inches(width / DPI, height / DPI)
    for row, top in zip(grid, tops, strict=True):
        for cell, left in zip(row, lefts, strict=False):
            bottom = height - top - cell.height
            cell.axes.set_position((left / width, bottom / height, cell.width / width, cell.height / height))
    for number, line in enumerate(heading.splitlines()):
        y = 1 - (MARGIN + (1.3 * number + 1) * TITLE) / height
        figure.text(MARGIN / width, y, line, size=in_points(TITLE), weight="bold")
    return figure


class _Cell:
    """A drawn panel and how far its ink reaches beyond its axes on each side, in CSS pixels."""

    def __init__(self, figure, renderer, panel):
        self.width, self.height = panel.size
        place = (0.2, 0.2, self.width / COLUMN, self.height / COLUMN)
        self.axes = figure.add_axes(place, label=str(len(figure.axes)))
        panel.draw_on(self.axes)
        ink, frame = self.axes.get_tightbbox(renderer), self.axes.get_window_extent(renderer)
        self.left, self.right = frame.x0 - ink.x0, ink.x1 - frame.x1
        self.top, self.bottom = ink.y1 - frame.y1, frame.y0 - ink.y0
