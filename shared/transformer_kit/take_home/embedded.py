"""The files that the programs need, at the end of the file that a learner takes home, as comments."""

from base64 import b85decode, b85encode
from functools import cache
from pathlib import Path

HEAD = "# file "
LETTERS = 116  # in a line


@cache
def content(name):
    """Return what was put at the end of this file under a name; see `transformer_kit.content`."""
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    if f"{HEAD}{name}" not in lines:
        here = Path(__file__).name
        raise ValueError(f"the end of {here} is gone, where the numbers of the models were: write it again")
    start = lines.index(f"{HEAD}{name}") + 1
    end = next((i for i in range(start, len(lines)) if lines[i].startswith(HEAD)), len(lines))
    return b85decode("".join(line[2:] for line in lines[start:end]))


def as_comments(name, data):
    """Return the lines in which `content` finds some bytes under a name.

    Parameters
    ----------
    name : str
    data : bytes

    Returns
    -------
    str
    """
    text = b85encode(data).decode()
    lines = [text[start : start + LETTERS] for start in range(0, len(text), LETTERS)]
    return "\n".join([f"{HEAD}{name}", *(f"# {line}" for line in lines), ""])
