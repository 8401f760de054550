"""When something was handed in, as nbgrader or a person has written it into a file."""

import codecs
import contextlib
import datetime
import re

from dateutil import parser, tz

from autograder.grading.intake.find.item import Item
from autograder.grading.intake.find.wording import printable

MAX_TIME = 100  # bytes
UNIX = re.compile(r"\d{10}(?:\d{3})?(?:\.\d*)?")  # seconds, or milliseconds
REGION = re.compile(r"\b[A-Z]\w+/[\w/+-]+")  # such as Europe/Berlin
OFFSET = re.compile(r"\b(?:UTC|GMT)(?=[+-]\d)")  # of which `dateutil` would turn the sign
# hours before or after UTC
ZONES: dict[str, float] = {"UTC": 0, "GMT": 0, "Z": 0, "UT": 0}
ZONES |= {"WET": 0, "WEST": 1, "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2}
ZONES |= {"EET": 2, "EEST": 3, "MSK": 3, "TRT": 3, "SAST": 2, "CAT": 2, "WAT": 1, "EAT": 3, "PKT": 5, "NPT": 5.75}
ZONES |= {"NST": -3.5, "NDT": -2.5, "ADT": -3, "EST": -5, "EDT": -4, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8}
ZONES |= {"PDT": -7, "AKST": -9, "AKDT": -8, "HST": -10, "BRT": -3, "ART": -3, "CLT": -4, "CLST": -3, "COT": -5}
ZONES |= {"ICT": 7, "WIB": 7, "HKT": 8, "SGT": 8, "MYT": 8, "AWST": 8, "PHT": 8, "JST": 9, "KST": 9}
ZONES |= {"ACST": 9.5, "ACDT": 10.5, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13}
# those with several meanings, by the one that most people mean; that is told
COMMON = {"CST": -6, "AST": -4, "IST": 5.5, "BST": 1}
DEFAULTS = datetime.datetime(2001, 1, 1), datetime.datetime(2002, 2, 2)  # for a date of which a part is missing

YEAR_FIRST = re.compile(r"\s*\d{4}\D")  # then the month follows
ORDERS = {"dayfirst": True}, {"yearfirst": True}, {"dayfirst": True, "yearfirst": True}
A_DAY = datetime.timedelta(days=1)  # what a time without its zone may be off


def time_in(item: Item) -> tuple[str, str]:
    """Return the time in a file such as nbgrader's ``timestamp.txt``.

    Returns
    -------
    time : str
        In ISO 8601, in UTC; a time without a zone is taken as UTC, as nbgrader does. Empty if none can be read.
    remark : str
        What has to be said of it, if anything.
    """
    text = ""
    try:
        if item.size > MAX_TIME:
            raise ValueError("too long for a time")
        text = _text(item.read())
        assumptions: list[str] = []
        time = _utc(_parsed(text, assumptions))
        if datetime.datetime.fromisoformat(time) > now() + A_DAY:
            assumptions.append("this time is in the future, and was taken as it is")
        return time, " ".join(f"{item.where}: {assumption}." for assumption in assumptions)
    except Exception:  # the file may hold anything, and so the parser may raise anything
        content = f"“{printable(text)}”" if text else "it is empty" if item.size == 0 else "it holds something else"
        return "", (
            f"{item.where}: no time can be read in it ({content}), so it is not known when this was handed in. "
            "Write it as 2026-11-20 10:00:00 UTC."
        )


def time_of(text: str, form: str) -> str:
    """Return the time in the name of a file, empty if there is none; `form` is as `datetime.strptime` takes it."""
    try:
        return _utc(datetime.datetime.strptime(text, form))
    except ValueError:
        return ""


def time_without_zone(text: str, zone: datetime.tzinfo) -> str:
    """Return the time in a text, in ISO 8601 and UTC; empty if none can be read."""
    try:
        time = _parsed(text, [])
        return _utc(time if time.tzinfo else time.replace(tzinfo=zone))
    except (ValueError, OverflowError):
        return ""


def _text(content):
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))  # as PowerShell writes it
    return content.decode("utf-16" if wide else "utf-8-sig").strip(" \t\r\n\0")


def _parsed(text, assumptions):
    """Return the time in a text; `assumptions` gets what was assumed of its zone and its date."""
    if UNIX.fullmatch(text):
        number = float(text)
        return datetime.datetime.fromtimestamp(number / (1000 if number > 1e11 else 1), datetime.UTC)
    region = REGION.search(text)
    zone = tz.gettz(region[0]) if region else None
    if region and not zone:
        raise ValueError(region[0])
    text = OFFSET.sub("", REGION.sub("", text))
    with contextlib.suppress(KeyError):
        times = {parser.parse(text, default=default, tzinfos=_zone) for default in DEFAULTS}
        time, *others = times
        if not others:
            if _other_dates(text, time):
                read_as = f"was read as {time:%Y-%m-%d} (year, month, day)"
                assumptions.append(f"“{printable(text)}” may be several dates, and {read_as}")
            assumptions += [f"{name} was read as {time:%Z}" for name in COMMON if re.search(rf"\b{name}\b", text)]
            return time if time.tzinfo or not zone else time.replace(tzinfo=zone)
    raise ValueError(text)


def _other_dates(text, time):
    """Return what else a text may mean where the day, the month and a short year stand in another order."""
    dates = set()
    for order in ORDERS if not YEAR_FIRST.match(text) else ():
        with contextlib.suppress(ValueError):
            dates.add(parser.parse(text, default=DEFAULTS[0], tzinfos=_zone, **order))
    return dates - {time}


def now() -> datetime.datetime:
    """Return the present time."""
    return datetime.datetime.now(datetime.UTC)


def _zone(name, seconds):
    """Return the zone of a name or an offset; an unknown name is a KeyError, and no zone at all is None."""
    if seconds is None and name is not None:
        seconds = 3600 * (ZONES | COMMON)[name.upper()]
    return None if seconds is None else datetime.timezone(datetime.timedelta(seconds=seconds))


def _utc(time):
    """Format a time; one without a zone is in UTC."""
    aware = time if time.tzinfo else time.replace(tzinfo=datetime.UTC)
    return aware.astimezone(datetime.UTC).isoformat()
