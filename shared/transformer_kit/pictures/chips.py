"""Shapes of arrays, as small labels in a drawing."""

CHIP = "\n.lm-picture .chip { fill: none; stroke: currentColor; stroke-opacity: .35; rx: 9 }"


def chip(x, y, shape):
    """Draw a shape in a frame with round ends.

    Parameters
    ----------
    x, y : float
        Middle and baseline of the text.
    shape : tuple of int

    Returns
    -------
    str
        For an `<svg>` with the rule `CHIP`.
    """
    text = f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"
    width = 7 * len(text) + 10
    return (
        f'<rect class="chip" x="{x - width / 2}" y="{y - 14}" width="{width}" height="19"/>'
        f'<text class="quiet" x="{x}" y="{y}" text-anchor="middle">{text}</text>'
    )
