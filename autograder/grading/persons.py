"""The person of an id: how all that is written calls somebody, and what the roster says of them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.grading.intake.find.names import key_of
from autograder.grading.intake.find.register import Register, read_register
from autograder.grading.intake.find.roster import Roster, read_people
from autograder.grading.pages.tables import one_line
from autograder.grading.verdicts.store import Store


@dataclass(frozen=True)
class Somebody:
    """A student as outputs name them.

    Attributes
    ----------
    id : str
    name : str
        As one says it: of the roster, or else of what was handed in; the id where neither has one.
    first, last, email : str
        Of the roster; of a name that it does not divide, the last word is the last name. Empty where nothing is known.
    is_enrolled : bool
        Whether the roster says it.
    """

    id: str
    name: str
    first: str = ""
    last: str = ""
    email: str = ""
    is_enrolled: bool = False

    @property
    def label(self) -> str:
        """The name with the id, by which tables and folders know them."""
        return self.id if self.name == self.id else f"{self.name} ({self.id})"


class Persons:
    """Everybody in a class.

    Parameters
    ----------
    roster : Roster
    register : Register
        With the names of those who are not on the roster.
    """

    def __init__(self, roster: Roster, register: Register) -> None:
        self.register = register
        self.enrolled = {roster.ids[number]: person for number, person in enumerate(roster.people)}
        self.namesakes = Counter(key_of(person.names[0]) for person in roster.people)

    def of(self, id: str) -> Somebody:
        """Return the person of an id; somebody of whom nothing but the id is known for any other."""
        person = self.enrolled.get(id)
        if person is None:
            name = one_line(self.register.given.get(id, {}).get("name", id))
            return Somebody(id, name, *_divided(name))
        name = person.names[0]
        first, last = (person.first, person.last) if person.first or person.last else _divided(name)
        return Somebody(id, name, first, last, person.email, is_enrolled=True)

    def called(self, id: str) -> str:
        """Return somebody's name; with the id where that is not the only one of the name."""
        one = self.of(id)
        return one.label if self.namesakes[key_of(one.name)] > 1 else one.name

    def all_labels(self) -> dict[str, str]:
        """Return the labels of all in the class who have a name beside their id."""
        labels = self.labels({*self.enrolled, *self.register.given})
        return {id: label for id, label in sorted(labels.items()) if id != label}

    def labels(self, ids: Iterable[str]) -> dict[str, str]:
        """Return the labels of some ids."""
        return {id: self.of(id).label for id in ids}


def _divided(name):
    """Return the first names and the last name in a name that nobody has divided; empty texts for a single word."""
    first, space, last = name.rpartition(" ")
    return (first, last) if space else ("", "")


def persons_of(store: Store) -> Persons:
    """Return the Persons of a class as its folder keeps them."""
    register = read_register(store.ids)
    return Persons(Roster(read_people(store.roster), register), register)
