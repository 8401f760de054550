"""A search step by step: candidates come, the best stay, the others are cut."""

from html import escape

import numpy as np

from transformer_kit import reference
from transformer_kit.examples.toy_models import BOS, EOS, WORDS, CountingModel
from transformer_kit.pictures.learners import drawn_or_said
from transformer_kit.pictures.picture import BLUE, ORANGE, Picture

MAX_LEN = 6
START, STEP, PILL = 50, 136, 116  # the column of the start, from step to step, and a word with its number
ROW, HEAD = 31, 40
MOST = 90  # branches
FATES = {"kept": ("stays", "stay"), "finished": ("is finished", "are finished"), "cut": ("is cut", "are cut")}
RULES = f"""
.lm-picture .node rect {{ fill: none; stroke: currentColor; stroke-opacity: .5; rx: 12 }}
.lm-picture .node .sum {{ font-variant-numeric: tabular-nums; font-size: 12px }}
.lm-picture .way {{ fill: none; stroke: currentColor; stroke-opacity: .35 }}
.lm-picture .strike {{ stroke: none }}
.lm-picture .fresh rect {{ stroke-dasharray: 3 3; stroke-opacity: .9 }}
.lm-picture .kept rect {{ fill: {BLUE}; fill-opacity: .18; stroke: {BLUE}; stroke-opacity: 1 }}
.lm-picture .kept .way {{ stroke: {BLUE}; stroke-width: 2; stroke-opacity: 1 }}
.lm-picture .finished rect {{ stroke: {ORANGE}; stroke-width: 2; stroke-opacity: 1; rx: 3 }}
.lm-picture .finished .way {{ stroke: {ORANGE}; stroke-width: 2; stroke-opacity: 1 }}
.lm-picture .returned rect {{ fill: {ORANGE}; fill-opacity: .25 }}
.lm-picture .returned text {{ font-weight: 700 }}
.lm-picture .cut rect {{ stroke: none }}
.lm-picture .cut text {{ opacity: .7 }}
.lm-picture .cut .strike {{ stroke: currentColor; stroke-opacity: .7 }}
.lm-picture .cut .way {{ stroke-dasharray: 2 4 }}
.lm-picture .away {{ visibility: hidden }}
.lm-picture .later {{ opacity: .6 }}
.lm-picture .later text {{ visibility: hidden }}
@media (prefers-reduced-motion: no-preference) {{ .lm-picture .node rect {{ transition: fill-opacity .25s }} }}
"""


@drawn_or_said
def beam_tree(search, model, widths=None, start=1):
    """Draw what a search does with a model, step by step.

    The steps are read off the prefixes that the search asks the model about, so a wrong search shows its own tree.

    Parameters
    ----------
    search : callable
        The learner's `beam_search`; or `greedy_decode`, when there are no widths.
    model : callable
        One of `toy_models`.
    widths : sequence of int, optional
        The widths of the beam that can be chosen, one after the other.
    start : int
        The width at first.

    Returns
    -------
    Picture
    """
    searches = [Search(search, model, width) for width in widths or [None]]
    totals = {path: total for one in searches for path, total in one.totals.items()}
    if len(totals) > MOST:
        raise ValueError(f"this search looks at {len(totals)} sequences, too many to be drawn")
    heights, depth = _heights(totals), max(map(len, totals))
    first = (widths or [1]).index(start)
    fates = [[one.fate(path) for path in totals] for one in searches]
    drawing = [f'<text class="quiet" x="{_x(t)}" y="14">step {t}</text>' for t in range(1, depth + 1)]
    drawing.append(f'<text x="0" y="{heights[()] + 5:.1f}">start</text>')
    for path, fate in zip(totals, fates[first], strict=True):
        drawing.append(_node(path, totals[path], fate, heights))
    data = {
        "widths": list(widths or []),
        "start": first,
        "steps": [len(path) for path in totals],
        "fates": fates,
        "told": [one.told() for one in searches],
    }
    kind = "Beam search" if widths else "Greedy search"
    size = START + STEP * depth - STEP + PILL + 2, round(max(heights.values()) + ROW / 2)
    words = "\n".join(searches[first].told())
    return Picture(
        f"{kind}, step by step: what stays, what is finished, what is cut",
        size,
        "".join(drawing),
        words,
        "controls.js beam.js",
        data,
        RULES,
    )


class Search:
    """What one search has asked, looked at and returned.

    Parameters
    ----------
    search, model : callable
        As in `beam_tree`.
    width : int or None
        None for a greedy search.
    """

    def __init__(self, search, model, width):
        self.width, self.note = width or 1, ""
        asked, self.returned = _asked(search, model, width)
        self.totals = _totals(asked, model)
        if not self.totals:
            name = "greedy_decode" if width is None else "beam_search"
            self.note = f"From what your {name} asks the model no tree can be made, so this is the course's. "
            asked, _ = _asked(getattr(reference, name), model, width)
            self.totals = _totals(asked, model)
        self.asked = set(asked)
        self.ranked = {}  # step to its candidates, best first
        for path in self.totals:
            self.ranked.setdefault(len(path), []).append(path)
        for candidates in self.ranked.values():
            candidates.sort(key=lambda path: -self.totals[path])  # stable: ties stay in the order of parents and ids

    def fate(self, path):
        """Say what became of a sequence: "" if it was not looked at."""
        if path not in self.totals:
            return ""
        if path in self.asked:
            return "kept"
        is_best = path[-1] == EOS and path in self.ranked[len(path)][: self.width]
        return "finished returned" if path in self.returned else "finished" if is_best else "cut"

    def told(self):
        """Return a sentence for the start, two for every step, and one for the result."""
        told = [f"{self.note}The search begins with nothing."]
        for step, candidates in self.ranked.items():
            several = "1 candidate" if len(candidates) == 1 else f"{len(candidates)} candidates, best first"
            listed = ", ".join(f"{_spell(path)} {_signed(self.totals[path])}" for path in candidates)
            told.append(f"Step {step}: {several}: {listed}.")
            groups = {fate: [p for p in candidates if self.fate(p).split()[0] == fate] for fate in FATES}
            parts = (
                f"{', '.join(map(_spell, group))} {FATES[fate][len(group) > 1]}"
                for fate, group in groups.items()
                if group
            )
            told.append(f"Step {step}: {'; '.join(parts)}.")
        results = (f"{_spell(path)} {self._number(path)}" for path in self.returned)
        return [*told, f"Returned, best first: {', '.join(results) or 'nothing'}."]

    def _number(self, path):
        total = self.totals.get(path)
        return "(not on this tree)" if total is None else f"{_signed(total)} (probability {np.exp(total):.4f})"


def _asked(search, model, width):
    """Run a search, and return the prefixes that it asked about, and the sequences that it returned."""
    counting = CountingModel(model)
    found = search(counting, BOS, EOS, *([] if width is None else [width]), MAX_LEN)
    try:
        returned = [tuple(map(int, ids)) for ids in ([found] if width is None else [ids for _, ids in found])]
    except (TypeError, ValueError) as error:
        expected = "ids" if width is None else "a list of (score, ids)"
        raise ValueError(f"expected {expected} from the search, got {found!r:.80}") from error
    return list(dict.fromkeys(counting.prefixes)), returned


def _totals(asked, model):
    """Return the log-probability of every extension of what was asked; nothing if a beginning was never looked at."""
    totals = {(): 0.0}
    for path in sorted(asked, key=len):
        if path not in totals:
            return {}
        following = model(np.array([(BOS, *path)]))[0]
        totals |= {(*path, i): totals[path] + float(more) for i, more in enumerate(following) if more > -np.inf}
    del totals[()]
    return totals


def _heights(totals):
    """Give every end a row of its own, the likeliest first, and all others the middle of what goes out from them."""
    heights, ends = {}, []

    def place(path):
        below = sorted((p for p in totals if p[:-1] == path), key=lambda p: -totals[p])
        for child in below:
            place(child)
        if below:
            heights[path] = (heights[below[0]] + heights[below[-1]]) / 2
        else:
            heights[path] = HEAD + ROW * len(ends)
            ends.append(path)

    place(())
    return heights


def _x(step):
    return START + STEP * (step - 1)


def _node(path, total, fate, heights):
    """Draw a word, the log-probability up to it, the way that leads to it, and the line that strikes it out."""
    x, y = _x(len(path)), heights[path]
    before, from_y = (x - STEP + PILL, heights[path[:-1]]) if path[:-1] else (START - 10, heights[()])
    middle = (before + x) / 2
    return (
        f'<g class="node {fate or "away"}"><path class="way" '
        f'd="M{before} {from_y:.1f}C{middle} {from_y:.1f} {middle} {y:.1f} {x} {y:.1f}"/>'
        f'<rect x="{x}" y="{y - 12:.1f}" width="{PILL}" height="24"/>'
        f'<text x="{x + 9}" y="{y + 5:.1f}">{escape(WORDS[path[-1]])}</text>'
        f'<text class="sum" x="{x + PILL - 9}" y="{y + 4.5:.1f}" text-anchor="end">{_signed(total)}</text>'
        f'<path class="strike" d="M{x + 6} {y:.1f}h{PILL - 12}"/></g>'
    )


def _spell(path):
    return " ".join(WORDS[i] for i in path) or "(empty)"


def _signed(number):
    """Write a number with two decimals and a real minus sign."""
    return f"{number:.2f}".replace("-0.00", "0.00").replace("-", "\u2212")
