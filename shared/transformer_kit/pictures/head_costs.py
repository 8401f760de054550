"""All heads of the chat model on one map: what each of them, silenced, costs."""

import numpy as np

from transformer_kit.pictures.picture import BLUE, ORANGE, Picture

LEFT, TOP, CELL, SIDE = 60, 40, 21, 18
FULL = 2.0  # nats, for which a square is drawn in full colour
MUCH = 0.1  # nats of English, from which on a square has a frame
LISTED = 8
PAPER = 0.06  # how much colour a square has that costs nothing
RULES = f"""
.lm-picture .cell {{ fill: {BLUE}; width: {SIDE}px; height: {SIDE}px }}
.lm-picture .cell:focus-visible {{ stroke: {ORANGE}; stroke-width: 3 }}
.lm-picture .english {{ fill: none; stroke: {ORANGE}; stroke-width: 2.5; pointer-events: none }}
"""


def head_costs(recording):
    """Draw by how much the loss grows when a head is silent, head by head.

    Parameters
    ----------
    recording : Chat
        What `load_recording("chat")` returns.

    Returns
    -------
    Picture
    """
    copying, english = recording.copying_cost, recording.english_cost
    n_blocks, n_heads = copying.shape
    size = LEFT + CELL * n_blocks + 8, TOP + CELL * n_heads + 34
    found = [f'<text class="quiet" x="0" y="{TOP + CELL * head + 15}">head {head}</text>' for head in range(n_heads)]
    found += [
        f'<text class="quiet" x="{LEFT + CELL * (block + 0.5):g}" y="{TOP - 8}" text-anchor="middle">{block}</text>'
        for block in range(0, n_blocks, 5)
    ]
    found.append(f'<text class="quiet" x="0" y="{TOP - 8}">block</text>')
    cells = list(np.ndindex(n_heads, n_blocks))
    found += [_cell(head, block, copying[block, head]) for head, block in cells]
    found += [_frame(head, block) for head, block in cells if english[block, head] > MUCH]
    y = TOP + CELL * n_heads + 22
    found.append(
        f'<rect fill="{BLUE}" x="{LEFT}" y="{y - 11}" width="12" height="12"/>'
        f'<text class="quiet" x="{LEFT + 18}" y="{y}">costs copying, in full colour {FULL:g} nats or more</text>'
        f'<rect class="english" x="{LEFT + 321}" y="{y - 11}" width="12" height="12"/>'
        f'<text class="quiet" x="{LEFT + 340}" y="{y}">costs English more than {MUCH:g} nats</text>'
    )
    title = f"All {copying.size} heads of the model: what is lost when one of them is silent"
    costs = np.stack([copying.T, english.T], axis=-1).round(2) + 0.0  # no -0.0
    data = {"start": int(copying.T.argmax()), "costs": costs.reshape(-1, 2).tolist(), "columns": n_blocks}
    data["note"] = "Point at a head to silence it, or press Tab and walk with the arrow keys."
    words = "\n".join(_described(copying, english))
    return Picture(title, size, "".join(found), words, "head_costs.js", data, RULES)


def _cell(head, block, copying):
    share = float(np.clip(copying / FULL, PAPER, 1))
    return f'<rect class="cell" fill-opacity="{share:.2g}" x="{LEFT + CELL * block}" y="{TOP + CELL * head}"/>'


def _frame(head, block):
    x, y = LEFT + CELL * block, TOP + CELL * head
    return f'<rect class="english" x="{x}" y="{y}" width="{SIDE}" height="{SIDE}"/>'


def _told(head, block, copying, english):
    costs = (f"{round(float(cost), 2) + 0.0:+.2f}" for cost in (copying, english))
    return "{}.{} silent: copying {}, English {}.".format(block, head, *costs)


def _described(copying, english):
    """Yield what the map shows in the whole, and the heads that cost most."""
    yield f"{(copying > MUCH).sum()} heads cost copying more than {MUCH:g} nats, {(english > MUCH).sum()} English."
    for block, head in zip(*np.unravel_index(np.argsort(-copying, axis=None)[:LISTED], copying.shape), strict=True):
        yield "Head " + _told(head, block, copying[block, head], english[block, head])
