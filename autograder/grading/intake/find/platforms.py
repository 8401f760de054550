"""How learning platforms name what they export, as a table: the form of the name, what it holds, and specimens.

The forms are those of Canvas's `content_zipper.rb`, of Moodle's `mod/assign/locallib.php`, of Blackboard's Grade Center
and of Brightspace's assignments. To add a platform, add a row; a test reads each row's specimens.
"""

import contextlib
import datetime
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

BLACKBOARD, BRIGHTSPACE, CANVAS, MOODLE = "Blackboard", "Brightspace", "Canvas", "Moodle"
TIME = "%Y-%m-%d-%H-%M-%S"  # as Blackboard writes it
PARTICIPANT = re.compile(  # in place of a name, where Moodle's marking is blind
    r"participant|participante|partecipante|teilnehmerin|deelnemer|deltaker|deltagare|osallistuja|uczestnik",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Label:
    """What the name of one folder, zip or file says."""

    # names that may be a person's; the first one is the likeliest. From a platform, it is the student's for certain
    people: tuple[str, ...]
    platform: str = ""  # name of a row of the table; empty where no platform gave the name
    # the platform's number of the student; Brightspace's two numbers; of Blackboard, which has none, what stands before
    # the user's name and may hold the beginning of it
    account: str = ""
    time: str = ""  # when it was handed in, in the form `TIME`
    late: bool = False  # whether the platform marked it as late
    rest: str = ""  # what the platform has kept of the name that the student gave
    group: str = ""  # of students who hand in together
    is_anonymous: bool = False  # whether a number stands in place of the name, which is that of one assignment alone

    @property
    def is_participant(self) -> bool:
        """Whether Moodle's word for a participant stands in place of the name."""
        return self.platform == MOODLE and bool(PARTICIPANT.fullmatch(self.people[0]))

    def numbered(self) -> "Label":
        """Return the same of somebody who is known by a number only."""
        return replace(self, people=(f"{self.people[0]} {self.account}",), is_anonymous=True)

    def accounts(self, units: Iterable[str]) -> dict[str, str]:
        """Return the account by where it means the same student, given the units that are handed in under it."""
        if self.platform in PER_ASSIGNMENT:
            return {f"{self.platform} {unit}": self.account for unit in sorted(units)}
        return {self.platform: self.account} if self.account else {}


def _brightspaces_time(text: str) -> str:
    """Read "Sep 24, 2024 926 PM", with a 0 before the 9; empty for a date as they write it elsewhere."""
    with contextlib.suppress(ValueError):
        *day, time, half = text.replace("Sept ", "Sep ").split()
        when = datetime.datetime.strptime(" ".join([*day, f"{time:0>4}", half]), "%b %d, %Y %I%M %p")
        return when.strftime(TIME)
    return ""


@dataclass(frozen=True)
class Platform:
    """One form of names."""

    name: str  # of the platform
    form: str  # a pattern with groups that are called like the fields of a `Label`; `student` becomes its `people`
    specimens: dict[str, Label]  # what is to be read in names of this form, without their endings
    is_per_assignment: bool = False  # whether a student has another account at every assignment
    is_anonymous: bool = False  # as a Label has it
    time: Callable[[str], str] = str  # brings a time into the form `TIME`

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The form, ready for use."""
        return re.compile(self.form, re.DOTALL)

    def read(self, name: str) -> Label | None:
        """Return what a name without its ending says; None if it is not of this form."""
        match = self.pattern.fullmatch(name)
        if not match:
            return None
        texts = {"account": "", "time": "", "late": "", "rest": ""} | match.groupdict("")
        return Label(
            (texts["student"],),
            self.name,
            texts["account"],
            self.time(texts["time"]),
            bool(texts["late"]),
            texts["rest"],
            is_anonymous=self.is_anonymous,
        )


ATTEMPT = r"_attempt_(?P<time>\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)(?:_(?P<rest>.*)|\.txt)?"  # Blackboard's
# The first row whose form fits decides: what stands further back in a name can be a student's joke.
PLATFORMS = (
    Platform(
        BRIGHTSPACE,
        r"(?P<account>\d+-\d+) - (?P<student>.+?) - (?P<time>[^-_]*\b\d{4}\b[^-_]*?)(?: - (?P<rest>.+))?",
        {
            "39-25 - An-Li Oh - Sep 24, 2024 926 PM": Label(("An-Li Oh",), BRIGHTSPACE, "39-25", "2024-09-24-21-26-00"),
            "7-8 - Zoé Öl - 24 septembre 2024 09 h 26 - work": Label(("Zoé Öl",), BRIGHTSPACE, "7-8", rest="work"),
        },
        is_per_assignment=True,
        time=_brightspaces_time,
    ),
    Platform(  # where names are hidden from those who grade
        CANVAS,
        r"(?P<late>LATE_)?(?P<student>anon_(?P<account>[^\W_]+))_(?:\d+_(?P<rest>.+)|(?:text|link)\.html)",
        {"LATE_anon_X3z_6_work": Label(("anon_X3z",), CANVAS, "X3z", late=True, rest="work", is_anonymous=True)},
        is_anonymous=True,
    ),
    Platform(
        CANVAS,
        r"(?P<student>[^_]+)(?P<late>_LATE)?_(?P<account>\d+)_(?:\d{5,}_(?P<rest>.+)|(?:text|link)\.html)",
        {
            "leeann_12345_67890_work-2": Label(("leeann",), CANVAS, "12345", rest="work-2"),
            "leeann_LATE_12345_link.html": Label(("leeann",), CANVAS, "12345", late=True),
        },
    ),
    Platform(  # without the name of the assignment
        BLACKBOARD,
        rf"(?P<student>[^_]+){ATTEMPT}",
        {"ann_attempt_2026-11-20-10-00-00_work": Label(("ann",), BLACKBOARD, "", "2026-11-20-10-00-00", rest="work")},
        is_per_assignment=True,
    ),
    Platform(
        MOODLE,
        r"(?P<student>.+?)_(?P<account>\d+)_assignsubmission_[a-z]+(?:_(?P<rest>.*))?",
        {
            "Ann Lee_4711_assignsubmission_file_": Label(("Ann Lee",), MOODLE, "4711"),
            "Ann_Lee_4711_assignsubmission_onlinetext": Label(("Ann_Lee",), MOODLE, "4711"),
            "Ann Lee_4711_assignsubmission_file_work": Label(("Ann Lee",), MOODLE, "4711", rest="work"),
        },
        is_per_assignment=True,
    ),
    Platform(
        BLACKBOARD,
        rf"(?P<account>.*?)_(?P<student>[^_]+){ATTEMPT}",
        {"Unit_2_ann_attempt_2026-11-20-10-00-00.txt": Label(("ann",), BLACKBOARD, "Unit_2", "2026-11-20-10-00-00")},
        is_per_assignment=True,
    ),
)
PER_ASSIGNMENT = {row.name for row in PLATFORMS if row.is_per_assignment}


def read_export(name: str) -> Label | None:
    """Return what a name says that a platform gave, without its ending; None for any other name."""
    label = next(filter(None, (row.read(name) for row in PLATFORMS)), None)
    return label.numbered() if label and label.is_participant else label
