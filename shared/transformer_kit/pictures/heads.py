"""The head explorer: all attention weights of one translation, one head of them opened."""

from html import escape
from itertools import combinations

import numpy as np

from transformer_kit.pictures.picture import BLUE, ORANGE, Picture

WIDTH, TOP = 760, 26
THUMB, STEP, LABELS = 38, 46, 128  # a small map, from one to the next, and what stands before a row of them
LEFT, RIGHT = 440, 620  # where the queries end and the keys begin
MIDDLE = (LEFT + RIGHT) // 2
SHARES = 745  # where the shares of a query end
CUT = 376  # what is right of it stands below the rest on a phone
LEVELS = 4  # of opacity in the small maps
LEAST = 3  # per cent; less is not drawn
LISTED = 3  # keys that the caption names
RULES = f"""
.lm-picture .map {{ fill: {BLUE} }}
.lm-picture .paper {{ fill: {BLUE}; fill-opacity: .08 }}
.lm-picture .edge {{ fill: none; stroke: none; rx: 4 }}
.lm-picture .chosen .edge {{ stroke: {ORANGE}; stroke-width: 2 }}
.lm-picture .link {{ fill: none; stroke: {BLUE} }}
.lm-picture .lit {{ stroke: {ORANGE} }}
.lm-picture .on {{ font-weight: 700 }}
.lm-picture.narrow .open {{ transform: translate(-{CUT}px, 50%) }}
"""


def head_explorer(seen, name="decoder.1.cross_attention", head=0, query=0, results=None):
    """Draw every head of a model at work on one sentence, and open one of them.

    Parameters
    ----------
    seen : Watched
        A translation with all that was computed on the way.
    name : str
        The attention that is opened at first, as in `trace`.
    head, query : int
        The head and the query that are opened at first, counted from 0.
    results : dict from tuple of int to str, optional
        What the model writes while some heads of `name` are silent, by the numbers of these heads; () has the whole
        model's. With it, every head of `name` gets a switch.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is no such attention, head or query, or not a result for every set of heads.
    """
    maps = {key.removesuffix(".weights"): weights[0] for key, weights in seen.parts.items() if key.endswith(".weights")}
    if name not in maps:
        raise ValueError(f"expected one of {', '.join(maps)}; got {name!r}")
    n_heads, n_queries, _ = maps[name].shape
    if not (0 <= head < n_heads and 0 <= query < n_queries):
        raise ValueError(f"{name} has {n_heads} heads and {n_queries} queries; got head {head} and query {query}")
    subsets = [heads for n in range(n_heads + 1) for heads in combinations(range(n_heads), n)]
    if results and set(results) != set(subsets):
        raise ValueError(f"expected {len(subsets)} results, one for every set of silent heads; got {len(results)}")
    percent = {key: np.rint(100 * weights).astype(int) for key, weights in maps.items()}
    sides = {key: _words(key, seen) for key in maps}
    lines = max(len(side) for key in maps for side in sides[key])
    height = TOP + max(STEP * len(maps), 30 * lines) + 6
    rows = [
        {
            "name": _title(key),
            "words": sides[key],
            "next": list(seen.written) if "self" in key else [],
            "heads": percent[key].tolist(),
            "at": [_heights(len(side), height) for side in sides[key]],
        }
        for key in maps
    ]
    start = list(maps).index(name), head, query
    drawing = _small_maps(rows, start) + f'<g class="open">{_opened(rows[start[0]], head, query)}</g>'
    data = {"rows": rows, "start": start, "least": LEAST, "listed": LISTED}
    data |= {"left": LEFT, "right": RIGHT, "shares": SHARES}
    data["results"] = {",".join(map(str, heads)): text for heads, text in (results or {}).items()}
    narrow = (0, 0, WIDTH - CUT, 2 * height)
    title = f"The attention weights of all heads for “{' '.join(seen.source)}”"
    words = "\n".join(_described(rows, results or {}))
    return Picture(title, (WIDTH, height), drawing, words, "heads.js", data, RULES, narrow)


def _title(key):
    """Name an attention: encoder 0; decoder 1, cross."""
    side, number, kind = key.split(".")
    which = f"{side} {number}"
    return which if side == "encoder" else f"{which}, {'cross' if 'cross' in kind else 'self'}"


def _words(key, seen):
    """Name queries and keys by their words; a query to the source, as in the ribbons, by the word it will write."""
    if key.startswith("encoder"):
        return [list(seen.source), list(seen.source)]
    return [list(seen.written), list(seen.source)] if "cross" in key else [list(seen.read), list(seen.read)]


def _small_maps(rows, start):
    found = [f'<text class="quiet" x="{LABELS}" y="14">head 0, 1, 2, ...</text>']
    for number, row in enumerate(rows):
        y = TOP + STEP * number
        found.append(f'<text class="quiet" x="0" y="{y + 24}">{row["name"]}</text>')
        for head, weights in enumerate(row["heads"]):
            chosen = " chosen" if start[:2] == (number, head) else ""
            found.append(
                f'<g class="head{chosen}" role="button" tabindex="-1" aria-label="{row["name"]}, head {head}" '
                f'transform="translate({LABELS + STEP * head} {y})">{_map(weights)}'
                f'<rect class="edge" x="-2" y="-2" width="{THUMB + 4}" height="{THUMB + 4}"/></g>'
            )
    return "".join(found)


def _map(weights):
    """Draw weights in per cent as a small map, one path for each level."""
    n_queries, n_keys = len(weights), len(weights[0])
    levels = [[] for _ in range(LEVELS)]
    for i, row in enumerate(weights):
        for j, percent in enumerate(row):
            if percent >= LEAST:
                levels[min(percent * LEVELS // 100, LEVELS - 1)].append(f"M{j} {i}h1v1h-1z")
    paths = "".join(
        f'<path class="map" fill-opacity="{(level + 1) / LEVELS}" d="{"".join(cells)}"/>'
        for level, cells in enumerate(levels)
        if cells
    )
    scale = f'transform="scale({THUMB / n_keys:.3f} {THUMB / n_queries:.3f})"'
    return f'<rect class="paper" width="{THUMB}" height="{THUMB}"/><g {scale}>{paths}</g>'


def _opened(row, head, query):
    """Draw one head large: queries, keys, what looks at what, and the weights of one query."""
    (queries, keys), weights = row["words"], row["heads"][head]
    left, right = row["at"]
    found = [f'<text class="quiet" x="{LEFT}" y="14" text-anchor="end">query</text>']
    found.append(f'<text class="quiet" x="{RIGHT}" y="14">key</text>')
    for i, j in sorted(np.ndindex(len(queries), len(keys)), key=lambda pair: pair[0] == query):
        if weights[i][j] >= LEAST:
            share, lit = weights[i][j] / 100, i == query
            found.append(
                f'<path class="link{" lit" * lit}" stroke-width="{0.5 + 7 * share:.1f}" '
                f'stroke-opacity="{0.15 + 0.85 * share if lit else 0.15 + 0.3 * share:.2f}" '
                f'd="M{LEFT + 8} {left[i] - 5}C{MIDDLE} {left[i] - 5} '
                f'{MIDDLE} {right[j] - 5} {RIGHT - 8} {right[j] - 5}"/>'
            )
    for i, word in enumerate(queries):
        mark = " on" * (i == query)
        found.append(f'<text class="query{mark}" x="{LEFT}" y="{left[i]}" text-anchor="end">{escape(word)}</text>')
    for j, word in enumerate(keys):
        share = weights[query][j]
        mark = ' class="on"' if share >= 25 else ""
        found.append(f'<text x="{RIGHT}" y="{right[j]}"{mark}>{escape(word)}</text>')
        if share >= LEAST:
            found.append(f'<text x="{SHARES}" y="{right[j]}" text-anchor="end"{mark}>{share} %</text>')
    return "".join(found)


def _heights(count, height):
    """Return the baselines of words that are spread over the height."""
    step = (height - TOP - 36) / max(count - 1, 1)
    return [round(TOP + 16 + step * number) for number in range(count)]


def _described(rows, results):
    """Yield for every head whom each query looks at most, then what is written while heads are silent."""
    for row in rows:
        queries, keys = row["words"]
        for head, weights in enumerate(row["heads"]):
            best = (
                f"{word} at {keys[int(np.argmax(line))]} {max(line)} %"
                for word, line in zip(queries, weights, strict=True)
            )
            yield f"{row['name']}, head {head}: {'; '.join(best)}."
    for heads, text in results.items():
        silent = "Without heads " + ", ".join(map(str, heads)) if heads else "With all heads"
        yield f"{silent}: {text}"
