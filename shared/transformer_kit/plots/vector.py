"""What Matplotlib draws, as SVG: short paths, text that stays text, and no ids, dates or style sheets.

Matplotlib's own SVG is several times as long, and its ids would meet those of other pictures of the page.
"""

from base64 import b64encode
from html import escape
from io import BytesIO

import numpy as np
from matplotlib.backend_bases import RendererBase
from matplotlib.colors import to_hex, to_rgba
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

from transformer_kit.plots.look import DPI, POINTS_PER_INCH
from transformer_kit.style import INK, SMALL

LETTERS = {Path.MOVETO: "M", Path.LINETO: "l", Path.CURVE3: "q", Path.CURVE4: "c"}
CAPS = {"butt": [], "round": ['stroke-linecap="round"'], "projecting": ['stroke-linecap="square"']}
ANCHORS = {"left": "start", "center": "middle", "right": "end"}
NOTHING = 'fill="none"'
TEXT_COLOUR = to_rgba(INK)[:3]


class SvgRenderer(RendererBase):
    """Collects what a figure draws; `drawing` is the inside of an `<svg>` of the same size.

    Parameters
    ----------
    width, height : float
        In CSS pixels.
    """

    def __init__(self, width, height):
        super().__init__()
        self.width, self.height = width, height
        self._shapes = []  # attributes and path data; neighbours of one look become one path

    @property
    def drawing(self):
        """All that was drawn, in its order."""
        return "".join(f'<path {look} d="{data}"/>' if look else data for look, data in self._shapes)

    def get_canvas_width_height(self):
        return self.width, self.height

    def points_to_pixels(self, points):
        return points * DPI / POINTS_PER_INCH

    def option_scale_image(self):
        return True

    def draw_path(self, gc, path, transform, rgbFace=None):
        filled = rgbFace is not None
        look = self._look(gc, rgbFace)
        clip = None if filled else gc.get_clip_rectangle()
        if look != NOTHING:
            data = self._data(path, transform, clip and clip.extents, simplify=path.should_simplify and not filled)
            self._add(look, data)

    def draw_markers(self, gc, marker_path, marker_trans, path, trans, rgbFace=None):
        if marker_path.codes is None or Path.CURVE4 not in marker_path.codes:
            return super().draw_markers(gc, marker_path, marker_trans, path, trans, rgbFace)
        # A disc is a line of no length with round ends: a tenth of the text of a circle.
        size = _short(marker_path.get_extents(marker_trans).width)
        colour = _paint("stroke", rgbFace, gc.get_alpha() if gc.get_forced_alpha() else 1)
        places = (self._flipped(trans).transform(points[-2:]) for points, _ in path.iter_segments(simplify=False))
        dots = "".join(f"M{_short(x)} {_short(y)}h0" for x, y in places if np.isfinite([x, y]).all())
        self._add(f'fill="none" {colour} stroke-width="{size}" stroke-linecap="round"', dots)

    def draw_text(self, gc, x, y, s, prop, angle, ismath=False, mtext=None):
        anchor = ""
        if mtext and (not angle or mtext.get_rotation_mode() == "anchor"):
            # Another font may be shown than was measured, so what is centred is to stay centred.
            at = self._flipped(mtext.get_transform()).transform(mtext.get_unitless_position())
            down = np.array([np.sin(np.radians(angle)), np.cos(np.radians(angle))])
            x, y = at + ((x, y) - at) @ down * down
            anchor = ANCHORS[mtext.get_ha()]
        look = [f'x="{_short(x)}" y="{_short(y)}"']
        size = self.points_to_pixels(prop.get_size_in_points())
        look += [f'font-size="{_short(size)}"'] * (abs(size - SMALL) > 0.05)
        look += [f'text-anchor="{anchor}"'] * (anchor not in ("", "start"))
        look += ['font-weight="600"'] * (prop.get_weight() == "bold")
        look += ['font-style="italic"'] * (prop.get_style() == "italic")
        look += [f'fill-opacity="{_short(gc.get_alpha(), 2)}"'] * (gc.get_alpha() < 1)
        look += [f'transform="rotate({_short(-angle)} {_short(x)} {_short(y)})"'] * bool(angle)
        self._add("", f"<text {' '.join(look)}>{escape(s, quote=False)}</text>")

    def draw_image(self, gc, x, y, im, transform=None):
        corners = [(0, 0), (1, 1)] if transform else [(0, 0), im.shape[1::-1]]
        place = (transform or Affine2D()) + Affine2D().translate(x, y)
        (left, top), (right, bottom) = self._flipped(place).transform(corners)
        rows = im if top < bottom else im[::-1]
        size = f'width="{_short(right - left)}" height="{_short(abs(bottom - top))}"'
        box = f'x="{_short(left)}" y="{_short(min(top, bottom))}" {size}'
        address = f"data:image/png;base64,{b64encode(_png(rows)).decode()}"
        self._add("", f'<image {box} preserveAspectRatio="none" href="{address}"/>')

    def _flipped(self, transform):
        return transform + Affine2D().scale(1, -1).translate(0, self.height)

    def _add(self, look, data):
        if look and self._shapes and self._shapes[-1][0] == look:
            data = self._shapes.pop()[1] + data
        if data:
            self._shapes.append((look, data))

    def _look(self, gc, face):
        """Return the attributes of a path."""
        alpha = gc.get_alpha() if gc.get_forced_alpha() else None
        look = [_paint("fill", face if face is not None and to_rgba(face)[3] else None, alpha)]
        if gc.get_linewidth() and (alpha or gc.get_rgb()[3]):
            look.append(_paint("stroke", gc.get_rgb(), alpha))
            width = self.points_to_pixels(gc.get_linewidth())
            look += [f'stroke-width="{_short(width)}"'] * (abs(width - 1) > 0.05)
            _, dashes = gc.get_dashes()
            if dashes is not None:
                steps = " ".join(_short(self.points_to_pixels(dash)) for dash in dashes)
                look.append(f'stroke-dasharray="{steps}"')
            look += CAPS[gc.get_capstyle()]
            look += ['stroke-linejoin="round"'] * (gc.get_joinstyle() == "round")
        return " ".join(look)

    def _data(self, path, transform, clip, simplify):
        """Write a path in steps from one place to the next, in tenths of a pixel."""
        pieces, at = [], np.zeros(2)
        for points, code in path.iter_segments(transform, clip=clip, simplify=simplify):
            if code == Path.CLOSEPOLY:
                pieces.append("z")
                continue
            points = np.round(np.reshape(points, (-1, 2)) * (1, -1) + (0, self.height), 1)
            pieces.append(_step(LETTERS[code], points, at))
            at = points[-1]
        return "".join(pieces)


def _png(image):
    """Write an image of at most 256 colours with a palette, a byte for each pixel."""
    from PIL import Image

    colours, places = np.unique(image.reshape(-1, 4), axis=0, return_inverse=True)
    indices = Image.fromarray(places.reshape(image.shape[:2]).astype(np.uint8), mode="P")
    indices.putpalette(colours[:, :3].tobytes())
    file = BytesIO()
    indices.save(file, format="png", optimize=True, transparency=colours[:, 3].tobytes())
    return file.getvalue()


def _step(letter, points, at):
    if letter == "M":
        return "M" + _list(points)
    (right, down), *_ = steps = np.round(points - at, 1)
    if letter == "l" and not (right and down):
        return f"v{_short(down)}" if not right else f"h{_short(right)}"
    return letter + _list(steps)


def _list(numbers):
    return " ".join(map(_short, np.ravel(numbers))).replace(" -", "-")


def _short(number, digits=1):
    """Write a number as briefly as SVG allows: `12`, `.5`, `-3.1`."""
    text = f"{number:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def _paint(kind, colour, alpha):
    """Return the attributes of a colour; the colour of text is that of the page."""
    if colour is None:
        return NOTHING
    *channels, own = to_rgba(colour)
    alpha = own if alpha is None else alpha
    name = "currentColor" if np.allclose(channels, TEXT_COLOUR) else to_hex(channels)
    return f'{kind}="{name}"' + (f' {kind}-opacity="{_short(alpha, 2)}"' if alpha < 1 else "")
