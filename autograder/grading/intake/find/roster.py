"""Who is in the class: whose a submission is by the roster, and who has handed in nothing."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from autograder.grading.intake.find.names import is_nobody, key_of, spelled, words_of
from autograder.grading.intake.find.platforms import CANVAS, Label
from autograder.grading.intake.find.register import Accounts, Register, agree
from autograder.whole_file import write_atomically


@dataclass(frozen=True)
class Person:
    """Somebody on the roster."""

    name: str  # what an id is made of: the username, or else the name
    # all that may stand on a submission in its place: the name in both orders, the username, the address, numbers
    names: tuple[str, ...]
    # by platform, the number that it puts beside the name
    numbers: dict[str, str] = field(default_factory=dict, hash=False)
    section: str = ""
    team: str = ""  # the same for all who hand in together; empty for somebody who hands in alone
    # by heading, all that the roster says of them but points, as it came: the platform wants to see it again
    cells: dict[str, str] = field(default_factory=dict, hash=False)
    first: str = ""  # name, and last name, as far as the roster tells them apart
    last: str = ""
    email: str = ""

    def is_at_odds_with(self, accounts: Accounts) -> bool:
        """Return whether Canvas has given somebody else's number; Moodle gives new ones for every assignment."""
        numbers = {accounts.get(CANVAS), self.numbers.get(CANVAS)} - {None}
        return len(numbers) == 2


class Roster:
    """The people of a class, each with an id.

    Parameters
    ----------
    people : sequence of Person
    register : Register
        To which those are added whom it does not know.

    Attributes
    ----------
    ids : dict
        Ids by the number of the person on the roster.
    """

    def __init__(self, people: Sequence[Person], register: Register) -> None:
        self.people = people
        self.register = register
        self.ids: dict[int, str] = {}
        keys = [keys_of(person) for person in people]
        count = Counter(key for its_keys in keys for key in its_keys)
        self.by_key = {key: number for number, its_keys in enumerate(keys) for key in its_keys if count[key] == 1}
        self.shared = {
            key: [n for n, its_keys in enumerate(keys) if key in its_keys] for key, times in count.items() if times > 1
        }
        self.words = [_words_in(person) for person in people]
        self.by_account = {each: number for number, person in enumerate(people) for each in person.numbers.items()}
        marks = [*map(mark_of, people)]
        known_ids = self._known_ids(marks)
        for number, (person, mark) in enumerate(zip(people, marks, strict=True)):
            id = known_ids.get(number) or register.new_id(person.name, {"roster": mark})
            self.ids[number] = register.admit(id, {"roster": mark})

    def __len__(self) -> int:
        return len(self.people)

    def sections(self) -> dict[str, str]:
        """Return the section by id, empty where there is none."""
        return {self.ids[number]: person.section for number, person in enumerate(self.people)}

    def teams(self) -> dict[str, tuple[str, ...]]:
        """Return by id the ids of all who hand in together with somebody, in order; nobody who hands in alone."""
        members: dict[str, list[str]] = {}
        for number, person in enumerate(self.people):
            if person.team:
                members.setdefault(person.team, []).append(self.ids[number])
        return {id: tuple(sorted(ids)) for ids in members.values() for id in ids if len(ids) > 1}

    def id_of(self, label: Label, accounts: Accounts) -> str:
        """Return the id of whoever a submission is from; empty for somebody who is not on the roster for certain.

        Parameters
        ----------
        label : Label
        accounts : dict
            The number beside the name, by what it is good for; see `Register`.
        """
        number = self.by_account.get((label.platform, label.account))
        if number is not None:
            return self.ids[number]
        number = self.by_key.get(key_of(label.people[0]))
        if number is None or self.people[number].is_at_odds_with({label.platform: label.account}):
            return ""
        id = self.ids[number]
        return id if agree(self.register.given[id]["accounts"], accounts) else ""

    def namesakes(self, name: str) -> list[str]:
        """Return the ids of those who share a name; none where it is one person's, or nobody's."""
        return sorted(self.ids[number] for number in self.shared.get(key_of(name), ()))

    def possible_ids(self, written: str, names: Sequence[str], title: Sequence[str] = ()) -> list[str]:
        """Return the ids of those who may be meant by a name that a person has written.

        Parameters
        ----------
        written : str
            As it stands there.
        names : sequence of str
            What it may be without what is no name: each is looked for as a whole, the last ones in words, too.
        title : sequence of str
            Words of the unit's title, which may stand in it.
        """
        as_written = spelled(written).casefold()
        spellings = [{spelled(name).casefold() for name in person.names} for person in self.people]
        exact = {number for number, its_spellings in enumerate(spellings) if as_written in its_spellings}
        whole = {number for name in names if (number := self.by_key.get(key_of(name))) is not None}
        possible = exact or whole or next(filter(None, (self._by_words(name, title) for name in names[1:])), set())
        return sorted(self.ids[number] for number in possible)

    def _by_words(self, name, title):
        """Return those on the roster in whose names all words stand that can be somebody's."""
        words = {word for word in words_of(name) if not is_nobody(word) and len(word) > 1 and word not in title}
        return {number for number, its_words in enumerate(self.words) if words and words <= its_words}

    def _known_ids(self, marks):
        """Return the ids that people have already, from an earlier roster or from what they have handed in."""
        number_of = {mark: number for number, mark in enumerate(marks)}
        ids = {}
        for id, owner in self.register.given.items():
            number = number_of.get(owner["accounts"].get("roster"))
            if number is not None:
                ids.setdefault(number, id)
        self._add_those_with_more_names(ids)
        assigned = set(ids.values())
        for id, owner in self.register.given.items():
            number = self.by_key.get(key_of(owner["name"]))
            if id in assigned or number is None or self.people[number].is_at_odds_with(owner["accounts"]):
                continue
            ids.setdefault(number, id)
        for id, owner in self.register.given.items():
            possible = self._by_words(owner["name"], ()) if owner.get("units") and id not in ids.values() else ()
            if len(possible) == 1:  # who has handed in under a part of the name alone
                ids.setdefault(*possible, id)
        return ids

    def _add_those_with_more_names(self, known_ids):
        """Add the ids of those of whom an earlier roster knew a part of the names."""
        keys = {number: keys_of(person) for number, person in enumerate(self.people) if number not in known_ids}
        ids = {id: set(owner["accounts"].get("roster", "").split()) for id, owner in self.register.given.items()}
        unassigned = {id: its_keys for id, its_keys in ids.items() if its_keys and id not in known_ids.values()}
        for number, its_keys in keys.items():
            possible = [id for id, before in unassigned.items() if before <= its_keys]
            if len(possible) == 1:
                known_ids[number] = possible[0]


@dataclass(frozen=True)
class People:
    """Who can have handed in."""

    register: Register  # to which new students are added
    roster: Roster | None = None  # with the same register
    is_collected: bool = False  # whether they hand in where nbgrader collects: there a folder is called like an id


def write_people(people: Sequence[Person], path: str | Path) -> None:
    """Write the people of a roster for `read_people`."""
    write_atomically(Path(path), json.dumps([asdict(person) for person in people], indent=1) + "\n")


def read_people(path: str | Path) -> list[Person]:
    """Return the people that `write_people` has written, none where it has not.

    Raises
    ------
    ValueError
        If the file cannot be read.
    """
    if not Path(path).exists():
        return []
    try:
        people = json.loads(Path(path).read_text(encoding="utf-8"))
        return [Person(**person | {"names": tuple(person["names"])}) for person in people]
    except (ValueError, TypeError, KeyError):
        raise ValueError(
            f"{path} should say who is in the class, and cannot be read. Take it from a backup. Without one, delete it "
            "and name the roster again: `course grade --roster FILE`."
        ) from None


def keys_of(person: Person) -> set[str]:
    """Return what is the same in every export of the names, addresses and numbers of a person."""
    return {key_of(name) for name in person.names} - {""}


def _words_in(person):
    """Return the words in the names of a person, without addresses."""
    return {word for name in person.names if "@" not in name for word in words_of(name)}


def mark_of(person: Person) -> str:
    """Return what the register keeps of somebody's line on the roster."""
    return " ".join(sorted(keys_of(person)))
