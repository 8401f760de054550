"""The class of docs/own.md: what the page says stands in its files."""

import re

from tools.course import ROOT

UNIT = "06_feed_forward"
PAGE = (ROOT / "docs" / "own.md").read_text(encoding="utf-8")
SHOWN = re.findall(rf"`own/{UNIT}/(\w+\.py)`.*?\n```python\n(.*?)^```", PAGE, re.S | re.M)


def write_own(root, **changed):
    """Write the folder of the page into that of a class; `changed` has other texts by names, None for no such file."""
    folder = root / "own" / UNIT
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (dict(SHOWN) | {f"{name}.py": text for name, text in changed.items()}).items():
        if text is not None:
            (folder / name).write_text(text, encoding="utf-8")
    return folder
