"""What people write beside their name into the name of a file: the unit in short, the number of a copy.

The unit is known from what is in the notebook, so its short forms can be told from a name: ``ann_unit01``, ``HW2 - Bo
Lee``, ``carl_02``, ``dora_positional_encoding``.
"""

import re
from functools import lru_cache

# words that stand before the number of a unit, or of whatever else the course counts
WORDS = (
    r"units?|home[\W_]?works?|hw|weeks?|wk|labs?|assignments?|assign|asgn|exercises?|exercice|ex|problem[\W_]?sets?|"
    r"psets?|ps|tasks?|chapters?|ch|modules?|sessions?|lectures?|lessons?|notebooks?|nb|projects?|parts?|sheets?|"
    r"einheit|aufgaben?|hausaufgaben?|ha|(?:ü|ue)bung(?:sblatt|en)?|blatt|woche|kapitel|td|tp|devoir|semaine|unité|"
    r"unidad|tarea|semana|ejercicio|[uw]"
)
LONE = r"home[\W_]?works?|hw|assignments?|exercises?|solutions?|submissions?|notebooks?|units?|final|draft|copy|kopie"
COPY = r"(?<=\()\d{1,3}\)|(?:copy|kopie|copia|copie)[\W_]*+\d{0,3}|(?:v|version|attempt)[\W_]?\d{1,3}"
COPY_OF = r"(?:copy[\W_]+of|kopie[\W_]+von|copia[\W_]+de|copie[\W_]+de)"
BEFORE = r"(?:(?<![^\W_])|(?<=[a-z])(?=[A-Z]))"  # where a word begins, also in annUnit1
AFTER = r"(?![^\W_])"
STATE = r"(?:final|drafts?|solutions?)"  # of the work, beside a name
STATES = re.compile(rf"^(?:{STATE}[\W_]+)+|(?<![\W_])(?:[\W_]+{STATE})+[\W_]*$", re.IGNORECASE)
ANY_NUMBER = re.compile(r"^\d{1,3}[\W_]+(?=[^\W\d_])|(?<=[^\W_])[\W_]+\d{1,3}$")
LETTER = re.compile(r"[^\W\d_]\d+")  # such as u1, who may be somebody
MAX_NAME = 150  # characters
MAX_FORMS = 4  # in one name


def without_forms(name: str, unit: str = "", bare: bool = True) -> str:
    """Return a name without what says the unit in short, or that this is a copy.

    Parameters
    ----------
    name : str
        Of a file, folder or zip, without its ending.
    unit : str
        Id of the unit of what is in it; empty where that is not known.
    bare : bool
        Whether the number of the unit alone is taken off, too.

    Returns
    -------
    str
        Empty where nothing else stands in it.
    """
    if len(name) > MAX_NAME:
        return name
    at_start, at_end = _patterns(unit, bare)
    rest = name
    for _ in range(MAX_FORMS):
        rest = at_start.sub("", at_end.sub("", rest))
    if rest == name or LETTER.fullmatch(name):
        return name
    return rest.strip(" _-.,#()[]")


def without_state(name: str) -> str:
    """Return a name without what says at its ends how far the work is, unless nothing else stands in it."""
    return STATES.sub("", name) or name


def without_number(name: str) -> str:
    """Return a name without a number at its beginning or end, that stands by itself; empty if it has none."""
    rest = ANY_NUMBER.sub("", name)
    return rest if rest != name else ""


@lru_cache(maxsize=64)
def _patterns(unit, bare):
    """Return the patterns of what is taken off at the beginning of a name, and at its end."""
    number, _, title = unit.partition("_")
    forms = [rf"(?i:{WORDS})[\W_]{{0,3}}\d{{1,3}}"]
    if title:
        joined = r"[\W_]*".join(map(re.escape, title.split("_")))
        forms.append(rf"(?:0{{0,2}}{int(number)}[\W_]*)?(?i:{joined})")
    if title and bare:
        forms.append(rf"0{{0,2}}{int(number)}")
    form = rf"{BEFORE}(?:{'|'.join(forms)}){AFTER}"
    lone = rf"{BEFORE}(?i:{LONE}){AFTER}"
    whole = rf"(?:{lone}[\W_]++){{0,3}}{form}(?:[\W_]++{lone}){{0,3}}"
    at_start = rf"^[\W_]*+(?:{BEFORE}(?i:{COPY_OF})|{whole})[\W_]*+"
    at_end = rf"(?<![\W_])[\W_]*+(?:{whole}|(?i:(?<![^\W_])(?:{COPY})))[\W_]*+$"
    return re.compile(at_start), re.compile(at_end)
