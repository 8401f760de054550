"""The house style of all pictures: colours, type, lines, and how a drawing gets into a page.

A drawing is an SVG file, shipped once, as an image on light ground: that is what an untrusted notebook, a sheet of
paper and a page without scripts show. Where scripts run, the same drawing is put into the page, where it takes the
page's colour of text. So whatever is drawn has that colour or one that reads on light and on dark ground.
"""

import json
from base64 import b64encode
from html import escape
from zlib import crc32

import numpy as np

# All of them have a contrast of 3 to white and to JupyterLab's dark ground. Green and red are for verdicts only.
BLUE, ORANGE, GREEN, RED = "#3b82f6", "#ea580c", "#2f9e5f", "#e5484d"
SERIES = (BLUE, ORANGE, "#0d9488", "#a855f7", "#a16207", "#808080")  # each with a line and a marker of its own, too
INK, GROUND = "#1a1a1a", "#ffffff"  # where nobody says otherwise
QUIET, FAINT = 0.75, 0.2  # opacity of what is said in passing, and of lines that only guide the eye

COLUMN = 720  # CSS pixels: the widest picture
PHONE, FOLD = 350, 480  # CSS pixels: the column of a phone, and the widest one that counts as such
TITLE, TEXT, SMALL = 15, 13, 12  # CSS pixels: sizes of type
LINE, EDGE, HAIRLINE = 2, 1.5, 1  # CSS pixels: widths of lines

UNDER_TEXT = 0.75  # opacity of a scale's strongest colour below numbers, which stay readable on it in both themes

RULES = f"""
.lm-picture {{ color: {INK}; background: {GROUND}; font: 14px/1.3 system-ui, sans-serif; max-width: 100% }}
.lm-picture.live {{ color: inherit; background: none }}
.lm-picture text {{ fill: currentColor }}
"""
# Begins the script of every picture. What it replaces was drawn by the kit, so it holds no script of anybody else.
# Pictures of a kind share a style sheet, since each new one costs a look at every element of the page.
LIVE = """const box = document.currentScript.parentElement, image = box.querySelector("img");
const file = atob(image.src.split(",")[1]);
image.insertAdjacentHTML("afterend", file);
const svg = image.nextElementSibling;
const sheet = svg.querySelector("style");
if (document.head.querySelector(`.${sheet.getAttribute("class")}`)) sheet.remove();
else document.head.append(sheet);
svg.classList.add("live");
svg.style.height = "auto";
svg.setAttribute("aria-label", image.alt);
image.remove();
"""


def shades(values, low, high, strongest=1.0):
    """Turn numbers into colours: nothing at zero, blue above it, orange below.

    The colours are translucent, so that zero is the ground, whichever that is. Without numbers below zero the scale
    is sequential, from nothing at `low` to blue at `high`; entries that are not finite are grey.

    Parameters
    ----------
    values : ndarray
    low, high : float
        Ends of the scale. Where `low` is negative, the scale is signed: zero in the middle, both arms of one length.
    strongest : float
        Opacity at the ends.

    Returns
    -------
    ndarray of shape (*values.shape, 4)
        Red, green, blue and opacity, from 0 to 1.
    """
    values = np.asarray(values, dtype=float)
    known, start = np.isfinite(values), 0.0 if low < 0 else low
    share = np.abs(np.where(known, values, start) - start) / (max(-low, high) - start)
    colours = np.empty((*values.shape, 4))
    colours[..., :3] = np.where(values[..., None] < start, _channels(ORANGE), _channels(BLUE))
    colours[..., 3] = strongest * np.clip(share, 0, 1).round(2)
    colours[~known] = (*_channels(SERIES[-1]), 2 * FAINT)
    return colours


def _channels(colour):
    return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def as_image(svg, alt, width, height):
    """Return the element that shows a drawing wherever it is.

    Parameters
    ----------
    svg : str
        A whole file.
    alt : str
        What it shows.
    width, height : int
        In CSS pixels.

    Returns
    -------
    str
        An `<img>`, which the script `LIVE` replaces by the drawing.
    """
    address = f"data:image/svg+xml;base64,{b64encode(svg.encode('ascii', 'xmlcharrefreplace')).decode()}"
    size = f'width="{width}" height="{height}" style="max-width:100%;height:auto"'
    return f'<img alt="{escape(alt)}" {size} loading="lazy" src="{address}">'


def as_data(data):
    """Return the line of a picture's script that holds its data, which end no `<script>`."""
    return f"const data={json.dumps(data, ensure_ascii=False, separators=(',', ':'))};\n".replace("</", "<\\/")


def as_svg(drawing, width, height, rules="", kind=""):
    """Make a file of a drawing.

    Parameters
    ----------
    drawing : str
        What is in the `<svg>`.
    width, height : int
        In CSS pixels.
    rules : str
        Of its style sheet, beside `RULES`.
    kind : str
        A class of its own, for these rules.

    Returns
    -------
    str
    """
    name = f"lm-picture {kind}".strip()
    sheet = f"{RULES}{rules}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{name}" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}"><style class="lm-{crc32(sheet.encode()):x}">{sheet}</style>{drawing}</svg>'
    )
