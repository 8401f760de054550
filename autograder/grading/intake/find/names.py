"""The student, the unit and the version that names of files and folders hold, as far as they do."""

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from autograder.grading.intake.find.platforms import Label, read_export

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
# what programs and people write for an apostrophe, of which Unicode takes some for letters
APOSTROPHES = re.compile("[`´‘’‛′＇՚ʹʻʼʽʾʿˈˊˋꞋꞌ]")  # noqa: RUF001
DOTLESS = "ı", "i"  # noqa: RUF001 - a capital I is that of both
RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)  # not allowed by Windows


def label_of(name: str, units: Sequence[str], is_file: bool = False) -> Label:
    """Return what one part of a path says: a student, perhaps a platform, a time and more.

    Parameters
    ----------
    name : str
    units : sequence of str
        Ids.
    is_file : bool
        Whether it is the name of a notebook, in which more than a name may stand.
    """
    stem = stem_of(name)
    if exported := read_export(stem):
        return exported
    unit = _unit_in((stem,), units)
    if not is_file:
        return Label(tuple(_people((stem,), unit)))
    before, _, after = _around(unit, stem)
    return Label(tuple(_people((before.strip(" _-"), after.strip(" _-")), unit)))


def unit_and_version(path: Sequence[str], units: Sequence[str]) -> tuple[str, int]:
    """Return the id of the unit that a notebook's path holds, empty for none, and the number of the version.

    The number distinguishes versions of one file, such as 2 in ``name (2).ipynb``. `units` are ids.
    """
    stems = [stem_of(part) for part in path]
    exported = read_export(stems[-1])
    student_part = (exported and exported.rest) or stems[-1]
    unit = _unit_in((student_part, *reversed(stems)), units)
    return unit, _around(unit, student_part)[1]


def stem_of(name: str) -> str:
    """Return a name without its ending, and with letters as Windows codes them: macOS decomposes them."""
    return ENDING.sub("", unicodedata.normalize("NFC", name))


def spelled(name: str) -> str:
    """Return a name with the letters, apostrophes and spaces of one keyboard: programs put others in their place."""
    text = APOSTROPHES.sub("'", unicodedata.normalize("NFC", name))
    return " ".join(text.split())


def key_of(name: str) -> str:
    """Return what is left of a name in every export: its letters and digits, without case."""
    letters = unicodedata.normalize("NFKC", spelled(name)).casefold().replace(*DOTLESS)
    return "".join(filter(str.isalnum, letters))


def words_of(name: str) -> list[str]:
    """Return the words of a name, without case and accents."""
    letters = (c for c in unicodedata.normalize("NFKD", spelled(name)).casefold() if not unicodedata.combining(c))
    return re.findall(r"[^\W_]+", "".join(letters).replace(*DOTLESS))


def is_nobody(name: str) -> bool:
    """Return whether a name consists of words that name no person, and of numbers too short for an account."""
    words = re.findall(r"[^\W\d_]+|\d+", name)
    all_known = all(len(word) < 4 if word.isdecimal() else NOBODY.fullmatch(word) for word in words)
    return all_known and bool(words or not name.strip())


def _people(names: Sequence[str], unit: str) -> Iterator[str]:
    """Yield what may be the names of people, without the unit's id and what people write around it."""
    for name in names:
        rest = _pattern(unit).sub("", name) if unit else name
        rest = rest if rest == name else rest.strip(" _-")
        if not is_nobody(rest):
            yield rest


@cache
def _pattern(unit: str) -> re.Pattern[str]:
    """Return the pattern of a unit's id, however its words are joined."""
    return re.compile(r"(?<!\d)" + r"[\W_]*+".join(map(re.escape, unit.split("_"))), re.IGNORECASE)


def _unit_in(names: Sequence[str], units: Sequence[str]) -> str:
    """Return the unit that the first of several names holds."""
    possible = ((name, unit) for name in names for unit in units if unit.partition("_")[0] in name)  # fast
    return next((unit for name, unit in possible if _pattern(unit).search(name)), "")


def _around(unit: str, stem: str) -> tuple[str, int, str]:
    """Return what stands before the unit in a file's name, the number of the version, and what else stands after it.

    A browser puts the folder before the name, so the unit can stand there twice: ``02_name_02_name (1).ipynb``.
    """
    pattern = _pattern(unit).pattern
    match = re.search(rf"{pattern}(?:[\W_]*+{pattern})*", stem, re.IGNORECASE) if unit else None
    before, after = (stem[: match.start()], stem[match.end() :]) if match else (stem, "")
    version = VERSION.fullmatch(after)
    return (before, int(version[1]), "") if version else (before, 0, after)


@lru_cache(maxsize=4096)
def student_id(name: str) -> str:
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


def digest(text: str) -> str:
    """Return six characters that stand for a text."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:6]
