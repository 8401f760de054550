"""The machine: one drawing of the whole model, from the first unit to the last."""

from html import escape
from itertools import pairwise

from transformer_kit.pictures.parts import parts_of
from transformer_kit.pictures.picture import BLUE, GREEN, ORANGE, RED, Picture

WIDTH, BOX, HEIGHT, PITCH = 760, 190, 24, 32  # of the drawing, of a box, and from box to box
GAP = 10  # more, before and after a layer
CENTRES = {"source": 225, "target": 535}
ABOVE, BELOW = 34, 42  # of the highest box, and of the lowest one
SPINE = 380  # where the memory goes up
PHONE = 84, 578  # left edge and width of what a phone shows: all but the shapes
EXAMPLE = {"source": "I like cats.", "target": "<bos> Me gustan los", "next": "gatos"}
RULES = f"""
.lm-picture .box {{ fill: none; stroke: currentColor; stroke-opacity: .45; rx: 6 }}
.lm-picture.narrow .shape {{ display: none }}
.lm-picture .share {{ fill: {BLUE}; fill-opacity: .28; rx: 6 }}
.lm-picture .way {{ fill: none; stroke: currentColor; stroke-opacity: .55 }}
.lm-picture .tip {{ fill: currentColor; fill-opacity: .55 }}
.lm-picture .frame {{ fill: none; stroke: currentColor; stroke-opacity: .25; stroke-dasharray: 4 4; rx: 10 }}
.lm-picture .here .box {{ stroke: {ORANGE}; stroke-opacity: 1; stroke-width: 2.5 }}
.lm-picture .here text {{ font-weight: 700 }}
.lm-picture .right .box {{ stroke: {GREEN}; stroke-opacity: 1; stroke-width: 2 }}
.lm-picture .wrong .box {{ stroke: {RED}; stroke-opacity: 1; stroke-width: 3 }}
.lm-picture .part:is(:hover, :focus-visible) .edge {{ stroke: currentColor; stroke-opacity: 1; stroke-width: 4 }}
"""
WHOLE = "09", "10", "12", "13"  # units about all of it
ONLY = {"03": "masked self-attention"}  # what is new there, of all the attentions that take a mask
MARKS = {True: "✓ ", False: "✗ ", None: ""}
CLASSES = {True: " right", False: " wrong", None: ""}


def machine(unit="", written=(), verdicts=None, model=None):
    """Draw encoder and decoder with all their parts.

    Parameters
    ----------
    unit : str
        Number of a unit, such as "04"; its parts are marked.
    written : collection of str
        Names of functions; a part is filled by the share of its functions that are among them.
    verdicts : dict from str to bool, optional
        Whether a part came out right, by its key in `trace`.
    model : Model, optional
        Whose layers and numbers are shown; one layer on each side without it.

    Returns
    -------
    Picture
    """
    parts, verdicts = parts_of(model), verdicts or {}
    rows = {side: [part for part in parts if part.side == side] for side in CENTRES}
    heights = {side: _heights(column) for side, column in rows.items()}
    height = ABOVE + max(map(max, heights.values())) + BELOW
    places = {
        part.key: (CENTRES[side] - BOX / 2, height - BELOW - up)
        for side, column in rows.items()
        for part, up in zip(column, heights[side], strict=True)
    }
    drawing = [*_frames(places, model is None), *_ways(rows, places), *_words(rows, places)]
    drawing += [_box(part, places[part.key], unit, written, verdicts.get(part.key)) for part in parts]
    sentences = [_sentence(part, written, verdicts.get(part.key)) for part in parts]
    marked = ["the whole model"] if unit in WHOLE else [part.label for part in parts if _is_marked(part, unit)]
    title = "The machine: encoder and decoder with all their parts" + (
        f"; unit {unit} is about {', '.join(dict.fromkeys(marked))}" if marked else ""
    )
    start = next((i for i, part in enumerate(parts) if _is_marked(part, unit)), 0)
    narrow = (PHONE[0], 0, PHONE[1], height)
    data = {"start": start, "sentences": sentences, "note": _note(marked, written, verdicts)}
    return Picture(title, (WIDTH, height), "".join(drawing), "\n".join(sentences), "machine.js", data, RULES, narrow)


def _is_marked(part, unit):
    return unit in WHOLE or (unit in part.units and part.label == ONLY.get(unit, part.label))


def _heights(column):
    """Return how far the upper edge of each part is above the lowest edge of all."""
    found, up = [], HEIGHT
    for part, after in zip(column, [*column[1:], None], strict=True):
        found.append(up)
        up += PITCH + GAP * (after is not None and _layer(part.key) != _layer(after.key))
    return found


def _layer(key):
    """Return the layer that a part belongs to, "" for none."""
    return key.rpartition(".")[0] if key.count(".") == 2 else ""


def _share(part, written):
    return sum(name in written for name in part.functions) / len(part.functions)


def _note(marked, written, verdicts):
    """Say what the colours mean, and what to do."""
    notes = {
        "Orange: what this unit is about.": marked,
        "Blue: what you have written.": written,
        "✓ right, ✗ not right.": verdicts,
        "Point at a part, or press Tab and walk with the arrow keys.": True,
    }
    return " ".join(note for note, is_true in notes.items() if is_true)


def _sentence(part, written, verdict):
    """Say what a part is, what comes out of it, and how far it is written."""
    kind = "unit" if len(part.units) == 1 else "units"
    column = "encoder" if part.side == "source" else "decoder"
    text = f"{MARKS[verdict]}{part.label} ({column}, {kind} {', '.join(part.units)}): {part.says}."
    text += f" Out comes {part.shape}." + (f" Learned in it: {part.parameters}." if part.parameters else "")
    mine = [name for name in part.functions if name in written]
    still = [name for name in part.functions if name not in written]
    if mine:
        text += f" Yours: {', '.join(mine)}." + (f" Still to write: {', '.join(still)}." if still else "")
    return text


def _box(part, place, unit, written, verdict):
    x, y = place
    here = " here" if _is_marked(part, unit) else ""
    label = escape(MARKS[verdict] + part.label)
    return (
        f'<g class="part{here}{CLASSES[verdict]}" role="button" tabindex="-1" aria-label="{label}">'
        f'<rect x="{x}" y="{y}" width="{BOX}" height="{HEIGHT}" fill="transparent"/>'
        f'<rect class="share" x="{x}" y="{y}" width="{BOX * _share(part, written):.0f}" height="{HEIGHT}"/>'
        f'<rect class="box edge" x="{x}" y="{y}" width="{BOX}" height="{HEIGHT}"/>'
        f'<text x="{x + BOX / 2}" y="{y + 17}" text-anchor="middle">{label}</text></g>'
    )


def _frames(places, is_schematic):
    """Draw a frame around every layer."""
    layers = {}
    for key, (_, y) in places.items():
        if layer := _layer(key):
            layers.setdefault(layer, []).append(y)
    for name, heights in layers.items():
        side, number = name.split(".")
        x = CENTRES["source" if side == "encoder" else "target"] - BOX / 2 - 26
        top, bottom = min(heights) - 6, max(heights) + HEIGHT + 9
        text = "N times" if is_schematic else f"layer {number}"
        at, turn = (x - 6, -90) if side == "encoder" else (x + BOX + 44, 90)
        where = f'transform="translate({at} {(top + bottom) / 2}) rotate({turn})" text-anchor="middle"'
        yield f'<rect class="frame" x="{x}" y="{top}" width="{BOX + 38}" height="{bottom - top}"/>'
        yield f'<text class="quiet" {where}>{text}</text>'


def _ways(rows, places):
    """Draw the arrows: upwards, around sub-layers, and from the encoder into the decoder."""
    for side, column in rows.items():
        x = CENTRES[side]
        for below, above in pairwise(column):
            yield _arrow(f"M{x} {places[below.key][1]}V{places[above.key][1] + HEIGHT + 5}", x, places[above.key][1])
        for sublayer, norm in pairwise(column):
            if norm.label == "add & norm":
                left, y = places[norm.key]
                start = places[sublayer.key][1] + HEIGHT + 6
                yield f'<path class="way" d="M{x} {start}H{left - 14}V{y + HEIGHT / 2}H{left - 5}"/>'
                yield f'<path class="tip" d="M{left} {y + HEIGHT / 2}l-6 -3.5v7z"/>'
    yield from _memory(rows, places)


def _memory(rows, places):
    top = places[rows["source"][-1].key][1]
    crossings = [places[part.key] for part in rows["target"] if "cross" in part.key]
    start = top - 18
    ends = [start, *(y + HEIGHT / 2 for _, y in crossings)]
    yield f'<path class="way" d="M{CENTRES["source"]} {top}V{start}H{SPINE}M{SPINE} {min(ends)}V{max(ends)}"/>'
    for x, y in crossings:
        yield f'<path class="way" d="M{SPINE} {y + HEIGHT / 2}H{x - 5}"/>'
        yield f'<path class="tip" d="M{x} {y + HEIGHT / 2}l-6 -3.5v7z"/>'
    label = f'<text class="quiet" x="{CENTRES["source"]}" y="{start - 6}" text-anchor="middle">'
    yield f"{label}memory (n_source, d_model)</text>"


def _arrow(path, x, y):
    return f'<path class="way" d="{path}"/><path class="tip" d="M{x} {y + HEIGHT}l-3.5 6h7z"/>'


def _words(rows, places):
    """Write an example below and above the boxes, and shapes where they change."""
    for side, x in CENTRES.items():
        bottom = places[rows[side][0].key][1] + HEIGHT
        yield f'<text x="{x}" y="{bottom + 30}" text-anchor="middle">{escape(EXAMPLE[side])}</text>'
        yield _arrow(f"M{x} {bottom + 16}V{bottom + 5}", x, bottom - HEIGHT)
        at, anchor = (x - BOX / 2 - 8, "end") if side == "source" else (x + BOX / 2 + 8, "start")
        for part in rows[side]:
            if not _layer(part.key):
                y = places[part.key][1] + 17
                yield f'<text class="quiet shape" x="{at}" y="{y}" text-anchor="{anchor}">{part.shape}</text>'
    x, top = CENTRES["target"], places["next"][1]
    yield f'<path class="way" d="M{x} {top}V{top - 9}"/><path class="tip" d="M{x} {top - 14}l-3.5 6h7z"/>'
    yield f'<text x="{x}" y="{top - 18}" text-anchor="middle">{EXAMPLE["next"]}</text>'
