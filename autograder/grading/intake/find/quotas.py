"""How much is listed of one person's files: those of one cannot take the room of the others.

Whose they are is decided later, by `senders`, which has to see all of them. What counts here is the outermost name that
may be a person's.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from autograder.grading.intake.find.item import MIB, Item, refused_item
from autograder.grading.intake.find.names import label_of, stem_of

# of the files and folders of a person, of the lists of what is in their zips, and of the zips in these, unpacked
MAX_FILES, MAX_LISTINGS, MAX_ZIPS = 50_000, 6 * MIB, 1024 * MIB
TOO_MUCH = "there is too much in it, and the rest is left out. Ask for the notebook alone."


class Quota:
    """What may still be listed of one person's files."""

    def __init__(self) -> None:
        self.files = MAX_FILES
        self.listings = MAX_LISTINGS
        self.zips = MAX_ZIPS

    @property
    def is_left(self) -> bool:
        """Whether anything more may be listed."""
        return min(self.files, self.listings, self.zips) >= 0


class Quotas:
    """The quotas of a class.

    Parameters
    ----------
    root : tuple of str
        Path of the folder or zip that the instructor has named: whatever it is called, it is nobody's.
    units : sequence of str
        Ids.
    """

    def __init__(self, root: tuple[str, ...], units: Sequence[str]) -> None:
        self.root = root
        self.units = tuple(units)
        self.by_owner: dict[tuple[str, ...], Quota] = {}

    def of(self, path: tuple[str, ...]) -> Quota:
        """Return the Quota of whoever a file, folder or zip may belong to."""
        return self.by_owner.setdefault(self._owner(path), Quota())

    def exceeded(self) -> Iterator[Item]:
        """Yield an Item for each person of whose files some were left out."""
        for owner, quota in self.by_owner.items():
            if not quota.is_left:
                yield refused_item(owner or ("the folder itself",), TOO_MUCH)

    def _owner(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """Return the outermost place with a person's name; also nbgrader's folder of a student with any name."""
        for depth in range(len(self.root) + 1, len(path) + 1):
            name = path[depth - 1]
            holds_unit = depth < len(path) and path[depth] in self.units
            if _may_name_somebody(name, self.units) or (holds_unit and not name.endswith(".zip")):
                return path[:depth]
        return self.root


@lru_cache(maxsize=1 << 16)
def _may_name_somebody(name: str, units: tuple[str, ...]) -> bool:
    return stem_of(name).isdecimal() or bool(label_of(name, units).people)
