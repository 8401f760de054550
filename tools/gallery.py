"""Put every picture of the solved notebooks on one page, on light and on dark ground and on a phone: `make pictures`.

Whoever changes how pictures look sees here what it does to all of them.
"""

import argparse
import re
from html import escape
from pathlib import Path

from autograder.registry import units
from tools.kernels import executed, outputs

THEMES = {"light": "background: #fff; color: #1a1a1a", "dark": "background: #111; color: #dedede"}
THEMES["phone"] = f"{THEMES['light']}; flex: 0 0 360px; padding: 8px"
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>All pictures of the course</title>
<style>
body {{ margin: 0; font: 14px/1.4 system-ui, sans-serif }}
section {{ display: flex; width: 2400px }}
section > div {{ flex: 1; min-width: 0; padding: 8px 16px; box-sizing: border-box }}
{}
</style>
<main>{}</main></html>
"""


def pictures(notebook):
    """Return the pictures of a notebook that was run, with the ids of their cells."""
    pages = ((cell, output.get("data", {}).get("text/html", "")) for cell, output in outputs(notebook))
    return [(cell, page) for cell, page in pages if "<img " in page]


def kilobytes(page):
    """Say how large the pictures of an output are."""
    parts = re.split("(?=<img )", page)[1:]
    return ", ".join(f"{len(part) / 1000:.1f}" for part in parts) + " kB"


def section(cell, page):
    """Show a picture in every theme, and on a phone."""
    heading = f"<small>{escape(cell)}, {kilobytes(page)}</small>"
    return f"<section>{''.join(f'<div class={theme!r}>{heading}{page}</div>' for theme in THEMES)}</section>"


def main():
    """Run the notebooks and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("pictures.html"), help="the page, pictures.html")
    parser.add_argument("--unit", action="append", help="the beginning of a unit's name, such as 04; all otherwise")
    options = parser.parse_args()
    parts = []
    for unit in units():
        if unit.id.startswith(tuple(options.unit or [""])):
            shown = pictures(executed(unit.id, "solutions"))
            print(f"{unit.id}: {len(shown)} outputs with pictures, {sum(len(page) for _, page in shown) / 1000:.0f} kB")
            parts += [f"<h2>{unit.id}</h2>", *(section(*each) for each in shown)]
    rules = "\n".join(f"section > .{theme} {{ {look} }}" for theme, look in THEMES.items())
    options.output.write_text(PAGE.format(rules, "".join(parts)), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
