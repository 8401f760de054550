"""Pictures that change with time: what stands still, what moves, and a scrubber with a button that plays it all.

The image shows the last frame, and so does the page at first. What moves is drawn from the same values in the image
and by the script.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from transformer_kit.pictures.picture import BLUE, ORANGE, Picture

RULES = f"""
.lm-picture .axis {{ stroke: currentColor; stroke-opacity: .35; fill: none }}
.lm-picture .line {{ fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round }}
.lm-picture .blue {{ stroke: {BLUE} }}
.lm-picture .orange {{ stroke: {ORANGE} }}
.lm-picture .dots {{ fill: none; stroke-width: 9; stroke-linecap: round }}
.lm-picture .now {{ stroke: currentColor; stroke-opacity: .6; fill: none }}
.lm-picture .strong {{ font-weight: 700 }}
"""


class Moving(NamedTuple):
    """An element of a drawing that is another one in every frame.

    Attributes
    ----------
    element : str
        With {} in the place of what changes.
    attribute : str
        The name of the attribute that changes; "text" if it is what stands in the element.
    values : list
        One for each frame; text is escaped already where it has to be.
    """

    element: str
    attribute: str
    values: list


def moving_picture(title, size, still, moving, steps, captions, style="", narrow=None):
    """Put a drawing together whose frames can be scrubbed through.

    Parameters
    ----------
    title : str
        What it is, in a few words.
    size : tuple of (int, int)
        Width and height in CSS pixels.
    still : str
        What is in the drawing and stays as it is.
    moving : list of Moving
        What is drawn over it.
    steps : list of int
        The step of training that each frame shows.
    captions : list of str
        What is said of each frame, a line for each: the picture in words, where the script finds them. What follows
        a tab is in these words only.
    style : str
        Rules for this kind of picture, beside those of all.
    narrow : tuple of (int, int, int, int), optional
        As in `Picture`.

    Returns
    -------
    Picture
    """
    last = "".join(each.element.format(each.values[-1]) for each in moving)
    data = {"moving": [each[1:] for each in moving], "steps": steps}
    drawing = f'{still}<g class="moving">{last}</g>'
    return Picture(title, size, drawing, "\n".join(captions), "frames.js", data, RULES + style, narrow)


def path(points):
    """Return the `d` of a path through some points, to a pixel.

    Parameters
    ----------
    points : sequence of (float, float)

    Returns
    -------
    str
    """
    return "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in points) if len(points) else ""


def dots(points):
    """Return the `d` of a path that is a dot at each of some points, drawn by its round ends.

    Parameters
    ----------
    points : sequence of (float, float)

    Returns
    -------
    str
    """
    return "".join(f"M{x:.0f} {y:.0f}h0" for x, y in points)


def apart(heights, least=17):
    """Move labels down until none covers another.

    Parameters
    ----------
    heights : sequence of float
    least : float
        From one baseline to the next.

    Returns
    -------
    ndarray of shape (n,)
    """
    found = np.array(heights, dtype=float)
    for above, below in pairwise(np.argsort(found)):
        found[below] = max(found[below], found[above] + least)
    return found
