"""Who stands in the rows, with the ids that a platform knows: from its roster, or else from the names of its files."""

from dataclasses import dataclass, field

from autograder.grading.opened import OpenedClass


@dataclass(frozen=True)
class Row:
    """A student in an export, with all by which a platform may know them.

    Attributes
    ----------
    student : str
        Id.
    name : str
    cells : dict
        By heading, what the roster says, as it came.
    accounts : dict
        The numbers that platforms put into the names of files; see `Register`.
    section : str
    """

    student: str
    name: str
    cells: dict[str, str] = field(default_factory=dict)
    accounts: dict[str, str] = field(default_factory=dict)
    section: str = ""

    def cell(self, *headings: str) -> str:
        """Return what the roster says under the first of several headings that it has; empty where it has none."""
        plain = {_plain(heading): text for heading, text in self.cells.items()}
        return next((plain[_plain(heading)] for heading in headings if plain.get(_plain(heading))), "")


def rows(opened: OpenedClass) -> list[Row]:
    """Return a Row for everybody in the class, in the order of the ids."""
    people = opened.persons.enrolled
    found = []
    for student in opened.statistics().students:
        owner = opened.register.given.get(student, {})
        person = people.get(student)
        name = opened.persons.of(student).name
        cells, section = (person.cells, person.section) if person else ({}, "")
        found.append(Row(student, name, cells, owner.get("accounts", {}), section))
    return found


def _plain(heading):
    return "".join(filter(str.isalnum, heading.casefold()))
