"""Reads a roster as Canvas, Moodle, Brightspace, Blackboard, ILIAS or a spreadsheet writes it.

The names of its columns tell what is in them. Columns of points are left out.
"""

import codecs
import csv
import re
from collections import defaultdict
from pathlib import Path

from autograder.grading.intake.find.ilias import folder_name
from autograder.grading.intake.find.platforms import CANVAS, MOODLE
from autograder.grading.intake.find.roster import Person

COLUMNS = {
    "name": ("student", "name", "fullname", "studentname"),
    "first": ("firstname", "givenname"),
    "last": ("lastname", "surname", "familyname"),
    "username": ("username", "sisloginid", "loginid", "login", "userid", "netid"),
    "number": ("id", "studentid", "sisuserid", "idnumber", "orgdefinedid", "studentnumber"),
    "email": ("emailaddress", "email", "mail"),
    "section": ("section", "sections", "group", "groups", "class"),
    "identifier": ("identifier",),
    "ilias": ("usrid",),
    "kept": ("status", "notice", "comment"),  # of ILIAS, which wants to see them again
    "team": ("team", "teams", "pair", "pairs"),
}
WHO = ("name", "first", "last", "username", "number", "email", "identifier")
NOBODY = ("points possible", "student, test")  # rows of Canvas
EXPECTED = "expected a column such as Student, Name, First name and Last name, Username, Email address or ID"


def read_roster(path: str | Path, together: str = "") -> list[Person]:
    """Return the people in a roster, in their order.

    Parameters
    ----------
    path : path
        Of a file with commas, semicolons or tabs between its columns.
    together : str
        Heading of the column in which those who hand in together have the same entry; *Team* or *Pair* when empty.

    Raises
    ------
    ValueError
        If no column tells who somebody is, or nobody is in it.
    """
    header, *rows = _rows(path)
    if together and together not in header:
        raise ValueError(f"{path} has no column {together}; it has {', '.join(header)}")
    fields = ["team" if name == together else _field(name) for name in header]
    if "ilias" not in fields:
        fields = ["" if field == "kept" else field for field in fields]
    if not set(fields) & set(WHO):
        raise ValueError(
            f"{path} does not say who is in the class: {EXPECTED}, and found {', '.join(header) or 'none'}"
        )
    is_canvas = [_plain(name) for name in header[:2]] == ["student", "id"]
    people = [person for row in rows if (person := _person(row, fields, header, is_canvas))]
    if not people:
        raise ValueError(f"{path} has the columns of a roster, and nobody in it")
    return people


def headings(path: str | Path) -> list[str]:
    """Return the headings of a roster's columns that say nothing of who somebody is: on a platform, those of points."""
    return [name for name in _rows(path)[0] if not _field(name)]


def _rows(path):
    """Return the lines of a roster, the headings first."""
    text = decoded(Path(path).read_bytes())
    first = text.partition("\n")[0]
    return list(csv.reader(text.splitlines(), delimiter=max(",;\t", key=first.count))) or [[]]


def decoded(content: bytes) -> str:
    """Return the text of a table, in the encoding in which platforms and spreadsheets write it."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # Blackboard's
        return content.decode("utf-16")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:  # a spreadsheet's
        return content.decode("cp1252", errors="replace")


def _plain(header):
    return re.sub(r"[^a-z0-9]", "", header.casefold())


def _field(header):
    return next((field for field, names in COLUMNS.items() if _plain(header) in names), "")


def _person(row, fields, header, is_canvas):
    """Return the Person in a row; None if nobody is in it."""
    entries = defaultdict(list)
    for field, value in zip(fields, row, strict=False):
        value = value.strip().lstrip("#'")  # as Brightspace and spreadsheets mark what is no number
        if field and value:
            entries[field].append(value)
    first, last = (" ".join(entries[field]) for field in ("first", "last"))
    name = " ".join(entries["name"]) or f"{first} {last}".strip()
    if not any(entries[field] for field in WHO) or name.casefold() in NOBODY:
        return None
    email = entries["email"][:1]
    spoken = _first_name_first(name)
    if "," in name and not (first or last):
        last, first = (part.strip() for part in name.split(",", 1))
    others = (*entries["username"], *email, *(address.partition("@")[0] for address in email), *entries["number"])
    if entries["ilias"]:
        others += (folder_name(last, first, " ".join(entries["username"]), entries["ilias"][0]),)
    identifier = re.sub(r"\D", "", "".join(entries["identifier"]))  # such as "Participant 4711"
    numbers = {MOODLE: identifier} if identifier else {}
    if is_canvas and entries["number"]:
        numbers[CANVAS] = entries["number"][0]
    names = dict.fromkeys([*filter(None, (spoken, *_last_name_first(spoken, last))), *others, *entries["identifier"]])
    return Person(
        name=next(filter(None, [*entries["username"], spoken, *names])),
        names=tuple(names),
        numbers=numbers,
        section=", ".join(entries["section"]),
        team=", ".join(entries["team"]),
        first=first,
        last=last,
        email=next(iter(email), ""),
        cells={heading: value for heading, field, value in zip(header, fields, row, strict=False) if field and value},
    )


def _first_name_first(name):
    """Return "Ann Lee" for "Lee, Ann"."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma else name


def _last_name_first(name, last):
    """Return the name with the last name first, which may have several words."""
    *first, end = name.split() or [""]
    turned = [f"{end} {' '.join(first)}"]
    return [*turned, f"{last} {name.removesuffix(last)}"] if last else turned
