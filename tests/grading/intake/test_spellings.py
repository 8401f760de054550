"""A name is the same however its apostrophes, accents, spaces and capitals are written, where a roster knows it."""

import unicodedata

import pytest

from autograder.grading.intake.find.names import key_of, words_of
from autograder.grading.intake.find.pipeline import find
from autograder.grading.intake.find.register import Register
from autograder.grading.intake.find.roster import Roster
from autograder.grading.intake.find.roster_table import read_roster
from autograder.grading.persons import Persons
from autograder.registry import units
from tests.support.handed_in import BOOK, FILE, counted, grow

NAME = "Zoë O'Neil"
APOSTROPHES = "\u2019\u2018`\u00b4\u02bc\u02bb\u02b9\u2032\uff07\ua78c"
SPELLINGS = {
    **{f"apostrophe {ord(sign):04x}": NAME.replace("'", sign) for sign in APOSTROPHES},
    "decomposed": unicodedata.normalize("NFD", NAME),
    "a space that does not break": NAME.replace(" ", "\u00a0"),
    "a narrow space": NAME.replace(" ", "\u2009"),
    "capitals": NAME.upper(),
    "small letters": NAME.lower(),
}
PLACES = {  # of the notebook
    "folder": f"{{}}/{FILE}",
    "Moodle": f"{{}}_321_assignsubmission_file_/{FILE}",
    "Brightspace": f"5-77 - {{}} - Sep 24, 2026 926 PM/{FILE}",
    "file": f"{{}}_{FILE}",
    "short form": "{} unit02.ipynb",
}


def class_of(folder, *names):
    """Return a register and a roster with some names, each with a username, and Bo Ray."""
    rows = [f"{name},zone{number}" for number, name in enumerate(names, start=7)]
    (folder / "roster.csv").write_text("\n".join(["Name,Username", *rows, "Bo Ray,bray3"]), encoding="utf-8")
    register = Register(b"secret")
    return register, Roster(read_roster(folder / "roster.csv"), register)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_any_spelling_is_the_rosters_student(tmp_path, spelling, place):
    register, roster = class_of(tmp_path, NAME)
    files = {PLACES[place].format(SPELLINGS[spelling]): BOOK, f"bray3/{FILE}": BOOK}
    result = find(grow(tmp_path / "class", files), units(), register, roster)
    assert (set(counted(result)), result.refusals) == ({("zone7", "02"), ("bray3", "02")}, ())


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_rosters_spelling_may_be_any(tmp_path, spelling):
    register, roster = class_of(tmp_path, SPELLINGS[spelling])
    result = find(grow(tmp_path / "class", {f"{NAME}/{FILE}": BOOK, f"bray3/{FILE}": BOOK}), units(), register, roster)
    assert set(counted(result)) == {("zone7", "02"), ("bray3", "02")}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_namesakes_are_told_apart_in_any_spelling(tmp_path, spelling):
    register, roster = class_of(tmp_path, NAME, SPELLINGS[spelling])
    persons = Persons(roster, register)
    assert [persons.called(id)[-8:] for id in ("zone7", "zone8")] == [" (zone7)", " (zone8)"]
    result = find(grow(tmp_path / "class", {f"{NAME}/{FILE}": BOOK}), units(), register, roster)
    assert "It may be zone7 or zone8." in result.refusals[0]


@pytest.mark.parametrize("spelling", [one for one in SPELLINGS if "letters" not in one and one != "capitals"])
def test_without_a_roster_spellings_are_one_student(tmp_path, spelling):
    """Capitals are not: somebody may be called like another on purpose."""
    register = Register(b"secret")
    for week, name in (("a", NAME), ("b", SPELLINGS[spelling])):
        result = find(grow(tmp_path / week, {f"{name}/{FILE}": BOOK, f"Bo Ray/{FILE}": BOOK}), units(), register)
        assert set(counted(result)) == {("Zoë_O_Neil", "02"), ("Bo_Ray", "02")}


def test_capitals_of_any_language_are_the_same():
    for small, large in (("\u0131\u015f\u0131k", "IŞIK"), ("straße", "STRASSE"), ("ελλάς", "ΕΛΛΆΣ")):
        assert key_of(small) == key_of(large)
        assert words_of(small) == words_of(large)
    assert key_of("コール") != key_of("コル")
