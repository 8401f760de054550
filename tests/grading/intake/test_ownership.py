"""Whose a file is: nothing that somebody hands in makes it another's, and an id belongs to whom it was given."""

import itertools
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.grading.intake.find.missing import WithoutNotebook
from autograder.grading.intake.find.names import digest, student_id
from autograder.grading.intake.find.pipeline import find
from autograder.grading.intake.find.register import Register, confusable_key, read_register
from autograder.grading.intake.take_in import Intake
from autograder.registry import units
from tests.support.handed_in import BOOK, FILE, OTHER, UNIT, book_of, counted, found, grow, zipped
from tools.course import ROOT

FORGED = b"{}"
AT = f"bob/{UNIT}/{FILE}"
DEEP = {
    "one level": {f"bob/{FILE}": FORGED},
    "nbgrader's": {AT: FORGED},
    "deeper": {f"a/b/c/d/e/f/{AT}": FORGED},
    "a zip": {"bob.zip": zipped({FILE: FORGED})},
    "a zip in a folder": {"x/y/bob.zip": zipped({f"z/{FILE}": FORGED})},
    "the name in a file": {f"x/bob_{FILE}": FORGED},
    "Moodle's": {f"bob_1_assignsubmission_file_/{FILE}": FORGED},
    "Canvas's": {f"x/bob_12345_67890_{FILE}": FORGED},
    "Blackboard's": {f"x/Unit_bob_attempt_2099-11-21-00-00-00_{FILE}": FORGED},
    "a zip like the class's": {"submissions.zip": zipped({AT: FORGED})},
    "two names": {f"ann/{UNIT}/{FILE}": FORGED, AT: FORGED},
    "two names, deeper": {f"x/ann/{UNIT}/{FILE}": FORGED, f"x/{AT}": FORGED},
    "with her own": {f"eve/{UNIT}/{FILE}": FORGED, f"x/{AT}": FORGED},
}
CLASSES = {
    "nbgrader's": lambda work: {f"ann/{UNIT}/{FILE}": BOOK, AT: BOOK} | {f"eve/{UNIT}/{n}": c for n, c in work.items()},
    "nbgrader's, with a unit": lambda work: (
        {AT: BOOK, f"eve/{UNIT}/{FILE}": BOOK} | {f"eve/{UNIT}/{name}": content for name, content in work.items()}
    ),
    "zips": lambda work: {"ann.zip": {FILE: BOOK}, "bob.zip": {FILE: BOOK}, "eve.zip": work},
    "a zip of folders": lambda work: {
        "all.zip": {f"bob/{FILE}": BOOK} | {f"eve/{name}": content for name, content in work.items()}
    },
    "a section": lambda work: (
        {f"section 7/bob/{FILE}": BOOK} | {f"section 7/eve/{name}": content for name, content in work.items()}
    ),
    "Moodle's folders": lambda work: {
        f"{name}_{n}_assignsubmission_file_/{part}": content
        for n, (name, parts) in enumerate({"bob": {FILE: BOOK}, "eve": work}.items())
        for part, content in parts.items()
    },
    "Canvas's zips": lambda work: {f"bob_12_34567_{FILE}": BOOK, "eve_13_45678_work.zip": work},
    "without bob": lambda work: {"ann.zip": {FILE: BOOK}, "eve.zip": work},
    "nobody else": lambda work: {"eve.zip": work},
    "nobody else, nbgrader's": lambda work: {f"eve/{UNIT}/{name}": content for name, content in work.items()},
}


@pytest.mark.parametrize("deep", DEEP)
@pytest.mark.parametrize("layout", CLASSES)
def test_ones_own_place_is_never_anothers(tmp_path, layout, deep):
    result = found(tmp_path, CLASSES[layout](DEEP[deep]))
    of_others = [one for one in result.candidates if one.student != "eve"]
    assert {one.student for one in of_others} <= {"ann", "bob"}
    assert all(attempt.item.read() == BOOK for one in of_others for attempt in one.attempts)
    bob_is_there = any(one.student == "bob" for one in of_others)
    assert bob_is_there == ("bob" in str(CLASSES[layout]({})))


def test_another_name_is_refused_and_both_are_told(tmp_path):
    grow(tmp_path, {"bob.zip": {FILE: BOOK}, "eve.zip": {f"x/{AT}": FORGED, f"eve/{FILE}": BOOK}})
    intake = Intake(tmp_path, ROOT)
    bob, eve = (one.take_in() for one in intake)
    [sentence] = intake.refusals
    assert sentence == (
        f"eve.zip/x/{AT} was refused: it is from eve, and bears the name of bob. Ask both whose work it is."
    )
    assert (bob.content, eve.content) == (BOOK, BOOK)
    assert bob.notes == (
        "Somebody else handed in a notebook under this name. It does not count, and nothing else changes.",
    )
    assert eve.notes == (
        f"A notebook that was handed in here bears the name of another student, so it does not count: eve.zip/x/{AT}.",
    )


def test_a_sender_of_nothing_else_gets_a_verdict(tmp_path):
    grow(tmp_path, {"bob.zip": {FILE: BOOK}, "eve.zip": {AT: BOOK}})
    intake = Intake(tmp_path, ROOT)
    bob, eve = (one.take_in() for one in intake)
    assert bool(bob.code)
    assert (len(intake), intake.refusals) == (2, ())  # two files came in, and both have a verdict
    assert f"{eve.unreadable} Ask both whose work it is." in intake.remarks
    assert (eve.code, eve.content) == ((), b"")
    assert eve.unreadable == f"eve.zip/{AT} was refused: it is from eve, and bears the name of bob."


def test_of_several_names_those_of_students_are_told(tmp_path):
    forged = {f"{name}/{FILE}": FORGED for name in ("ann", "bob", "nobody else")}
    result = found(tmp_path, {"ann.zip": {FILE: BOOK}, "bob.zip": {FILE: BOOK}, "eve.zip": {FILE: BOOK} | forged})
    assert counted(result) == {(name, "02"): f"{name}.zip/{FILE}" for name in ("ann", "bob", "eve")}
    assert {(student, len(notes)) for (student, _), notes in result.notes.items()} == {
        ("ann", 1),
        ("bob", 1),
        ("eve", 2),
    }
    assert sum("under the names ann, bob, nobody else. If" in sentence for sentence in result.refusals) == 1
    assert sum("is from eve, and bears the name of" in sentence for sentence in result.refusals) == 2


def test_folders_of_ones_own_may_be_called_anything(tmp_path):
    names = ("transformer-course/notebooks", "final", "eve", "EVE", "x/y", "eve_1_assignsubmission_file_")
    for name in names:
        result = found(tmp_path / name, {"bob.zip": {FILE: BOOK}, "eve.zip": {f"{name}/{FILE}": BOOK}})
        assert counted(result) == {("bob", "02"): f"bob.zip/{FILE}", ("eve", "02"): f"eve.zip/{name}/{FILE}"}
        assert (result.refusals, result.notes) == ((), {})


def test_an_anonymous_zip_beside_students_is_nobodys(tmp_path):
    result = found(tmp_path, {"ann.zip": {FILE: BOOK}, "homework.zip": {f"bob/{FILE}": FORGED}})
    assert set(counted(result)) == {("ann", "02")}
    assert result.refusals[0].startswith("homework.zip was refused: its name does not say whose it is. If it is one")


def test_a_student_folder_named_new_stays_closed(tmp_path):
    """nbgrader's folder of a student with the id "new", who has put no notebook there but somebody else's."""
    result = found(tmp_path, {f"bob/{UNIT}/{FILE}": BOOK, f"new/{UNIT}/ann_{FILE}": FORGED})
    assert set(counted(result)) == {("bob", "02")}
    result = found(tmp_path / "alone", {f"new/{UNIT}/ann_{FILE}": FORGED})
    assert set(counted(result)) == set()
    assert len(result.refusals) == 1


def test_a_zip_named_after_a_student_is_theirs(tmp_path):
    work = {f"bob/{FILE}": FORGED, f"ann/{FILE}": FORGED, FILE: BOOK}
    grow(tmp_path, {"eve.zip": work})
    register = Register()
    for name in ("ann", "bob", "eve"):
        register.id_of(name, {})
    result = find(tmp_path / "eve.zip", units(), register)
    assert counted(result) == {("eve", "02"): f"eve.zip/{FILE}"}
    assert set(counted(find(tmp_path / "eve.zip", units()))) == {("ann", "02"), ("bob", "02")}


# ---- any tree at all

OWNERS = {
    "ann": "ann",
    "bob": "bob.zip",
    "eve": "eve_12_assignsubmission_file_",
    "joe": "joe_12345_67890_work.zip",
    "zoe": "x_zoe_attempt_2026-11-20-10-00-00",
    "07": "07.zip",
}
NAMES = (UNIT, OTHER, "x", "my work", "all", "new", "1", "submissions.zip", "..", "02", "ann.zip")
PARTS = st.sampled_from([*OWNERS, *OWNERS.values(), *NAMES])
NOTEBOOKS = st.sampled_from([FILE, f"{OTHER}.ipynb", f"bob_{FILE}", f"ann_1_2345678_{FILE}", "homework.ipynb", "a.pdf"])
TREES = st.lists(st.tuples(st.lists(PARTS, max_size=4), NOTEBOOKS), min_size=1, max_size=5)
CLASS = st.dictionaries(st.sampled_from(sorted(OWNERS)), TREES, min_size=1, max_size=4)
ABOVE = st.sampled_from(["", "section 1", "week 2.zip", f"submissions/{UNIT}"])


def packed(files):
    """Pack what lies below a part with the ending of a zip, from the inside outwards."""
    packs, loose = {}, {}
    for path, content in files.items():
        at = next((n for n, part in enumerate(path[:-1]) if part.endswith(".zip")), None)
        if at is None:
            loose["/".join(path)] = content
        else:
            packs.setdefault(path[: at + 1], {})[path[at + 1 :]] = content
    return loose | {"/".join(path): zipped(packed(below)) for path, below in packs.items()}


@settings(max_examples=40)
@given(CLASS, ABOVE)
def test_in_a_class_work_belongs_to_its_sender(work, above):
    assert_ownership(work, above)


@pytest.mark.exhaustive
@settings(max_examples=150)
@given(CLASS, ABOVE)
def test_in_any_class_work_belongs_to_its_sender(work, above):
    assert_ownership(work, above)


def assert_ownership(work, above):
    """Require that what somebody sent is theirs, whatever stands above it."""
    outer = tuple(above.split("/")) if above else ()
    files = {
        (*outer, OWNERS[owner], *parts, name): BOOK
        for owner, tree in work.items()
        for parts, name in tree
        if ".." not in parts or ".zip" in OWNERS[owner]
    }
    with tempfile.TemporaryDirectory() as folder:
        try:
            grow(Path(folder), packed(files))
        except (FileExistsError, NotADirectoryError, IsADirectoryError):  # a zip where another file has a folder
            return
        result = find(folder, units())
        for candidate in result.candidates:
            for attempt in candidate.attempts:
                assert OWNERS[candidate.student] == attempt.item.path[len(outer)]
        assert {one.student for one in result.without_notebook} <= set(work)


# ---- ids


def ids(*senders, register=None):
    register = register or Register(b"secret")
    return [register.id_of(name, accounts) for name, accounts in senders]


ANN, ANN_2, BIG_ANN = ("ann", {}), ("ann", {"Canvas": "2"}), ("Ann", {})


def test_an_id_that_was_given_stays(tmp_path):
    everybody = [ANN, BIG_ANN, ("\u0430nn", {}), ("a.n", {}), ("ann", {"Canvas": "1"}), ANN_2, ("Zoe", {})]
    for order in itertools.islice(itertools.permutations(everybody), 0, None, 97):
        at_once = ids(*order)
        assert len({confusable_key(id) for id in at_once}) == len(set(at_once))
        for half in range(len(order)):
            register = Register(b"secret")
            first = ids(*order[:half], register=register)
            register.write(tmp_path / "ids.json")
            register = read_register(tmp_path / "ids.json", b"secret")
            assert first + ids(*order[half:], register=register) == at_once
            assert ids(*order, register=register) == at_once


def test_no_name_takes_an_id_that_is_anothers():
    register = Register(b"secret")
    ann, second = ids(ANN, BIG_ANN, register=register)
    assert ann == "ann"
    for name in (second, second.upper(), f"Ann_{second[4:]}", f"\u0410nn-{second[4:]}", second.replace("1", "l")):
        assert ids((name, {}), register=register)[0] not in (ann, second)
    assert ids(ANN, BIG_ANN, register=register) == [ann, second]


def test_nobody_can_foresee_the_id_of_the_second():
    (_, one), (_, other) = (ids(ANN, BIG_ANN, register=Register()) for _ in range(2))
    assert one != other
    assert digest("Ann") not in one
    assert len(one) == len("Ann-") + 12


def test_namesakes_are_not_told_apart_by_name():
    """Moodle numbers anew for every assignment: where two have one name, neither gets the other's place."""
    register = Register(b"secret")
    first = ids(("ann", {"Moodle 02": "1"}), ("ann", {"Moodle 02": "2"}), register=register)
    later = ids(("ann", {"Moodle 03": "8"}), ("ann", {"Moodle 03": "9"}), register=register)
    assert len({*first, *later}) == 4
    assert ids(("ann", {"Moodle 02": "2"}), ("ann", {"Moodle 03": "9"}), register=register) == [first[1], later[1]]
    alone = Register(b"secret")
    ids(("ann", {"Moodle 02": "1"}), register=alone)
    assert alone.id_of("ann", {"Moodle 03": "9"}, several=True) != "ann"
    assert alone.id_of("ann", {"Moodle 04": "5"}) != "ann"


def test_the_longest_ids_fit_a_folder():
    register = Register(b"secret")
    given_ids = ids(*(("n" * 300, {"Canvas": str(n)}) for n in range(5)), register=register)
    assert len(set(given_ids)) == 5
    assert all(len(id.encode()) <= 96 for id in given_ids)


@pytest.mark.parametrize("text", ["", "[]", '{"ann": 1}', '{"ann": {"name": "ann"}}', '{"ann": '])
def test_an_unreadable_register_is_not_replaced(tmp_path, text):
    (tmp_path / "ids.json").write_text(text)
    with pytest.raises(ValueError, match="Take it from a backup"):
        read_register(tmp_path / "ids.json")
    assert read_register(tmp_path / "none.json").given == {}


def test_a_register_keeps_any_name(tmp_path):
    names = ["\udcff", "", "=1", "a\nb", "李雷", "\u202eb", "ids.json", "x" * 500]
    register = Register(b"secret")
    before = ids(*((name, {}) for name in names), register=register)
    register.write(tmp_path / "ids.json")
    json.loads((tmp_path / "ids.json").read_text())
    assert ids(*((name, {}) for name in names), register=read_register(tmp_path / "ids.json")) == before
    assert before[4] == student_id("李雷")


# ---- nothing

EMPTY = "nothing handed in"
AT_TEN = "attempt_2026-11-20-10-00-00"
BOB = {f"bob_2_34567_{FILE}": BOOK}
PLACES = [
    (BOB | {f"ann/{UNIT}/timestamp.txt": b"2026-11-20 10:00:00"}, UNIT, ""),
    (BOB | {f"ann/{UNIT}/.DS_Store": b"", f"ann/{UNIT}/work.pdf": b""}, UNIT, "PDF"),
    (BOB | {f"ann/{UNIT}/a.PY": b"", f"ann/{UNIT}/b/c": b""}, UNIT, "PY, a file of unknown kind"),
    (BOB | {"ann_1_assignsubmission_file_/a.b'<=>": b""}, UNIT, "a file of unknown kind"),
    (BOB | {"ann_1_assignsubmission_file_/x.ipynb": b"{}"}, UNIT, "a notebook of no unit"),
    (BOB | {"ann_1_assignsubmission_file_/x.zip": {}}, UNIT, ""),
    (BOB | {"ann_12_34567_work.zip": {}}, UNIT, ""),
    (BOB | {"ann_12_34567_essay.docx": b""}, UNIT, "DOCX"),
    (BOB | {f"bob_2_45678_{OTHER}.ipynb": book_of(OTHER), "ann_12_34567_x.pdf": b""}, "", "PDF"),
    ({"all.zip": {"ann_1_assignsubmission_file_/": b"", f"bob_2_assignsubmission_file_/{FILE}": BOOK}}, UNIT, ""),
    ({f"{OTHER}/ann_12_34567_x.pdf": b"", f"{UNIT}/bob_2_34567_{FILE}": BOOK}, OTHER, "PDF"),
    (BOB | {"ann_12_34567_x.pdf": b"", "ann_LATE_12_34568_y.docx": b""}, UNIT, "DOCX, PDF"),
    (BOB | {"ann_12_text.html": b""}, UNIT, "HTML"),
    (BOB | {"ann_LATE_12_link.html": b""}, UNIT, "HTML"),
    (BOB | {f"Unit 2_ann_{AT_TEN}.txt": b""}, UNIT, "TXT"),
    (BOB | {f"Unit 2_ann_{AT_TEN}.txt": b"", f"Unit 2_ann_{AT_TEN}_x.pdf": b""}, UNIT, "PDF, TXT"),
    ({"bob.zip": {FILE: BOOK}, "ann.zip": {"x/essay.pdf": b""}}, UNIT, "PDF"),
    ({f"bob/{FILE}": BOOK, "ann/essay.pdf": b"", "ann/photo.jpg": b""}, UNIT, "JPG, PDF"),
    ({f"bob_{FILE}": BOOK, f"ann_{UNIT}.pdf": b""}, UNIT, "PDF"),
    ({f"bob_{FILE}": BOOK, f"{OTHER} ann.html": b""}, OTHER, "HTML"),
]


@pytest.mark.parametrize(("files", "unit", "kinds"), PLACES)
def test_a_place_without_a_notebook_is_told(tmp_path, files, unit, kinds):
    result = found(tmp_path, files)
    assert {one.student for one in result.candidates} == {"bob"}
    words = f"handed in something else ({kinds})" if kinds else EMPTY
    assert result.without_notebook == (WithoutNotebook("ann", unit, words),)
    assert result.refusals == ()
    assert not any("Left aside" in remark for remark in result.remarks)


def test_a_document_without_a_name_is_told(tmp_path):
    result = found(tmp_path, {f"bob_{FILE}": BOOK, "essay.pdf": b"", "list.csv": b"", "bob.zip": {"notes.pdf": b""}})
    assert result.refusals == (
        "essay.pdf was refused: it is no notebook, and does not say whose it is. Ask for the notebook.",
    )
    assert result.without_notebook == ()
    aside = ["Left aside in bob.zip: notes.pdf.", "Left aside in the folder itself: list.csv."]
    assert sorted(result.remarks) == aside


def test_blackboards_note_beside_a_notebook_is_left_aside(tmp_path):
    result = found(tmp_path, {f"U_ann_{AT_TEN}_{FILE}": BOOK, f"U_ann_{AT_TEN}.txt": b""})
    assert set(counted(result)) == {("ann", "02")}
    assert result.without_notebook == ()


def test_missing_notebooks_belong_to_the_only_wanted_unit(tmp_path):
    grow(tmp_path, BOB | {f"bob_2_45678_{OTHER}.ipynb": book_of(OTHER), "ann_12_34567_x.pdf": b""})
    kind = "handed in something else (PDF)"
    assert Intake(tmp_path, ROOT, units=[UNIT]).without_notebook == [WithoutNotebook("ann", UNIT, kind)]
    assert Intake(tmp_path, ROOT, units=[UNIT, OTHER]).without_notebook == [WithoutNotebook("ann", "", kind)]


def test_an_empty_folder_is_told(tmp_path):
    (tmp_path / "ann" / UNIT).mkdir(parents=True)
    (tmp_path / "bob").mkdir()
    (tmp_path / "eve_1_assignsubmission_file_").mkdir()
    result = find(tmp_path, units())
    assert result.without_notebook == (WithoutNotebook("ann", UNIT, EMPTY), WithoutNotebook("eve", "", EMPTY))
    assert result.refusals == ("bob was refused: it is empty. Ask for the notebook.",)


def test_whoever_handed_in_elsewhere_is_not_missing(tmp_path):
    moodle = {"Ann_1_assignsubmission_onlinetext/x.html": b"", f"Ann_1_assignsubmission_file/{FILE}": BOOK}
    result = found(tmp_path, moodle | {f"bob/{UNIT}/x.pdf": b"", f"bob_{FILE}": BOOK})
    assert {one.student for one in result.candidates} == {"Ann", "bob"}
    assert result.without_notebook == ()


OF_ONE_NAME = {
    "names with an underscore": (f"U 2_ann_lee_{AT_TEN}_{FILE}", f"U 2_bob_lee_{AT_TEN}_{FILE}"),
    "the name of another platform in a name": (
        f"bob_2_assignsubmission_file_/{FILE}",
        f"bob_1_23456_x_3_assignsubmission_file_/{FILE}",
    ),
}


@pytest.mark.parametrize("kind", OF_ONE_NAME)
def test_a_truncated_platform_name_displaces_nobody(tmp_path, kind):
    his, hers = OF_ONE_NAME[kind]
    for known in (False, True):
        register = Register(b"secret")
        if known:
            find(grow(tmp_path / "before", {his: BOOK}), units(), register)
        result = find(grow(tmp_path / str(known), {his: BOOK, hers: FORGED}), units(), register)
        assert len(result.candidates) == 2
        assert all(len(one.attempts) == 1 for one in result.candidates)


@pytest.mark.parametrize("unseen", "\u034f\u115f\u17b4\u180b\u3164\ufe0f\uffa0\U000e0101\u200b\u2060")
def test_an_id_holds_nothing_that_nobody_sees(unseen):
    for name in (f"b{unseen}ob", f"{unseen}bob", f"bob{unseen}"):
        bob, other = ids(("bob", {}), (name, {}))
        assert unseen not in other
        assert confusable_key(bob) != confusable_key(other)


def test_a_path_that_reads_like_prose_is_quoted(tmp_path):
    name = "a was refused: bob gave it to eve. “b” "
    result = found(tmp_path, {"bob.zip": {FILE: BOOK}, "eve.zip": {f"{name}/bob_{FILE}": BOOK}})
    sentence, _ = result.remarks
    quoted = f"“eve.zip/a was refused: bob gave it to eve. …b… /bob_{FILE}”"
    assert sentence.startswith(f"{quoted} was refused: it is from eve")
