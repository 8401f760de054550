"""The student, the unit and the attempt that names of files and folders hold, as far as they do."""

import contextlib
import datetime
import hashlib
import re
import unicodedata
from dataclasses import dataclass, replace
from functools import cache, lru_cache

# as learning platforms name what they export
MOODLE = re.compile(r"(?P<student>.+?)_(?P<account>\d+)_assignsubmission_[a-z]+(?:_(?P<rest>.*))?", re.DOTALL)
CANVAS = re.compile(
    r"(?P<student>[^_]+)(?P<late>_LATE)?_(?P<account>\d+)_(?:\d{5,}_(?P<rest>.+)|(?:text|link)\.html)", re.DOTALL
)
BLACKBOARD = re.compile(
    r"(?:(?P<account>.*?)_)?(?P<student>[^_]+)_attempt_(?P<time>\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)(?:_(?P<rest>.*)|\.txt)?",
    re.DOTALL,
)
BRIGHTSPACE = re.compile(
    r"(?P<account>\d+-\d+) - (?P<student>.+?) - (?P<date>[^-_]*\b\d{4}\b[^-_]*?)(?: - (?P<rest>.+))?", re.DOTALL
)
ANONYMOUS = re.compile(  # Canvas's, where the names are hidden from those who grade
    r"(?P<late>LATE_)?(?P<student>anon_(?P<account>[^\W_]+))_(?:\d+_(?P<rest>.+)|(?:text|link)\.html)", re.DOTALL
)
PLATFORMS = (("Moodle", MOODLE), ("Canvas", CANVAS), ("Blackboard", BLACKBOARD))
UNMISTAKABLE = (("Brightspace", BRIGHTSPACE), ("Canvas", ANONYMOUS))  # from their first character on
TIME = "%Y-%m-%d-%H-%M-%S"  # Blackboard's
DATE = "%b %d, %Y %I%M %p"  # Brightspace's, such as "Sep 24, 2024 926 PM", with a 0 before the 9
PARTICIPANT = re.compile(  # in place of a name, where Moodle's marking is blind
    r"participant|participante|partecipante|teilnehmerin|deelnemer|deltaker|deltagare|osallistuja|uczestnik",
    re.IGNORECASE,
)
# what people add to the name of a file, and how they name folders that belong to nobody
VERSION = re.compile(r"[\W_]*+(?:(?:copy|kopie|version|attempt|v)[\W_]*+)?(\d{1,3})[\W_]*+", re.IGNORECASE)
NOBODY = re.compile(
    r"all|archive|assign(ment)?s?|attempts?|backups?|class(es)?|cop(y|ies)|course|downloads?|ex|exercises?|final|"
    r"homeworks?|hw|labs?|late|lectures?|modules?|new|notebooks?|old|problems?|projects?|psets?|sections?|sessions?|"
    r"sets?|sheets?|solutions?|students|submissions?|submitted|tasks?|units?|untitled|uploads?|v|versions?|weeks?",
    re.IGNORECASE,
)
ENDING = re.compile(r"\.(?:zip|ipynb(?:\.\w+)?)$", re.IGNORECASE)
MAX_ID = 96  # bytes
# letters and marks that nobody sees, by Unicode's property Default_Ignorable_Code_Point
UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)  # not allowed by Windows


@dataclass(frozen=True)
class Label:
    """What the name of one folder, zip or file says.

    Attributes
    ----------
    people : tuple of str
        Names that may be a person's; the first one is the likeliest.
    platform : str
        "Moodle", "Canvas", "Blackboard" or "Brightspace"; then the name is the student's for certain.
    account : str
        The platform's number of the student; Brightspace's two numbers; of Blackboard, which has none, what stands
        before the user's name and may hold the beginning of it.
    time : str
        When it was handed in, as Blackboard writes it.
    late : bool
        Whether the platform marked it as late.
    rest : str
        What the platform has kept of the name that the student gave.
    group : str
        Of students who hand in together.
    is_anonymous : bool
        Whether a number stands in place of the name, which is that of one assignment alone.
    """

    people: tuple[str, ...]
    platform: str = ""
    account: str = ""
    time: str = ""
    late: bool = False
    rest: str = ""
    group: str = ""
    is_anonymous: bool = False

    @property
    def is_participant(self):
        """Whether Moodle's word for a participant stands in place of the name."""
        return self.platform == "Moodle" and bool(PARTICIPANT.fullmatch(self.people[0]))

    def numbered(self):
        """Return the same of somebody who is known by a number only."""
        return replace(self, people=(f"{self.people[0]} {self.account}",), is_anonymous=True)


def label(part, units, is_file=False):
    """Read one part of a path.

    Parameters
    ----------
    part : str
    units : iterable of str
        Ids.
    is_file : bool
        Whether it is the name of a notebook, in which more than a name may stand.

    Returns
    -------
    Label
    """
    part = plain(part)
    fields = _exported(part)
    if fields:
        exported = Label((fields.pop("student"),), **fields)
        return exported.numbered() if exported.is_participant else exported
    unit = _unit_in((part,), units)
    before, _, after = _around(unit, part) if is_file else (part, 0, "")
    return Label(tuple(_people((before.strip(" _-"), after.strip(" _-")) if is_file else (part,), unit)))


def unit_and_version(path, units):
    """Return the id of the unit that a notebook's path holds, empty for none, and the number of the version.

    Parameters
    ----------
    path : tuple of str
    units : iterable of str
        Ids.

    Returns
    -------
    unit : str
    number : int
        It distinguishes versions of one file, such as 2 in ``name (2).ipynb``.
    """
    path = [plain(part) for part in path]
    rest = _exported(path[-1]).get("rest") or path[-1]
    unit = _unit_in((rest, *reversed(path)), units)
    return unit, _around(unit, rest)[1]


def plain(part):
    """Return one part of a path without its ending, and with letters as Windows codes them: macOS decomposes them."""
    return ENDING.sub("", unicodedata.normalize("NFC", part))


def _exported(part):
    """Return the fields in the name of a file or folder that a platform exported; empty for any other name."""
    for platform, pattern in UNMISTAKABLE:
        if match := pattern.fullmatch(part):
            return _fields(platform, match.groupdict(""))
    matches = ((platform, pattern.fullmatch(part)) for platform, pattern in PLATFORMS)
    found = [(match.span("student"), platform, match.groupdict("")) for platform, match in matches if match]
    if not found:
        return {}
    _, platform, fields = min(found, key=lambda one: one[0])  # what follows can be a student's joke
    return _fields(platform, fields)


def _fields(platform, fields):
    """Return the fields of a Label, with the student."""
    date = fields.pop("date", "")
    fields = {"platform": platform, "rest": "", "time": "", "account": ""} | fields | {"late": bool(fields.get("late"))}
    if fields["student"].startswith("anon_"):
        fields["is_anonymous"] = platform == "Canvas"
    with contextlib.suppress(ValueError):  # a date as they write it elsewhere
        *day, time, half = date.replace("Sept ", "Sep ").split()
        when = datetime.datetime.strptime(" ".join([*day, f"{time:0>4}", half]), DATE)
        fields["time"] = when.strftime(TIME)
    return fields


def _people(names, unit):
    """Yield what may be the names of people, without the unit's id and what people write around it."""
    for name in names:
        own = _pattern(unit).sub("", name) if unit else name
        own = own if own == name else own.strip(" _-")
        if not is_nobody(own):
            yield own


def is_nobody(name):
    """Return whether a name consists of words that name no person, and of numbers too short for an account."""
    words = re.findall(r"[^\W\d_]+|\d+", name)
    known = all(len(word) < 4 if word.isdecimal() else NOBODY.fullmatch(word) for word in words)
    return known and bool(words or not name.strip())


@cache
def _pattern(unit):
    """Return the pattern of a unit's id, however its words are joined."""
    return re.compile(r"(?<!\d)" + r"[\W_]*+".join(map(re.escape, unit.split("_"))), re.IGNORECASE)


def _unit_in(parts, units):
    """Return the unit that the first of several names holds."""
    parts_with = ((part, unit) for part in parts for unit in units if unit.partition("_")[0] in part)  # fast
    return next((unit for part, unit in parts_with if _pattern(unit).search(part)), "")


def _around(unit, stem):
    """Return what stands before the unit in a file's name, the number of the version, and what else stands after it.

    A browser puts the folder before the name, so the unit can stand there twice: ``02_name_02_name (1).ipynb``.
    """
    pattern = _pattern(unit).pattern
    found = re.search(rf"{pattern}(?:[\W_]*+{pattern})*", stem, re.IGNORECASE) if unit else None
    before, after = (stem[: found.start()], stem[found.end() :]) if found else (stem, "")
    version = VERSION.fullmatch(after)
    return (before, int(version[1]), "") if version else (before, 0, after)


@lru_cache(maxsize=4096)
def student_id(name):
    """Turn a name into an id that nbgrader, file systems and tables accept unchanged.

    Digits and letters of every script stay, and so do `.`, `_`, `-` and `@` inside.
    """
    text = UNSEEN.sub("", name).strip()
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
