"""Whose the files are: the outermost folder, zip or file that belongs to one person decides for all that lies in it.

Only names on the way from the top down to there are read, and these were given by a platform or by the instructor. So
nothing that somebody hands in can make it another's, however it is packed.
"""

from dataclasses import dataclass, replace
from pathlib import PurePath

from autograder.grading.intake.find import moodle
from autograder.grading.intake.find.item import shown
from autograder.grading.intake.find.names import Label, label, plain, unit_and_version

MAX_LEVELS = 6  # of folders and zips above those of single students
UNNAMED = "its name does not say whose it is. Put it into a folder with the student's name."


@dataclass(frozen=True)
class Sender:
    """A folder, zip or file of one person.

    Attributes
    ----------
    place : tuple of str
        Its path.
    label : Label
        What its name says.
    is_certain : bool
        Whether a platform or nbgrader made it, so that it cannot hold a whole class.
    is_file : bool
        Whether it is a single file.
    written : str
        The name as it stands there, where short forms of a unit were taken from it.
    """

    place: tuple[str, ...]
    label: Label
    is_certain: bool
    is_file: bool = False
    written: str = ""

    @property
    def name(self):
        return self.label.people[0]

    @property
    def is_written(self):
        """Whether a person has given the name, not a platform, nor nbgrader to a folder."""
        return not (self.label.platform or (self.is_certain and not self.place[-1].lower().endswith(".zip")))


class Places:
    """What the folders, zips and files at the top are.

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

    def __init__(self, items, units, whole=()):
        self.units, self.whole, tree = units, whole, {}
        self.files, self.with_notebook, self.sizes = set(), set(), {}
        for item in items:
            level = tree
            for part in item.path[: MAX_LEVELS + 3]:  # as far as it is looked at; a zip may hold a thousand levels
                level = level.setdefault(part, {})
            if not item.is_folder:
                self.files.add(item.path)
                self.sizes[item.path] = item.size
            if item.is_notebook:
                self.with_notebook.update(beginnings(item.path))
        self.found = dict(self._level(tree, ()))

    def sender(self, path):
        """Return the Sender of a file or folder; None where it has none."""
        found = (self.found[place] for place in beginnings(path) if place in self.found)
        return next((one for one in found if isinstance(one, Sender)), None)

    def of(self, item):
        """Return the place of a file's sender; without one, what can have been handed in as one piece with it."""
        sender = self.sender(item.path)
        return sender.place if sender else item.parcel

    def senders(self):
        """Return all senders, in the order of their places."""
        return [sender for sender in self.found.values() if isinstance(sender, Sender)]

    def _level(self, level, above):
        """Yield a Sender, or why there is none, for each place on the level and below it that has no other above."""
        places = {(*above, part): below for part, below in level.items()}
        senders = self._without_groups({place: self._sender(place, below) for place, below in places.items()})
        among_students = any(sender and place in self.with_notebook for place, sender in senders.items())
        for place, below in places.items():
            full = place in self.with_notebook
            if senders[place]:
                yield place, senders[place]
            elif place in self.files and not below:
                if full:
                    yield place, UNNAMED
            elif len(place) > MAX_LEVELS:
                yield place, f"the first {MAX_LEVELS} folders name nobody. Move it up."
            elif (among_students and full) or self._may_be_nbgraders(place, below):
                yield place, either(place, "its name does not say whose it is")
            else:
                yield from self._level(below, place)

    def _sender(self, place, below):
        is_file = place in self.files and not below
        name = label(place[-1], self.units, is_file)
        if name.platform:
            return Sender(place, name, is_certain=True)
        if self._is_whole(place):
            return None
        own = plain(place[-1])
        if is_file and place not in self.with_notebook:  # somebody's if it is called like a notebook of theirs
            stem = PurePath(own).stem
            named = label(stem, self.units, is_file)
            is_theirs = named.people and unit_and_version((stem,), self.units)[0]
            return Sender(place, named, is_certain=False, is_file=True) if is_theirs else None
        if any(f"{unit}.ipynb" in below.get(unit, ()) for unit in self.units):  # nbgrader's layout: any name will do
            return Sender(place, replace(name, people=(own,)), is_certain=True)
        if own.isdecimal() and not is_file:  # such as 07.zip of a numbered class
            name = replace(name, people=(own,))
        return Sender(place, name, is_certain=False, is_file=is_file) if name.people else None

    def _without_groups(self, senders):
        """Return the senders of a level, those of Moodle with names that only all of them together tell."""
        moodles = {place: one for place, one in senders.items() if one and one.label.platform == "Moodle"}
        files = {place: set() for place in moodles}
        for path, size in self.sizes.items() if moodles else ():
            for place in beginnings(path):
                if place in files:
                    files[place].add((path[len(place) :], size))
        labels = moodle.read([one.label for one in moodles.values()], list(files.values()))
        named = zip(moodles.items(), labels, strict=True)
        return senders | {place: replace(one, label=label) for (place, one), label in named}

    def _may_be_nbgraders(self, place, below):
        """Return whether a folder that is called like nobody's may be that of a student of this name."""
        is_zip = place[-1].lower().endswith(".zip")
        return not (is_zip or self._is_whole(place)) and any(unit in below for unit in self.units)

    def _is_whole(self, place):
        """Return whether it is what the instructor has named, or the folder of this name that was packed into it."""
        is_inside = place[:-1] == self.whole and place[:-1] and plain(place[-1]) == plain(self.whole[-1])
        return bool(place == self.whole or is_inside)


def beginnings(path):
    """Return the places down to a file, as deep as senders can lie."""
    return [path[:depth] for depth in range(1, min(len(path), MAX_LEVELS + 1) + 1)]


def either(place, why):
    """Return why a folder or zip is refused that may be one student's or the whole class's, and what to do."""
    name = shown(place[-1])
    return (
        f"{why}. If it is one student's, keep one notebook in it and give it the student's name; if it is the whole "
        f"class's, grade it by itself: `course grade .../{name}`."
    )
