"""What all pictures of this folder are: a drawing, the same in words, and a script that brings the drawing to life.

The drawing is shipped once, as an image: that is what an untrusted notebook, a sheet of paper and a page without
scripts show, on light ground. Where scripts run, the picture's own one puts the same drawing into the page, where it
takes the page's colour of text and answers to pointer and keyboard.
"""

from html import escape
from importlib.resources import files
from zlib import crc32

from transformer_kit.style import BLUE, FOLD, GREEN, GROUND, INK, LIVE, ORANGE, RED, as_data, as_image, as_svg

__all__ = ["BLUE", "GREEN", "GROUND", "INK", "ORANGE", "RED", "STYLE", "Picture"]

# Controls and words stand at the right of the drawing where there is room, else below it.
BESIDE, ASIDE = "display:flex;flex-wrap:wrap;gap:0 28px", 240
STYLE = f""".lm-picture .quiet {{ opacity: .75; font-size: 12px }}
.lm-picture [tabindex] {{ cursor: pointer; outline: none }}
.lm-picture [tabindex]:focus-visible .edge {{ stroke: {ORANGE}; stroke-width: 3 }}
@media (prefers-reduced-motion: no-preference) {{ .lm-picture .edge {{ transition: stroke .15s }} }}
"""


class Picture:
    """A drawing that is shown by Jupyter, with its words below it for everybody.

    Parameters
    ----------
    title : str
        What it is, in a few words.
    size : tuple of (int, int)
        Width and height in CSS pixels.
    drawing : str
        What is in the `<svg>`.
    words : str
        The same in words.
    script : str
        Names of files in this folder, the last its own; they find `box`, `svg`, `caption` and `data`.
    data : object
        For the script, as JSON.
    style : str
        Rules for this kind of picture, beside `STYLE`; `.lm-picture` in them means this kind only, and
        `.lm-picture.narrow` one on a phone.
    narrow : tuple of (int, int, int, int), optional
        Left and upper edge, width and height of what is shown on a phone.
    """

    def __init__(self, title, size, drawing, words, script, data, style="", narrow=None):
        self.title, self.size, self.words = title, size, words
        self._drawing, self._script, self._data, self._style = drawing, script, data, style
        self.narrow = narrow or (0, 0, *size)

    @property
    def svg(self):
        """The drawing as a file of its own."""
        kind = f"lm-{crc32(self._style.encode()):x}"
        style = self._style.replace(".lm-picture", f".{kind}")  # in a page, each style sheet is for all pictures
        return as_svg(self._drawing, *self.size, STYLE + style, kind)

    @property
    def html(self):
        """The drawing as an image, what is said of the part in focus, the words, and the script."""
        scripts = (files(__package__).joinpath(name) for name in ["common.js", *self._script.split()])
        code = f"{LIVE}const phone={list(self.narrow)}, fold={FOLD};\n"
        code += "".join(script.read_text(encoding="utf-8") for script in scripts)
        lines = (line.lstrip() for line in code.splitlines())
        code = "\n".join(line for line in lines if not line.startswith("//"))
        return (
            f'<div data-lm-suppress-shortcuts="true" style="{BESIDE}"><div style="max-width:100%">'
            f'{as_image(self.svg, self.title, *self.size)}</div><div style="flex:1 1 {ASIDE}px;min-width:0">'
            '<p aria-live="polite" style="min-height:2.8em;margin:4px 0"></p>'
            "<details><summary>This picture in words</summary>"
            f'<div style="white-space:pre-wrap">{escape(self.words)}</div></details></div>'
            f"<script>{{{as_data(self._data)}{code}}}</script></div>"
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": self.html, "text/plain": repr(self)}

    def __repr__(self):
        return f"{self.title}\n{self.words}"
