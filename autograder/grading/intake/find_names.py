"""Whose a file is, of which unit, and which attempt, as far as its name tells."""

import hashlib
import re
import unicodedata
from dataclasses import dataclass

# as learning platforms name what they export
MOODLE = re.compile(r"(?P<student>.+?)_(?P<account>\d+)_assignsubmission_[a-z]+(?:_(?P<rest>.*))?", re.DOTALL)
CANVAS = re.compile(r"(?P<student>[^_]+)(?P<late>_LATE)?_(?P<account>\d+)_\d{5,}_(?P<rest>.+)", re.DOTALL)
BLACKBOARD = re.compile(
    r"(?:.*?_)?(?P<student>[^_]+)_attempt_(?P<time>\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)(?:_(?P<rest>.*))?", re.DOTALL
)
PLATFORMS = {"Moodle": MOODLE, "Canvas": CANVAS, "Blackboard": BLACKBOARD}
# what people add to the name of a file, and how they name folders that are nobody's
VERSION = re.compile(r"[\W_]*(?:copy|kopie|version|attempt|v)?[\W_]*(\d{1,3})[\W_]*", re.IGNORECASE)
NOBODY = re.compile(
    r"all|archive|assign(ment)?s?|attempts?|backups?|cop(y|ies)|course|downloads?|exercises?|final|homeworks?|hw|new|"
    r"notebooks?|old|solutions?|submissions?|submitted|unit|untitled|uploads?|v|versions?|week",
    re.IGNORECASE,
)
ENDING = re.compile(r"\.(?:zip|ipynb(?:\.\w+)?)$", re.IGNORECASE)
MAX_ID = 96  # bytes
RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)  # no names for files in Windows


@dataclass(frozen=True)
class Name:
    """What a path tells.

    Attributes
    ----------
    owners : tuple of str
        Names that can be the student's, the outermost first.
    unit : str
        Id of the unit; empty if no part of the path holds one.
    account : str
        The platform's number of the student.
    platform : str
        "Moodle", "Canvas" or "Blackboard"; then the student is the last of the owners.
    time : str
        When it was handed in, as the platform wrote it.
    number : int
        What tells versions of one file apart, such as 2 in ``name (2).ipynb``.
    late : bool
        Whether the platform marked it as late.
    """

    owners: tuple[str, ...]
    unit: str
    account: str = ""
    platform: str = ""
    time: str = ""
    number: int = 0
    late: bool = False


def name_of(path, units):
    """Read a path.

    Parameters
    ----------
    path : tuple of str
    units : iterable of str
        Ids.

    Returns
    -------
    Name
    """
    path = [ENDING.sub("", unicodedata.normalize("NFC", part)) for part in path]  # macOS takes letters apart
    *folders, stem = path
    if path[1:] in (
        [unit, unit] for unit in units
    ):  # nbgrader's layout: its folder is the student's, whatever its name
        return Name((folders[0],), stem)
    for place, part in enumerate(path):
        told = _exported(part)
        if told:
            student, rest = told.pop("student"), told.pop("rest")
            rest = rest if place == len(folders) else stem
            unit = _unit_in((rest, *reversed(path)), units)
            return Name((*_people(folders[:place], unit), student), unit, number=_around(unit, rest)[1], **told)
    unit = _unit_in(reversed(path), units)
    before, number, after = _around(unit, stem)
    owners = tuple(_people((*folders, before.strip(" _-"), after.strip(" _-")), unit))
    owners = (
        owners or tuple(folder for folder in folders if folder.isdecimal())[:1]
    )  # such as 07.zip of a numbered class
    return Name(tuple(dict.fromkeys(owners)), unit, number=number)


def _exported(part):
    """Return what the name of a file or folder tells if a platform made it; empty if not."""
    matches = ((platform, pattern.fullmatch(part)) for platform, pattern in PLATFORMS.items())
    found = [(match.span("student"), platform, match.groupdict("")) for platform, match in matches if match]
    if not found:
        return {}
    _, platform, told = min(found, key=lambda one: one[0])  # what follows can be a student's joke
    return {"platform": platform, "rest": "", "time": "", "account": ""} | told | {"late": bool(told.get("late"))}


def _people(names, unit):
    """Return what can be the names of people, without the unit's and what people write around it."""
    for name in names:
        own = _pattern(unit).sub("", name) if unit else name
        own = own if own == name else own.strip(" _-")
        if not _is_nobody(own):
            yield own


def _is_nobody(name):
    """Tell whether a name has only words that belong to no person, and numbers too short for one."""
    words = re.findall(r"[^\W\d_]+|\d+", name)
    known = all(len(word) < 4 if word.isdecimal() else NOBODY.fullmatch(word) for word in words)
    return known and bool(words or not name.strip())


def _pattern(unit):
    """Return the pattern of a unit's id, however its words are joined."""
    return re.compile(r"(?<!\d)" + r"[\W_]*".join(map(re.escape, unit.split("_"))), re.IGNORECASE)


def _unit_in(parts, units):
    """Return the unit that the first of several names holds."""
    return next((unit for part in parts for unit in units if _pattern(unit).search(part)), "")


def _around(unit, stem):
    """Return what stands before the unit in a file's name, the number of the version, and what else stands after it.

    A browser puts the folder before the name, so the unit can stand there twice: ``02_name_02_name (1).ipynb``.
    """
    pattern = _pattern(unit).pattern
    found = re.search(rf"{pattern}(?:[\W_]*{pattern})*", stem, re.IGNORECASE) if unit else None
    before, after = (stem[: found.start()], stem[found.end() :]) if found else (stem, "")
    version = VERSION.fullmatch(after)
    return (before, int(version[1]), "") if version else (before, 0, after)


def student_id(name):
    """Turn a name into an id that nbgrader, file systems and tables take as it is.

    Letters of every script and digits stay, and so do `.`, `_`, `-` and `@` inside.
    """
    text = name.strip()
    text = "".join(c if unicodedata.category(c)[0] in "LMN" or c in "._-@" else " " for c in text)
    text = "_".join(text.split()).lstrip("._-@").rstrip(".")
    if not text or RESERVED.fullmatch(text):
        return f"student-{digest(name)}"
    if len(text.encode()) > MAX_ID:
        return text.encode()[: MAX_ID - 7].decode(errors="ignore") + f"-{digest(name)}"
    return text


def digest(text):
    """Return six characters that stand for a text."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:6]
