"""Whose the files are: the outermost folder, zip or file that belongs to one person decides for all that lies in it.

Only names on the way from the top down to there are read, and these were given by a platform or by the instructor. So
nothing that somebody hands in can make it another's, however it is packed.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import PurePath

from autograder.grading.intake.find.item import Item
from autograder.grading.intake.find.moodle_groups import read_groups
from autograder.grading.intake.find.names import label_of, stem_of, unit_and_version
from autograder.grading.intake.find.platforms import MOODLE, Label
from autograder.grading.intake.find.wording import ambiguous_owner_message

MAX_LEVELS = 6  # of folders and zips above those of single students
UNNAMED = "its name does not say whose it is"
UNNAMED_FILE = f"{UNNAMED}. Put it into a folder with the student's name."

Place = tuple[str, ...]  # the path of a folder, zip or file


@dataclass(frozen=True)
class Sender:
    """A folder, zip or file of one person."""

    place: Place  # its path
    label: Label  # what its name says
    is_certain: bool  # whether a platform or nbgrader made it, so that it cannot hold a whole class
    is_file: bool = False  # whether it is a single file
    written: str = ""  # the name as it stands there, where short forms of a unit were taken from it

    @property
    def name(self) -> str:
        """The likeliest name."""
        return self.label.people[0]

    @property
    def is_written(self) -> bool:
        """Whether a person has given the name, not a platform, nor nbgrader to a folder."""
        return not (self.label.platform or (self.is_certain and not self.place[-1].lower().endswith(".zip")))


class Senders:
    """The folders, zips and files at the top, each that of one sender, or nobody's.

    A folder or zip holds either the work of single students or further folders and zips of the class, and its own name
    says which: one of words such as "week 2" or "submissions" is nobody's.

    Parameters
    ----------
    items : sequence of Item
    units : sequence of str
        Ids.
    whole : tuple of str
        Path of what the instructor has named as that of the whole class, whatever it is called.
    """

    def __init__(self, items: Sequence[Item], units: Sequence[str], whole: Place = ()) -> None:
        self.units = units
        self.whole = whole
        self.by_place: dict[Place, Sender] = {}  # none of the places lies in another
        self.nameless: dict[Place, str] = {}  # by place, why it has no sender though it should have one
        self.with_notebook: set[Place] = set()  # the places in which a notebook lies
        self.sizes = {item.path: item.size for item in items if not item.is_folder}
        tree: dict[str, dict] = {}
        for item in items:
            level = tree
            for part in item.path[: MAX_LEVELS + 3]:  # as far as it is looked at; a zip may hold a thousand levels
                level = level.setdefault(part, {})
            if item.is_notebook:
                self.with_notebook.update(beginnings(item.path))
        self._read_level(tree, ())

    def copy(self) -> "Senders":
        """Return the same senders, of which some can be changed without changing these."""
        duplicate = copy(self)
        duplicate.by_place = dict(self.by_place)
        duplicate.nameless = dict(self.nameless)
        return duplicate

    def __iter__(self) -> Iterator[Sender]:
        """Yield all senders, in the order of their places."""
        return iter(self.by_place.values())

    def of(self, path: Place) -> Sender | None:
        """Return the Sender of a file or folder; None where it has none."""
        return next((self.by_place[place] for place in beginnings(path) if place in self.by_place), None)

    def place_of(self, path: Place) -> Place:
        """Return the place of a file's sender; without one, the outermost zip that it lies in, or the file itself."""
        if sender := self.of(path):
            return sender.place
        depth = next((depth for depth, name in enumerate(path, 1) if name.lower().endswith(".zip")), len(path))
        return path[:depth]

    def is_single_file(self, place: Place) -> bool:
        """Return whether a place is a file, not a folder or zip."""
        return place in self.sizes

    def _read_level(self, level, above):
        """Find the sender of each place on the level, or why it has none, or else those below it."""
        places = {(*above, name): below for name, below in level.items()}
        senders = self._in_groups({place: self._sender(place, below) for place, below in places.items()})
        among_students = any(sender and place in self.with_notebook for place, sender in senders.items())
        for place, below in places.items():
            has_notebook = place in self.with_notebook
            if senders[place]:
                self.by_place[place] = senders[place]
            elif self.is_single_file(place) and not below:
                if has_notebook:
                    self.nameless[place] = UNNAMED_FILE
            elif len(place) > MAX_LEVELS:
                self.nameless[place] = f"the first {MAX_LEVELS} folders name nobody. Move it up."
            elif (among_students and has_notebook) or self._may_be_nbgraders(place, below):
                self.nameless[place] = ambiguous_owner_message(place, UNNAMED)
            else:
                self._read_level(below, place)

    def _sender(self, place, below):
        """Return the Sender whose a place is by its name; None where it is nobody's."""
        is_file = self.is_single_file(place) and not below
        label = label_of(place[-1], self.units, is_file)
        if label.platform:
            return Sender(place, label, is_certain=True)
        if self._is_whole(place):
            return None
        stem = stem_of(place[-1])
        if is_file and place not in self.with_notebook:  # somebody's if it is called like a notebook of theirs
            stem = PurePath(stem).stem
            label = label_of(stem, self.units, is_file)
            is_theirs = label.people and unit_and_version((stem,), self.units)[0]
            return Sender(place, label, is_certain=False, is_file=True) if is_theirs else None
        if any(f"{unit}.ipynb" in below.get(unit, ()) for unit in self.units):  # nbgrader's layout: any name will do
            return Sender(place, replace(label, people=(stem,)), is_certain=True)
        if stem.isdecimal() and not is_file:  # such as 07.zip of a numbered class
            label = replace(label, people=(stem,))
        return Sender(place, label, is_certain=False, is_file=is_file) if label.people else None

    def _in_groups(self, senders):
        """Return the senders of a level, those of Moodle with names that only all of them together tell."""
        of_moodle = {place: sender for place, sender in senders.items() if sender and sender.label.platform == MOODLE}
        files = {place: set() for place in of_moodle}
        for path, size in self.sizes.items() if of_moodle else ():
            for place in beginnings(path):
                if place in files:
                    files[place].add((path[len(place) :], size))
        labels = read_groups([sender.label for sender in of_moodle.values()], list(files.values()))
        in_groups = zip(of_moodle.items(), labels, strict=True)
        return senders | {place: replace(sender, label=label) for (place, sender), label in in_groups}

    def _may_be_nbgraders(self, place, below):
        """Return whether a folder that is called like nobody's may be that of a student of this name."""
        is_zip = place[-1].lower().endswith(".zip")
        return not (is_zip or self._is_whole(place)) and any(unit in below for unit in self.units)

    def _is_whole(self, place):
        """Return whether it is what the instructor has named, or the folder of this name that was packed into it."""
        is_inside = place[:-1] == self.whole and place[:-1] and stem_of(place[-1]) == stem_of(self.whole[-1])
        return bool(place == self.whole or is_inside)


def beginnings(path: Place) -> list[Place]:
    """Return the places down to a file, as deep as senders can lie."""
    return [path[:depth] for depth in range(1, min(len(path), MAX_LEVELS + 1) + 1)]
