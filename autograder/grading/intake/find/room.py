"""How much is listed of one person's files: those of one cannot take the room of the others.

Whose they are is decided later, by `autograder.grading.intake.find.senders`, which has to see all of them. What counts
here is the outermost name that may be a person's.
"""

from functools import lru_cache

from autograder.grading.intake.find.item import MIB, refused
from autograder.grading.intake.find.names import label, plain

# of the files and folders of a person, of the lists of what is in their zips, and of the zips in these, unpacked
MAX_FILES, MAX_LISTINGS, MAX_ZIPS = 50_000, 6 * MIB, 1024 * MIB
TOO_MUCH = "there is too much in it, and the rest is left out. Ask for the notebook alone."


class Room:
    """What may still be listed."""

    def __init__(self):
        self.files, self.listings, self.zips = MAX_FILES, MAX_LISTINGS, MAX_ZIPS

    @property
    def is_left(self):
        return min(self.files, self.listings, self.zips) >= 0


class Rooms:
    """The rooms of a class.

    Parameters
    ----------
    root : tuple of str
        Path of the folder or zip that the instructor has named: whatever it is called, it is nobody's.
    units : sequence of str
        Ids.
    """

    def __init__(self, root, units):
        self.root, self.units, self.rooms = root, tuple(units), {}

    def of(self, path):
        """Return the Room of whoever a file, folder or zip may belong to."""
        return self.rooms.setdefault(self._owner(path), Room())

    def full(self):
        """Yield an Item for each person of whose files some were left out."""
        for owner, room in self.rooms.items():
            if not room.is_left:
                yield refused(owner or ("the folder itself",), TOO_MUCH)

    def _owner(self, path):
        """Return the outermost place with a person's name; also nbgrader's folder of a student with any name."""
        for depth in range(len(self.root) + 1, len(path) + 1):
            holds_unit = path[depth : depth + 1] and path[depth] in self.units
            if _names_somebody(path[depth - 1], self.units) or (holds_unit and not path[depth - 1].endswith(".zip")):
                return path[:depth]
        return self.root


@lru_cache(maxsize=1 << 16)
def _names_somebody(part, units):
    return plain(part).isdecimal() or bool(label(part, units).people)
