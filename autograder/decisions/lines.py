"""Where something stands in a TOML file, so that what is wrong can be told with its line."""

import re

HEADER = re.compile(r"^\s*(\[\[?)\s*(.+?)\s*\]\]?\s*(?:#.*)?$")


def line_of(text: str, table: str, place: int = 0, key: str = "") -> int:
    """Return the number of the line in which a key of a table stands, that of the table's heading without such a key.

    Parameters
    ----------
    text : str
        Of the file.
    table : str
        As in ``units.02_masking``; empty for the keys above all tables.
    place : int
        Of several tables of this name, such as ``[[extensions]]``, which one; the first is 0.
    key : str
        Empty for the table itself.

    Returns
    -------
    int
        From 1 on; 1 where the file says it in another way.
    """
    here, count, found = "", -1, 1
    for number, line in enumerate(text.splitlines(), start=1):
        heading = HEADER.match(line)
        if heading:
            here = plain(heading[2])
            count += here == table
            if here == table and count == place:
                found = number
        elif here == table and count in (place, -1) and key and _begins_with(line, key):
            return number
    return found


def plain(name: str) -> str:
    """Return the name of a table without quotation marks and spaces around its dots."""
    return ".".join(part.strip().strip("\"'") for part in name.split("."))


def _begins_with(line, key):
    return re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]", line) is not None
