"""Trees of a search: what was looked at, what was gone on with, what was left."""

from dataclasses import dataclass
from typing import Any

from transformer_kit.figure import DescribedFigure, Panel
from transformer_kit.plots.words import number

COLUMN_STEP, ROW_STEP = 1.3, 0.3  # inches from word to word
FATES = {
    "extended": {"mark": "", "box": "round", "face": "#deebf7", "edge": "#2171b5", "line": "-"},
    "returned": {"mark": "✓ ", "box": "square", "face": "#c7e9c0", "edge": "#00512d", "line": "-"},
    "pruned": {"mark": "✗ ", "box": "", "face": "white", "edge": "#8a8a8a", "line": "--"},
}


@dataclass(eq=False)
class Tree(Panel):
    """Words joined to the words before them. See :func:`beam_tree`."""

    width: float = 7.4
    branches: Any = None

    def __post_init__(self):
        self.branches = {tuple(map(str, path)): (float(value), fate) for path, value, fate in self.branches}
        if not self.branches:
            raise ValueError("expected at least one branch, got none")
        for path, (_, fate) in self.branches.items():
            if fate not in FATES:
                raise ValueError(f"the fate of a branch is one of {', '.join(FATES)}; got {fate!r} for {path}")
            if path[:-1] and path[:-1] not in self.branches:
                raise ValueError(f"{path} hangs in the air: there is no branch {path[:-1]}")
        self.depth = max(map(len, self.branches))
        self.heights = self._heights()

    @property
    def size(self):
        rows = max(self.heights.values()) + 1
        return min(COLUMN_STEP * self.depth, self.width), max(ROW_STEP * rows, 0.9)

    def children(self, path):
        """List the branches that go out from a path, in the order in which they were given."""
        return [other for other in self.branches if other[:-1] == path]

    def _heights(self):
        """Give every end a row of its own, and every other branch the middle of what goes out from it."""
        heights, free = {}, 0

        def place(path):
            nonlocal free
            below = self.children(path)
            for child in below:
                place(child)
            if below:
                heights[path] = (heights[below[0]] + heights[below[-1]]) / 2
            else:
                heights[path], free = free, free + 1

        place(())
        return heights

    def on(self, axes):
        for path, (value, fate) in self.branches.items():
            look = FATES[fate]
            (x, y), (x_before, y_before) = self._place(path), self._place(path[:-1])
            axes.plot([x_before, x], [y_before, y], look["line"], color=look["edge"], linewidth=1.1, zorder=1)
            self._write(axes, x, y, f"{look['mark']}{path[-1]} {number(value)}", look)
        self._write(axes, *self._place(()), "start", FATES["extended"])
        axes.set(xlim=(-0.1, self.depth), ylim=(max(self.heights.values()) + 0.5, -0.5), yticks=(), title=self.title)
        axes.xaxis.tick_top()
        axes.set_xticks(range(1, self.depth + 1), [f"step {step}" for step in range(1, self.depth + 1)])
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        self._explain(axes)

    def _place(self, path):
        return len(path), self.heights[path]

    def _write(self, axes, x, y, text, look):
        shape, outline = (look["box"], look["edge"]) if look["box"] else ("square", "none")
        box = {"boxstyle": f"{shape},pad=0.25", "facecolor": look["face"], "edgecolor": outline}
        size = min(8.5, 8.5 * self.size[0] / self.depth / 1.1)
        label = axes.text(x, y, text, ha="center", va="center", size=size, bbox=box, zorder=2)
        label.set_parse_math(False)

    def _explain(self, axes):
        from matplotlib.lines import Line2D

        keys = [
            Line2D([], [], color=look["edge"], linestyle=look["line"], label=f"{look['mark']}{fate}")
            for fate, look in FATES.items()
        ]
        below = -0.05 / self.size[1]
        place = {"loc": "upper center", "bbox_to_anchor": (0.5, below), "ncols": 3}
        axes.legend(handles=keys, frameon=False, fontsize=8, **place)

    def words(self):
        returned = [path for path, (_, fate) in self.branches.items() if fate == "returned"]
        n = len(self.branches)
        counted = f"{n} branch{'' if n == 1 else 'es'} in {self.depth} step{'' if self.depth == 1 else 's'}"
        said = f"{self.title + ': ' if self.title else ''}a tree of {counted}."
        ends = "; ".join(f"{' '.join(path)} {number(self.branches[path][0])}" for path in returned)
        forks = (path for path in sorted(self.heights, key=len) if self.children(path))
        return "\n".join([f"{said} Returned: {ends or 'nothing'}.", *map(self._fork_in_words, forks)])

    def _fork_in_words(self, path):
        ways = (
            f"{child[-1]} {number(value)} {fate}"
            for child, (value, fate) in ((child, self.branches[child]) for child in self.children(path))
        )
        return f"After {' '.join(path) or 'the start'}: {', '.join(ways)}."


def beam_tree(branches, *, title="", alt=""):
    """Draw what a search looked at, step by step from left to right.

    What was extended stands in a round box, what was returned in a square one with a tick, and what was left without
    a box, with a cross, at the end of a dashed line.

    Parameters
    ----------
    branches : sequence of (sequence of str, float, str)
        The words from the start to this place, a number to write beside the last of them (a probability, say), and
        what became of it: "extended", "returned" or "pruned". Every beginning of a branch must be there, too.
    title : str
    alt : str
        What the figure shows, in a sentence of yours; the text alternative adds every branch.

    Returns
    -------
    DescribedFigure

    Raises
    ------
    ValueError
        If there is no branch, a beginning is missing, or a fate is not one of the three.
    """
    return DescribedFigure([[Tree(title=title, branches=branches)]], alt=alt)
