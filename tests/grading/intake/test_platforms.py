"""What learning platforms call what they export: specimens of each, and whose they are."""

import pytest

from autograder.grading.intake.find.missing import WithoutNotebook
from autograder.grading.intake.find.names import label_of
from autograder.grading.intake.find.pipeline import find
from autograder.grading.intake.find.platforms import PLATFORMS, read_export
from autograder.grading.intake.find.register import Register
from autograder.registry import units
from tests.support.handed_in import BOOK, FILE, OTHER, UNIT, book_of, counted, found, grow

IDS = [unit.id for unit in units()]
HERS = BOOK + b" "  # of another size
LABELS = {
    "397063-2557369 - Mary-Ann Lee - Sep 24, 2024 926 PM": (
        *("Mary-Ann Lee", "397063-2557369", "2024-09-24-21-26-00", ""),
    ),
    f"397063-2557369 - Bob Ray - Oct 3, 2024 1205 AM - {FILE}": (
        *("Bob Ray", "397063-2557369", "2024-10-03-00-05-00", UNIT),
    ),
    "7-8 - Zoé Öl - Sept 1, 2025 100 AM": ("Zoé Öl", "7-8", "2025-09-01-01-00-00", ""),
    "7-8 - Zoé Öl - 24 septembre 2024 09 h 26": ("Zoé Öl", "7-8", "", ""),
    f"anon_Xy3zQ_67890_{FILE}": ("anon_Xy3zQ", "Xy3zQ", "", UNIT),
    "LATE_anon_Xy3zQ_9_a_b.pdf": ("anon_Xy3zQ", "Xy3zQ", "", "a_b.pdf"),
    "leeann_12_67890_a_b": ("leeann", "12", "", "a_b"),
    "Participant_4711_assignsubmission_file_": ("Participant 4711", "4711", "", ""),
    "TeilnehmerIn_4711_assignsubmission_file": ("TeilnehmerIn 4711", "4711", "", ""),
    "1-2 - Eve - 2024_12_assignsubmission_file_": ("1-2 - Eve - 2024", "12", "", ""),
}
ROWS = [(number, name) for number, row in enumerate(PLATFORMS) for name in row.specimens]


@pytest.mark.parametrize(("number", "specimen"), ROWS, ids=[name for _, name in ROWS])
def test_a_specimen_is_read_by_its_row_only(number, specimen):
    label = PLATFORMS[number].specimens[specimen]
    assert [row.read(specimen) for row in PLATFORMS[: number + 1]] == [None] * number + [label]
    assert read_export(specimen) == label
    for ending in (".ipynb", ".zip"):
        assert label_of(f"{specimen}{ending}", IDS) == label


def test_every_row_has_a_specimen():
    assert all(row.specimens for row in PLATFORMS)


@pytest.mark.parametrize("name", LABELS)
def test_a_name_is_read_as_exported(name):
    one = label_of(name, IDS, is_file=True)
    assert (one.people[0], one.account, one.time, one.rest) == LABELS[name]


def test_a_file_in_brightspace_cannot_change_its_owner():
    one = label_of(f"7-8 - Eve - Sep 24, 2024 926 PM - bob_1_23456_{FILE}", IDS, is_file=True)
    assert (one.people, one.platform, one.rest) == (("Eve",), "Brightspace", f"bob_1_23456_{UNIT}")


@pytest.mark.parametrize("joint", ["/", " - "])
def test_brightspaces_dates_make_no_new_students(tmp_path, joint):
    register, names = Register(b"secret"), ("1001-77 - Ann Lee - {}", "1002-77 - Bob Ray - {}")
    for folder, unit, number in (("a", UNIT, 77), ("b", OTHER, 78)):
        times = ("Sep 24, 2024 926 PM", "Sep 25, 2024 803 AM")
        files = {names[0].format(time) + f"{joint}{unit}.ipynb": book_of(unit) + b" " + time.encode() for time in times}
        files |= {names[1].format(times[0]) + f"{joint}x.pdf": b"", "index.html": b""}
        files = {name.replace("-77", f"-{number}"): content for name, content in files.items()}
        result = find(grow(tmp_path / folder, files), units(), register)
        assert set(counted(result)) == {("Ann_Lee", unit[:2])}
        [one] = result.candidates
        assert [attempt.timestamp for attempt in one.attempts] == [
            "2024-09-25T08:03:00+00:00",
            "2024-09-24T21:26:00+00:00",
        ]
        assert one.attempts[0].item.read().endswith(b"803 AM")
        assert result.without_notebook == (WithoutNotebook("Bob_Ray", unit, "handed in something else (PDF)"),)
        assert result.refusals == ()
    assert register.given["Ann_Lee"]["accounts"] == {
        f"Brightspace {UNIT}": "1001-77",
        f"Brightspace {OTHER}": "1001-78",
    }


def test_canvass_anonymous_attempts_are_one_students(tmp_path):
    files = {f"anon_Xy3zQ_67890_{FILE}": BOOK, f"LATE_anon_Xy3zQ_67999_{UNIT}-1.ipynb": HERS}
    result = found(tmp_path, files | {f"anon_ab9dE_67891_{FILE}": BOOK})
    assert {one.student: len(one.attempts) for one in result.candidates} == {"anon_Xy3zQ": 2, "anon_ab9dE": 1}
    assert sum("Canvas gave numbers for 2 names" in remark for remark in result.remarks) == 1
    assert not any("The id of" in remark for remark in result.remarks)


@pytest.mark.parametrize("word", ["Participant", "Teilnehmerin", "Hluttakari"])
def test_blind_marking_is_told_once(tmp_path, word):
    result = found(tmp_path, {f"{word}_{n}_assignsubmission_file_/{FILE}": BOOK for n in (11, 12, 13)})
    assert {student for student, _ in counted(result)} == {f"{word}_{n}" for n in (11, 12, 13)}
    assert result.remarks == ("Moodle gave numbers for 3 names. They are this assignment's: another unit has others.",)


def test_namesakes_are_told_in_one_sentence(tmp_path):
    result = found(tmp_path, {f"Ann Lee_{n}_assignsubmission_file_/{FILE}": BOOK for n in (11, 12)})
    [remark] = result.remarks
    assert remark.startswith("Several students are called Ann Lee. Their ids are Ann_Lee (Moodle 11), Ann_Lee-")
    assert " (Moodle 12). A roster with the platform's numbers tells whose work it is" in remark


TEAMS = {"Team A-1": {"Ann Lee": 11, "Mary-Ann Ray": 12}, "Team A-2": {"Bob Oh": 13, "Carl May": 14}}


def handed_in(teams, contents, word=""):
    """Return Moodle's folders for teams, each with its content."""
    return {
        f"{team}-{word or name}_{number}_assignsubmission_file_/{FILE}": content
        for (team, members), content in zip(teams.items(), contents, strict=True)
        for name, number in members.items()
    }


def test_a_group_prefix_is_not_the_name(tmp_path):
    alone = {"Default group-Zoe Öl_15_assignsubmission_file_/x.pdf": b""}
    result = found(tmp_path, handed_in(TEAMS, (BOOK, HERS)) | alone)
    assert {student for student, _ in counted(result)} == {"Ann_Lee", "Mary-Ann_Ray", "Bob_Oh", "Carl_May"}
    assert [one.student for one in result.without_notebook] == ["Zoe_Öl"]
    groups = [one.attempts[0].sender.label.group for one in result.candidates]
    assert groups == ["Team A-1", "Team A-2", "Team A-2", "Team A-1"]
    [told] = [remark for remark in result.remarks if remark.startswith("Moodle put groups before the names")]
    assert all(group in told for group in ("Team A-1", "Team A-2", "Default group"))


def test_groups_may_be_marked_blind(tmp_path):
    result = found(tmp_path, handed_in(TEAMS, (BOOK, HERS), "Participant"))
    assert {student for student, _ in counted(result)} == {f"Participant_{n}" for n in (11, 12, 13, 14)}


@pytest.mark.parametrize(
    ("names", "contents"),
    [
        (("Ji-woo Kim", "Ji-hoon Park", "Min-jun Lee"), (BOOK, HERS, BOOK)),
        (("Anne-Marie Lee", "Bob Ray", "Anne-Sophie Oh"), (BOOK, BOOK, BOOK)),
        (("Anne-Marie Lee", "Mary-Ann Ray"), (BOOK, BOOK)),
    ],
)
def test_a_hyphen_in_a_name_is_no_group(tmp_path, names, contents):
    result = found(
        tmp_path,
        {
            f"{name}_{n}_assignsubmission_file_/{FILE}": content
            for n, (name, content) in enumerate(zip(names, contents, strict=True))
        },
    )
    assert {student for student, _ in counted(result)} == {name.replace(" ", "_") for name in names}


def test_a_file_may_bear_a_group_members_name(tmp_path):
    team = {f"Team A-{who}_assignsubmission_file_/bob_{FILE}": BOOK for who in ("ann_11", "bob_12")}
    result = found(tmp_path, team | {f"Team B-eve_13_assignsubmission_file_/bob_{FILE}": BOOK})
    assert not any(one.attempts[0].bears_another_name for one in result.candidates if one.student in ("ann", "bob"))
    [eve] = [one for one in result.candidates if one.student == "eve"]
    assert eve.attempts[0].bears_another_name


def test_original_names_are_kept_for_the_export(tmp_path):
    register = Register(b"secret")
    canvas, moodle = f"leeann_12345_67890_{FILE}", "Ann Lee_321_assignsubmission_file_"
    find(grow(tmp_path / "1", {canvas: BOOK, f"bob_{FILE}": BOOK}), units(), register)
    find(grow(tmp_path / "2", {f"{moodle}/{OTHER}.ipynb": book_of(OTHER)}), units(), register)
    register.write(tmp_path / "ids.json")
    assert register.given["leeann"] == {
        "name": "leeann",
        "accounts": {"Canvas": "12345"},
        "came as": {UNIT: canvas},
    }
    assert register.given["Ann_Lee"]["accounts"] == {f"Moodle {OTHER}": "321"}
    assert register.given["Ann_Lee"]["came as"] == {OTHER: moodle}
    assert "came as" not in register.given["bob"]
