"""Names of files as learners write them: with their unit in short, which is no part of anybody's name."""

import time

import pytest

from autograder.grading.intake.find.pipeline import find
from autograder.grading.intake.find.register import Register, read_register
from autograder.grading.intake.find.roster import Roster
from autograder.grading.intake.find.roster_table import read_roster
from autograder.grading.intake.find.short_forms import without_forms
from autograder.grading.intake.take_in import Intake
from autograder.registry import units
from tests.support.damaged_notebooks import as_bytes, own
from tests.support.handed_in import grow
from tools.course import ROOT

ONE, TWO = (unit.id for unit in units()[1:3])
BOOKS = {
    unit.id: as_bytes({"cells": [own(f"def {unit.exercises[0].name}(x):\n    return x")], "nbformat": 4})
    for unit in units()[1:3]
}
PEOPLE = (
    "Name,Username,Email\nAnn Roe,ann,ann@x.org\nBo Lee,bo7,bo.l@x.org\nCarl Doe,carl,c@x.org\nZoë Öl,dora,z@x.org\n"
)
# names for units 01 and 02 with what must be left of them, and the username on the roster
NAMES = {
    ("ann_unit01", "ann_unit02"): ("ann", "ann"),
    ("HW1 - Bo Lee", "HW2 - Bo Lee"): ("Bo_Lee", "bo7"),
    ("carl_01", "carl_02"): ("carl", "carl"),
    (f"dora_{ONE[3:]}", f"dora_{TWO[3:]}"): ("dora", "dora"),
    ("unit 1 Ann", "unit 2 Ann"): ("Ann", "ann"),
    ("U1_lee_bo", "U2_lee_bo"): ("lee_bo", "bo7"),
    ("BoLee week 1", "BoLee week 2"): ("BoLee", "bo7"),
    ("lab2-bo.l", "lab3-bo.l"): ("bo.l", "bo7"),
    ("assignment 3 (Carl)", "assignment 4 (Carl)"): ("Carl", "carl"),
    ("ex4_Doe", "ex5_Doe"): ("Doe", "carl"),
    ("hw-1 Roe Ann", "hw-2 Roe Ann"): ("Roe_Ann", "ann"),
    ("01 - Zoe Ol", "02 - Zoe Ol"): ("Zoe_Ol", "dora"),
    ("Zoë Öl 1", "Zoë Öl 2"): ("Zoë_Öl", "dora"),
    ("AnnHW1", "AnnHW2"): ("Ann", "ann"),
    ("Copy of ann_unit01", "ann_unit02 (1)"): ("ann", "ann"),
    ("ann_unit01_final", "ann_homework_unit2-Copy1"): ("ann", "ann"),
    (f"{ONE[3:].title().replace('_', '')}_ann", f"{TWO[3:].replace('_', ' ')} ann"): ("ann", "ann"),
    ("1. Ann", "Übung 2 Ann"): ("Ann", "ann"),
    ("unit-1_ann_final", "Unit 2 - ann (draft)"): ("ann", "ann"),
    ("final_ann_u1", "ann_solution"): ("ann", "ann"),
}
WHATEVER = [("HW1 - Bo Lee", "HW2 - Bo Lee"), ("carl_01", "carl_02")]
KINDS = {
    "files": lambda name, unit: {f"{name}.ipynb": BOOKS[unit]},
    "zips": lambda name, unit: {f"{name}.zip": {"work.ipynb": BOOKS[unit]}},
    "zips of folders": lambda name, unit: {f"{name}.zip": {f"{unit}/{unit}.ipynb": BOOKS[unit]}},
    "folders": lambda name, unit: {f"{name}/mine.ipynb": BOOKS[unit]},
    "the unit's id as well": lambda name, unit: {f"{name}_{unit}.ipynb": BOOKS[unit]},
}


def roster_of(folder, text, register):
    folder.mkdir(exist_ok=True)
    (folder / "roster.csv").write_text(text)
    return Roster(read_roster(folder / "roster.csv"), register)


def counted(intake):
    return sorted((one.student, one.unit) for one in intake.candidates)


def both(kind, names):
    return KINDS[kind](names[0], ONE) | KINDS[kind](names[1], TWO)


@pytest.mark.parametrize(
    ("names", "kind"),
    [*((names, "files") for names in NAMES), *((names, kind) for kind in KINDS for names in WHATEVER)],
)
def test_short_forms_of_a_unit_are_no_name(tmp_path, names, kind):
    id, username = NAMES[names]
    files = grow(tmp_path / "class", both(kind, names))
    alone, register = find(files, units()), Register()
    assert counted(alone) == [(id, ONE), (id, TWO)]
    assert (alone.refusals, alone.remarks) == ((), ())
    intake = Intake(files, ROOT, register=register, roster=roster_of(tmp_path / "r", PEOPLE, register))
    assert counted(intake) == [(username, ONE), (username, TWO)]
    assert (intake.refusals, intake.remarks) == ((), ())


@pytest.mark.parametrize("name", ["Max Final", "Final Max", "unit1_max_final"])
def test_a_persons_name_like_final_is_kept(tmp_path, name):
    register = Register()
    roster = roster_of(tmp_path / "r", PEOPLE + "Max Final,max1,m@x.org\nMax Roe,max2,r@x.org\n", register)
    intake = Intake(grow(tmp_path / "c", KINDS["files"](name, ONE)), ROOT, register=register, roster=roster)
    assert counted(intake) == [("max1", ONE)]


def test_an_id_with_a_suffix_like_final_stays(tmp_path):
    register = Register(given={"ann_final": {"name": "ann_final", "accounts": {"": ""}}})
    assert counted(find(grow(tmp_path, KINDS["files"]("ann_final", ONE)), units(), register)) == [("ann_final", ONE)]


KEPT = ["carl02", "20231234", "u1234567", "alex4", "Ann Week", "Ann-Marie 7", "ann_u1234567", "Eve New", "x2y", "u2"]


@pytest.mark.parametrize("name", KEPT)
def test_what_belongs_to_a_name_stays(name):
    assert without_forms(name, TWO) == name


@pytest.mark.parametrize("piece", ["_", "hw ", "copy ", "hw1_", "(1)", "02_", "aA", "home_work_copy", "v"])
def test_a_name_of_any_kind_is_read_quickly(piece):
    began = time.process_time()
    for _ in range(20):
        without_forms("x" + (piece * 150)[:148], TWO)
    assert time.process_time() - began < 0.5


def test_on_a_roster_names_with_digits_are_whole(tmp_path):
    people = "Name,Username,ID\nCarl Doe,carl02,20231234\nCarla Roe,carla_02,20231235\nUma Oh,u2,20231236\n"
    register = Register()
    roster = roster_of(tmp_path / "r", people, register)
    names = ["carl02", "carla_02", "u2", "20231234_hw2", "hw2 20231235", "20231236_02", "carl02_02"]
    for number, name in enumerate(names):
        files = grow(tmp_path / str(number), KINDS["files"](name, TWO))
        intake = Intake(files, ROOT, register=register, roster=roster)
        assert counted(intake) == [(["carl02", "carla_02", "u2"][number % 3], TWO)], name
        assert intake.refusals == ()


def test_a_unit_number_after_a_name_is_cut(tmp_path):
    register = Register()
    files = grow(tmp_path / "class", both("files", ("carl01", "carl02")))
    intake = Intake(files, ROOT, register=register, roster=roster_of(tmp_path / "r", PEOPLE, register))
    assert counted(intake) == [("carl", ONE), ("carl", TWO)]


ASKED = {
    "eve_unit02": "Nobody on the roster is called eve.",
    "HW2 - Bo Smith": "Nobody on the roster is called Bo Smith.",
    "transformer": "Nobody on the roster is called transformer.",
    "Ann_hw2": "It may be ann1 or ann2.",
    "lab2": "its name does not say whose it is.",
    "scaled_dot_product_attention": "its name does not say whose it is.",
}


@pytest.mark.parametrize("name", ASKED)
def test_a_name_off_the_roster_is_asked_about(tmp_path, name):
    register = Register()
    people = PEOPLE.replace("ann,ann@x.org", "ann1,roe@x.org") + "Ann Poe,ann2,poe@x.org\n"
    roster = roster_of(tmp_path / "r", people, register)
    intake = Intake(grow(tmp_path / "c", KINDS["files"](name, TWO)), ROOT, register=register, roster=roster)
    [refusal] = intake.refusals
    assert refusal.startswith(f"{name}.ipynb was refused: ")
    assert ASKED[name] in refusal
    assert "Put it into a folder with the" in refusal
    assert (intake.candidates, {one.student for one in intake.absent}) == ([], set())
    assert register.given.keys() == set(roster.ids.values())


def test_a_guest_is_graded_and_told(tmp_path):
    register = Register()
    files = {"eve.zip": {f"{TWO}.ipynb": BOOKS[TWO]}, f"uma_{TWO}.ipynb": BOOKS[TWO]}
    roster = roster_of(tmp_path / "r", PEOPLE, register)
    intake = Intake(grow(tmp_path / "c", files), ROOT, register=register, roster=roster)
    assert counted(intake) == [("eve", TWO), ("uma", TWO)]
    assert "Not on the roster: eve, uma." in intake.remarks


def test_the_numbers_of_a_numbered_class_stay(tmp_path):
    register = Register()
    first = {f"student_{n:02}.ipynb": BOOKS[ONE] for n in range(1, 5)}
    intake = Intake(grow(tmp_path / "1", first), ROOT, register=register)
    everybody = [f"student_{n:02}" for n in range(1, 5)]
    assert [student for student, _ in counted(intake)] == everybody
    register.write(tmp_path / "ids.json")
    later = Intake(
        grow(tmp_path / "2", {"student_02.ipynb": BOOKS[TWO]}), ROOT, register=read_register(tmp_path / "ids.json")
    )
    assert counted(later) == [("student_02", TWO)]


def test_names_that_differ_by_number_are_told(tmp_path):
    together = find(grow(tmp_path / "1", both("files", ("carl01", "carl02"))), units())
    [warning] = together.remarks
    assert warning.startswith("Is this one student? carl01, carl02 have handed in different units")
    register = Register()
    assert find(grow(tmp_path / "2", KINDS["files"]("carl01", ONE)), units(), register).remarks == ()
    assert len(find(grow(tmp_path / "3", KINDS["files"]("carl02", TWO)), units(), register).remarks) == 1
    in_one = KINDS["files"]("carl01", ONE) | KINDS["files"]("carl02", ONE) | KINDS["files"]("carl3", TWO)
    assert find(grow(tmp_path / "4", in_one), units()).remarks == ()
    ids = KINDS["files"]("20231234", ONE) | KINDS["files"]("20231235", TWO)
    assert find(grow(tmp_path / "5", ids), units()).remarks == ()


def test_a_file_named_after_its_sender_is_accepted(tmp_path):
    work = {"ann_unit01.ipynb": BOOKS[ONE], "ann_unit01 (1).ipynb": BOOKS[ONE] + b" ", "HW2 ann.ipynb": BOOKS[TWO]}
    result = find(grow(tmp_path, {"ann.zip": work, "bob.zip": {"bob_hw2.ipynb": BOOKS[TWO]}}), units())
    assert counted(result) == [("ann", ONE), ("ann", TWO), ("bob", TWO)]
    assert result.refusals == ()


def test_a_notebook_with_anothers_short_name_is_refused(tmp_path):
    work = {"bob.zip": {"mine.ipynb": BOOKS[TWO]}, "eve.zip": {"bob_hw2.ipynb": BOOKS[TWO]}}
    intake = Intake(grow(tmp_path, work), ROOT)
    assert any("it is from eve, and bears the name of bob" in told for told in intake.remarks)


def test_an_id_from_part_of_a_name_stays(tmp_path):
    register = Register()
    class_ = grow(tmp_path / "c", both("files", ("ann_unit01", "ann_unit02")) | KINDS["files"]("HW2 - Ann Poe", TWO))
    Intake(class_, ROOT, register=register)
    roster = roster_of(tmp_path / "r", "Name,Username\nAnn Roe,aroe7\nAnna Poe,apoe2\n", register)
    assert list(roster.ids.values()) == ["ann", "apoe2"]
    intake = Intake(class_, ROOT, register=register, roster=roster)
    assert counted(intake) == [("Ann_Poe", TWO), ("ann", ONE), ("ann", TWO)]


def test_former_ids_of_a_sender_are_told(tmp_path):
    register = Register()
    class_ = grow(tmp_path / "c", both("files", ("Ann Roe_unit01", "ann_unit02")))
    assert not any(Intake(class_, ROOT, register=register).former.values())
    roster = roster_of(tmp_path / "r", "Name,Username\nAnn Roe,aroe7\n", register)
    former = Intake(class_, ROOT, register=register, roster=roster).former
    assert former == {("Ann_Roe", ONE): set(), ("Ann_Roe", TWO): {"ann"}}
