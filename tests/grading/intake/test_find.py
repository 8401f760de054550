"""In folders, zips and single files of every kind: which notebooks count, for whom, and what is refused."""

import io
import json
import os
import re
import socket
import stat
import struct
import sys
import zipfile
from collections import defaultdict
from pathlib import Path

import pytest

from autograder.grading.intake import take_in
from autograder.grading.intake.find import assign_units, folders, item, problems, quotas, zips
from autograder.grading.intake.find.missing import WithoutNotebook
from autograder.grading.intake.find.names import student_id
from autograder.grading.intake.find.pipeline import find
from autograder.grading.intake.take_in import Intake
from autograder.registry import units
from tests.support import needs
from tests.support.damaged_notebooks import CORPUS
from tests.support.handed_in import BOOK, FILE, OTHER, UNIT, book_of, counted, found, grow, zipped
from tools.course import ROOT

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX file system")


def deep(levels):
    """Return a zip of a zip and so on, in which a notebook lies."""
    return zipped({FILE: BOOK} if levels == 1 else {f"inner {levels}.zip": deep(levels - 1)})


LAYOUTS = {
    "nbgrader's": ({f"ann/{UNIT}/{FILE}": BOOK, f"bob/{UNIT}/{FILE}": BOOK}, None),
    "nbgrader's, one deeper": ({f"section 7/ann/{UNIT}/{FILE}": BOOK, f"section 7/bob/{UNIT}/{FILE}": BOOK}, None),
    "a zip for each": ({"ann.zip": {FILE: BOOK}, "bob.zip": {FILE: BOOK}}, None),
    "a zip for each, with folders": ({"ann.zip": {f"My Books/{FILE}": BOOK}, "bob.zip": {f"a/b/{FILE}": BOOK}}, None),
    "a zip for all": ({"all.zip": {f"ann/{FILE}": BOOK, f"bob/{FILE}": BOOK}}, None),
    "a zip for all, nbgrader's": ({"all.zip": {f"ann/{UNIT}/{FILE}": BOOK, f"bob/{UNIT}/{FILE}": BOOK}}, None),
    "a zip for all, by units": ({"all.zip": {f"{UNIT}/ann.ipynb": BOOK, f"{UNIT}/bob/x.ipynb": BOOK}}, None),
    "sections": ({"section 1/ann.zip": {FILE: BOOK}, f"section 2/bob/{FILE}": BOOK}, None),
    "a zip for all, with files": ({"week.zip": {f"ann_{FILE}": BOOK, f"{UNIT}_bob.ipynb": BOOK}}, None),
    "a zip of zips": ({"week.zip": {"ann.zip": zipped({FILE: BOOK}), "bob.zip": zipped({FILE: BOOK})}}, None),
    "zips in zips": ({"ann.zip": deep(4), "bob.zip": {"week.zip": deep(3)}}, None),
    "files": ({f"ann_{FILE}": BOOK, f"{UNIT}-bob.ipynb": BOOK}, None),
    "other cases and joints": ({f"ann {UNIT.upper().replace('_', ' ')}.IPYNB": BOOK, f"bob-{FILE}.txt": BOOK}, None),
    "numbers for names": ({f"4711/{FILE}": BOOK, f"{UNIT}_123456.ipynb": BOOK}, {"4711", "123456"}),
    "a numbered class": ({"01.zip": {FILE: BOOK}, "02.zip": {f"1/{FILE}": BOOK, f"2/{FILE}": BOOK}}, {"01", "02"}),
    "folders inside nbgrader's": ({f"ann/{UNIT}/{place}{FILE}": BOOK for place in ("", "one/", "two/")}, {"ann"}),
    "names that are words": ({f"new/{UNIT}/{FILE}": BOOK, f"042/{UNIT}/{FILE}": BOOK}, {"new", "042"}),
    "from a browser": ({f"ann/{UNIT}_{FILE}": BOOK, f"bob_{UNIT}_{UNIT} (1).ipynb": BOOK}, None),
    "attempts in folders": (
        {f"ann/{n}/{FILE}": BOOK for n in (1, 2)} | {f"bob/v{n}/{FILE}": BOOK for n in (1, 2)},
        None,
    ),
    "the unit by what is in it": ({"ann.ipynb": BOOK, "bob/homework.ipynb": BOOK}, None),
    "Moodle": (
        {
            f"Ann Lee_12345_assignsubmission_file_/{FILE}": BOOK,
            f"Bob_12346_assignsubmission_file/{UNIT} (1).ipynb": BOOK,
            "Bob_12346_assignsubmission_onlinetext/onlinetext.html": b"",
            f"Zoë Öl_9_assignsubmission_file_{FILE}": BOOK,
        },
        {"Ann_Lee", "Bob", "Zoë_Öl"},
    ),
    "Canvas": (
        {
            f"leeann_12345_67890_{FILE}": BOOK,
            f"olzoe_LATE_12346_67891_{UNIT}-1.ipynb": BOOK,
            "kimjo_12347_67892_homework.zip": {FILE: BOOK},
            "doebob_12348_67893_homework.ipynb": BOOK,
        },
        {"leeann", "olzoe", "kimjo", "doebob"},
    ),
    "Canvas, one zip": ({"submissions.zip": {f"leeann_12345_67890_{FILE}": BOOK}}, {"leeann"}),
    "Blackboard": (
        {
            f"Unit 2_annlee_attempt_2026-11-20-10-00-00_{FILE}": BOOK,
            f"{UNIT}_bob_attempt_2026-11-20-10-00-00_mine.ipynb": BOOK,
            f"{UNIT}_bob_attempt_2026-11-20-10-00-00.txt": b"",
        },
        {"annlee", "bob"},
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_tells_whose_a_notebook_is(tmp_path, layout):
    files, expected = LAYOUTS[layout]
    result = found(tmp_path, files)
    assert set(counted(result)) == {(student, "02") for student in expected or ("ann", "bob")}
    assert result.refusals == ()
    assert all(candidate.attempts[0].item.read() == BOOK for candidate in result.candidates)


# What may be the whole class's or one student's, as far as its name tells.
UNCLEAR = {
    "CS-2-77.zip": {"CS-2-77.zip": {f"{name}_1_assignsubmission_file_/{FILE}": BOOK for name in ("ann", "bob")}},
    "a Moodle folder": {f"a Moodle folder/{n}_{n}_assignsubmission_file_/{FILE}": BOOK for n in (12, 13)},
    "x.zip": {"x.zip": {f"ann/{UNIT}/{FILE}": BOOK, f"bob/{UNIT}/{FILE}": BOOK}},
    "group 7": {f"group 7/ann/{UNIT}/{FILE}": BOOK, f"group 7/bob/{UNIT}/{FILE}": BOOK},
    "a group.zip": {"a group.zip": {f"a group/ann_{FILE}": BOOK, f"a group/bob_{FILE}": BOOK}},
}


@pytest.mark.parametrize("name", UNCLEAR)
def test_an_ambiguous_container_must_be_named(tmp_path, name):
    result = found(tmp_path, UNCLEAR[name])
    assert result.candidates == ()
    [sentence] = result.refusals
    assert sentence.startswith(f"{name} was refused: it holds notebooks under the names ")
    assert sentence.endswith(f"grade it by itself: `course grade .../{name}`.")
    named = find(tmp_path / name, units())
    expected = {"12", "13"} if name == "a Moodle folder" else {"ann", "bob"}
    assert {student for student, _ in counted(named)} == expected
    assert named.refusals == ()


def test_a_single_zip_or_notebook_will_do(tmp_path):
    grow(tmp_path, {"ann.zip": {FILE: BOOK}, f"bob_{FILE}": BOOK})
    assert set(counted(find(tmp_path / "ann.zip", units()))) == {("ann", "02")}
    assert set(counted(find(tmp_path / f"bob_{FILE}", units()))) == {("bob", "02")}


@pytest.mark.parametrize("file", ["ann.zip", "leeann_12345_67890_work.zip"])
def test_too_deep_a_zip_has_its_line(tmp_path, file):
    """With the reason among what was refused."""
    result = found(tmp_path, {file: deep(5), f"bob_2_34567_{FILE}": BOOK, "eve.zip": deep(4)})
    assert set(counted(result)) == {("bob", "02"), ("eve", "02")}
    [ann] = result.without_notebook
    assert (ann.student[-3:], ann.unit, ann.words) == ("ann", UNIT, "handed in something else (ZIP)")
    [why] = result.refusals
    assert why.startswith(f"{file}/inner 5.zip/")
    assert "it lies in 4 zips" in why


NAMED_AS_OTHER = f"is named after {OTHER}, and its cells are those of {UNIT}, so it counts as that."
WITHOUT_IDS = json.dumps({"cells": [cell | {"metadata": {}, "id": ""} for cell in json.loads(BOOK)["cells"]]})


@pytest.mark.parametrize(
    "content", [BOOK, BOOK.decode().encode("utf-16"), WITHOUT_IDS.encode()], ids=["whole", "UTF-16", "without ids"]
)
@pytest.mark.parametrize(
    "name", [f"ann_{OTHER}.ipynb", f"ann_1_2345678_{OTHER}.ipynb", f"{OTHER}/ann.ipynb", f"ann/{OTHER}/{OTHER}.ipynb"]
)
def test_clear_content_decides_against_a_name(tmp_path, name, content):
    result = found(tmp_path, {name: content, name.replace("ann", "bob").replace("_1_", "_2_"): book_of(OTHER)})
    assert set(counted(result)) == {("ann", "02"), ("bob", "03")}
    assert f"{name} {NAMED_AS_OTHER}" in result.remarks
    told = [(one.student, one.unit, one.words) for one in result.without_notebook]
    in_a_folder = name.startswith("ann/")
    assert told == [("ann", OTHER, "handed in something else (a notebook of another unit)")] * in_a_folder


def test_unclear_content_leaves_the_name(tmp_path):
    """A few cells of another unit, cells of both, or what cannot be read in time are no reason."""
    cells = json.loads(BOOK)["cells"]
    few = {"cells": [cell for cell in cells if "attention_scores" in json.dumps(cell["metadata"])]}
    both = {"cells": cells + json.loads(book_of(OTHER))["cells"]}
    contents = {"ann": b"", "bob": json.dumps(few).encode(), "eve": json.dumps(both).encode(), "zoe": b"{" * 100_000}
    result = found(tmp_path, {f"{who}_{OTHER}.ipynb": content for who, content in contents.items()})
    assert set(counted(result)) == {(who, "03") for who in contents}
    assert result.remarks == ()


def test_units_of_one_student_stay_together(tmp_path):
    course = {f"transformer-course/notebooks/{unit}/{unit}.ipynb": book_of(unit) for unit in (UNIT, OTHER)}
    result = found(tmp_path, {"ann.zip": course, "bob.zip": {FILE: BOOK}})
    assert set(counted(result)) == {("ann", "02"), ("ann", "03"), ("bob", "02")}


def test_the_latest_attempt_counts_and_others_are_told(tmp_path):
    result = found(
        tmp_path,
        {
            f"Unit_ann_attempt_2026-11-20-10-00-00_{FILE}": b"old",
            f"Unit_ann_attempt_2026-11-21-09-00-00_{FILE}": BOOK,
            f"leebob_12345_67890_{FILE}": b"old",
            f"leebob_12345_67999_{UNIT}-2.ipynb": BOOK,
            f"leebob_12345_67998_{UNIT}-1.ipynb": b"old",
            f"carl/{UNIT}/{FILE}": BOOK,
            f"carl/{UNIT}/{UNIT}-Copy1.ipynb": b"old",
            f"carl/{UNIT}/old/{FILE}": b"old",
            f"dora/{UNIT}_{UNIT} (2).ipynb": BOOK,
            f"dora/{UNIT}_{UNIT}(1).ipynb": b"old",
            f"dora/{UNIT}_{FILE}": b"old",
        },
    )
    assert [c.student for c in result.candidates] == ["ann", "carl", "dora", "leebob"]
    assert all(candidate.attempts[0].item.read() == BOOK for candidate in result.candidates)
    assert [len(candidate.attempts) for candidate in result.candidates] == [2, 3, 3, 3]
    assert result.candidates[0].attempts[0].timestamp == "2026-11-21T09:00:00+00:00"
    assert [
        candidate.choice().partition(" counts, ")[2].partition(", and not")[0] for candidate in result.candidates
    ] == [
        "by the time that the platform noted",
        "",
        "",
        "by the number that Canvas gave it",
    ]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        (b"2026-11-20 10:00:00.000000 UTC\n", "2026-11-20T10:00:00+00:00"),
        (b"2026-11-20T10:00:00+02:00", "2026-11-20T08:00:00+00:00"),
        (b"2026-11-20T10:00:00", "2026-11-20T10:00:00+00:00"),
        (b"yesterday", ""),
        (b"", ""),
        (b"\xff\xfe" * 1000, ""),
        (b"9" * 100, ""),
    ],
)
def test_nbgraders_time_is_read(tmp_path, text, time):
    result = found(tmp_path, {f"ann/{UNIT}/{FILE}": BOOK, f"ann/{UNIT}/timestamp.txt": text})
    assert result.candidates[0].attempts[0].timestamp == time
    assert len(result.remarks) == (not time)


def test_files_beside_a_notebook_are_named_and_left(tmp_path):
    beside = {f"ann/{UNIT}/{name}": b"raise SystemExit" for name in ("numpy.py", "data.csv", ".DS_Store", "x.so")}
    beside |= {f"ann/{UNIT}/.ipynb_checkpoints/{UNIT}-checkpoint.ipynb": BOOK, "START_HERE.ipynb": b'{"cells": []}'}
    beside |= {f"ann/{UNIT}/._{FILE}": b"", f"ann/{UNIT}/.git/config": b"", ".vscode/settings.json": b""}
    result = found(
        tmp_path, {f"ann/{UNIT}/{FILE}": BOOK, "bob.zip": {FILE: BOOK, "__MACOSX/._x": b"", "n.py": b""}} | beside
    )
    assert counted(result) == {("ann", "02"): f"ann/{UNIT}/{FILE}", ("bob", "02"): f"bob.zip/{FILE}"}
    assert sorted(result.remarks) == [
        f"Left aside in ann/{UNIT}: data.csv, numpy.py, x.so.",
        "Left aside in bob.zip: n.py.",
        "Left aside in the folder itself: START_HERE.ipynb.",
    ]


DOT = "its name begins with a dot, like those of programs' own files. If it is somebody's work, rename it."
COPIES = "these are copies that Jupyter makes, and the notebook itself is not there. Ask for it."
HIDDEN = {  # what is handed in, and which part of it is told
    "a folder": (f".ann/{UNIT}/{FILE}", ".ann", DOT),
    "a folder with a file": (f".ann/{FILE}", ".ann", DOT),
    "a notebook": (f"._carl_{FILE}", f"._carl_{FILE}", DOT),
    "a notebook in a folder": (f"ann/{UNIT}/.{FILE}", f"ann/{UNIT}/.{FILE}", DOT),
    "a zip of copies": ({f".ipynb_checkpoints/{UNIT}-checkpoint.ipynb": BOOK}, "max.zip/.ipynb_checkpoints", COPIES),
    "a folder in a zip": ({f"x/.work/{FILE}": BOOK, "x/y.txt": b""}, "max.zip/x/.work", DOT),
}


@pytest.mark.parametrize(("given", "place", "why"), HIDDEN.values(), ids=HIDDEN)
def test_hidden_work_is_told(tmp_path, given, place, why):
    files = {"max.zip": given} if isinstance(given, dict) else {given: BOOK}
    result = found(tmp_path, files | {f"bob/{UNIT}/{FILE}": BOOK})
    assert [text for text in result.refusals if "dot" in text or "copies" in text] == [f"{place} was refused: {why}"]
    assert counted(result) == {("bob", "02"): f"bob/{UNIT}/{FILE}"}
    assert not any("empty" in text for text in result.refusals)


def test_what_is_hidden_beside_a_notebook_is_remarked(tmp_path):
    result = found(tmp_path, {f"bob/{FILE}": BOOK, f"bob/.venv/lib/{OTHER}.ipynb": BOOK})
    assert result.refusals == ()
    assert [text for text in result.remarks if ".venv" in text] == [f"bob/.venv was refused: {DOT}"]


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("ann", "ann"),
        ("Ann Lee", "Ann_Lee"),
        ("ann@uni.example", "ann@uni.example"),
        ("李雷", "李雷"),
        ("हिन्दी", "हिन्दी"),
        ("=HYPERLINK(1)", "HYPERLINK_1"),
        ("-rf", "rf"),
        ("../../etc", "etc"),
        ("a*b?[c]{d}", "a_b_c_d"),
        ("x\n\x00\u202ey", "x_y"),
        ("@SUM", "SUM"),
        ("end.", "end"),
    ],
)
def test_ids_are_safe_for_nbgrader_and_file_systems(name, id):
    assert student_id(name) == id


@pytest.mark.parametrize("name", ["", "...", "con", "LPT1.x", "😀", "n" * 300, "é" * 300, "\udcff"])
def test_names_that_make_no_id_get_one(name):
    assert student_id(name) != student_id(name + "x")
    assert 0 < len(student_id(name).encode()) < 150
    assert student_id(student_id(name)) == student_id(name)


def test_two_students_never_get_one_id(tmp_path):
    names = ("Ann Lee", "Ann_Lee", "ann_lee")
    result = found(tmp_path, {f"{name}/{UNIT}/{FILE}": BOOK for name in names} | {"Ann, Lee.zip": {FILE: BOOK}})
    ids = {candidate.student.casefold() for candidate in result.candidates}
    assert len(ids) == 4
    assert "ann_lee" in ids
    assert sum("because another student has one like it" in remark for remark in result.remarks) == 3


def test_a_name_is_the_same_in_any_encoding(tmp_path):
    zoe = {f"Zoe\u0308/{FILE}": BOOK, f"Zo\u00eb/{UNIT}-1.ipynb": BOOK}
    result = found(tmp_path, {"class.zip": zoe | {f"bob/{FILE}": BOOK}})
    assert {candidate.student: len(candidate.attempts) for candidate in result.candidates} == {"bob": 1, "Zo\u00eb": 2}


def test_accounts_tell_students_of_one_name_apart(tmp_path):
    moodle = {f"Ann_{n}_assignsubmission_file_/{FILE}": BOOK for n in (1, 2)}
    canvas = {f"bob_7_12345_{FILE}": BOOK, f"bob_8_12346_{OTHER}.ipynb": book_of(OTHER), f"bob_8_12347_{FILE}": BOOK}
    carl = {f"Carl_{n}_assignsubmission_file_/{unit}.ipynb": book_of(unit) for n, unit in ((3, UNIT), (4, OTHER))}
    result = found(tmp_path, moodle | canvas | carl)
    students = defaultdict(set)
    for student, unit in counted(result):
        students[re.sub("-[0-9a-f]{12}$", "-*", student)].add(unit)
    assert students == {"Ann": {"02"}, "Ann-*": {"02"}, "Carl": {"02", "03"}, "bob": {"02"}, "bob-*": {"02", "03"}}


@pytest.mark.parametrize(
    "forged",
    [
        {"mallory.zip": {f"ann/{FILE}": b"", f"bob/{FILE}": b"", FILE: BOOK}},
        {"mallory.zip": {f"ann_{FILE}": b"", f"bob_{FILE}": b""}},
        {"mallory.zip": {f"ann_12345_67890_{FILE}": b""}},
        {"mallory.zip": {f"Ann_1_assignsubmission_file_/{FILE}": b""}},
        {f"mallory_12345_67890_ann_12345_67890_{FILE}": b""},
        {f"mallory_12345_67890_ann_attempt_2026-11-21-00-00-00_{FILE}": b""},
        {f"mallory_attempt_2026-11-21-00-00-00_ann_attempt_2026-11-22-00-00-00_{FILE}": b""},
        {f"X_mallory_attempt_2026-11-21-00-00-00_ann_attempt_2026-11-22-00-00-00_{FILE}": b""},
        {
            f"mallory/{UNIT}/ann_12345_67890_{FILE}": b"",
            f"mallory/{UNIT}/ann/{FILE}": b"",
            f"mallory/{UNIT}/{FILE}": b"",
        },
    ],
)
def test_nobody_hands_in_for_somebody_else(tmp_path, forged):
    result = found(tmp_path, {"ann.zip": {FILE: BOOK}, "bob.zip": {FILE: BOOK}} | forged)
    for candidate in result.candidates:
        if candidate.student in ("ann", "bob"):
            assert [attempt.item.read() for attempt in candidate.attempts] == [BOOK]
    assert {("ann", "02"), ("bob", "02")} <= set(counted(result)) <= {("ann", "02"), ("bob", "02"), ("mallory", "02")}


def member(name, **fields):
    """Return the description of a member of a zip."""
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    for field, value in fields.items():
        setattr(info, field, value)
    return info


def encrypted(content):
    """Set the flag of encryption in every header of a zip."""
    changed = bytearray(content)
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = changed.find(signature)
        while start >= 0:
            changed[start + offset] |= 1
            start = changed.find(signature, start + 4)
    return bytes(changed)


def claiming(content, size):
    """Let the list of a zip's members claim another size."""
    changed, start = bytearray(content), content.index(b"PK\x01\x02")
    changed[start + 24 : start + 28] = size.to_bytes(4, "little")
    return bytes(changed)


REFUSED = {
    "climbs out": ({f"../../{FILE}": BOOK}, "leads out of the zip"),
    "climbs out in Windows": ({f"..\\..\\{FILE}": BOOK}, "leads out of the zip"),
    "absolute": ({f"/etc/{FILE}": BOOK}, "leads out of the zip"),
    "with a drive": ({f"C:\\{FILE}": BOOK}, "leads out of the zip"),
    "a link": ({member(FILE, external_attr=(stat.S_IFLNK | 0o777) << 16): b"/etc/passwd"}, "a link"),
    "a pipe": ({member(FILE, external_attr=(stat.S_IFIFO | 0o777) << 16): b""}, "not a file"),
    "a bomb": ({FILE: bytes(40 << 20)}, "zip bomb"),
    "too large": (zipped({member(FILE, compress_type=0): b"x" * 100}), "more than 64"),
    "too deep": ({"a.zip": zipped({"b.zip": deep(3)})}, "it lies in 4 zips, one in the other. Unpack the outer ones."),
    "encrypted": (encrypted(zipped({FILE: BOOK})), "it is encrypted. Ask"),
    "a long name": ({"x" * 5000 + FILE: BOOK}, "more than 1000 characters"),
    "packed otherwise": ({member(FILE, compress_type=zipfile.ZIP_LZMA): BOOK}, "unusual way"),
    "damaged": (zipped({FILE: os.urandom(500)}).replace(b"PK\x01\x02", b"PK\x01\x03"), "cannot be read as a zip"),
    "damaged inside": (zipped({FILE: BOOK})[:200] + bytes(50) + zipped({FILE: BOOK})[250:], "cannot be unpacked"),
    "cut off": (zipped({FILE: BOOK})[:-30], "cannot be read as a zip"),
    "empty": (b"", "cannot be read as a zip"),
    "no zip": (b"<html>not found</html>" * 100, "cannot be read as a zip"),
    "another archive": ({"work.tar.gz": b""}, "kind of archive"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_dangerous_zip_is_refused_alone(tmp_path, monkeypatch, kind):
    content, reason = REFUSED[kind]
    if kind == "too large":
        content = claiming(content, 65 << 20)
        monkeypatch.setattr(zips, "MAX_RATIO", 1 << 40)
    grow(tmp_path, {"ann.zip": {FILE: BOOK}, "evil.zip": content, "zoe.zip": {FILE: BOOK}})
    intake = Intake(tmp_path, ROOT)
    good = {one.student: one.take_in() for one in intake}
    assert [bool(good[student].code) for student in ("ann", "zoe")] == [True, True]
    evil = good.pop("evil", None)
    sentences = [*intake.refusals, *intake.remarks, *([evil.unreadable] if evil else [])]
    assert set(good) == {"ann", "zoe"}
    assert [
        sentence for sentence in sentences if reason in sentence and "evil.zip" in sentence and sentence.endswith(".")
    ]
    assert evil or intake.refusals


def test_an_oversized_zip_is_refused(tmp_path, monkeypatch):
    grow(tmp_path, {"evil.zip": {f"{number}.txt": b"x" * 100 for number in range(30)} | {FILE: BOOK}})
    for name, limit in (("MAX_MEMBERS", 30), ("MAX_UNPACKED", 3000), ("MAX_LISTING", 1000)):
        with monkeypatch.context() as patch:
            patch.setattr(zips, name, limit)
            result = find(tmp_path, units())
            assert (result.candidates, len(result.refusals)) == ((), 1)
    assert len(find(tmp_path, units()).candidates) == 1


@pytest.mark.parametrize("name", [".", "./.", "/", "//"])
def test_a_member_without_a_name_is_nobodys(tmp_path, name):
    grow(tmp_path, {"ann.zip": {name: BOOK, FILE: BOOK}})
    assert counted(find(tmp_path, units())) == {("ann", "02"): f"ann.zip/{FILE}"}


@pytest.mark.parametrize("before", [b"", b"#!/bin/sh\n"], ids=["alone", "behind a program"])
@pytest.mark.parametrize("packed", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("streamed", [False, True])
def test_members_are_read_as_zipfile_reads_them(tmp_path, before, packed, streamed):
    """Of a zip that was written to a pipe, or that stands behind a program, too."""
    file, contents = io.BytesIO(), {f"{n}/{FILE}": BOOK[: 9000 * n] for n in range(5)}
    file.seekable = lambda: not streamed
    with zipfile.ZipFile(file, "w", packed) as archive:
        archive.comment = b"of a zip"
        for name, content in contents.items():
            archive.writestr(name, content)
    (tmp_path / "ann.zip").write_bytes(before + file.getvalue())
    read = {item.path[1:]: item for item in folders.items(tmp_path) if not item.is_folder}
    assert {"/".join(path): item.read() for path, item in read.items()} == contents
    assert {item.size for item in read.values()} == set(map(len, contents.values()))


def test_a_size_that_lies_does_not_help(tmp_path, monkeypatch):
    monkeypatch.setattr(zips, "MAX_FILE", 1 << 20)
    grow(tmp_path, {"evil.zip": claiming(zipped({FILE: os.urandom(2 << 20)}), 100)})
    [one] = Intake(tmp_path, ROOT)
    assert one.content == b""
    assert one.take_in().unreadable.startswith(f"evil.zip/{FILE} was refused: ")


@POSIX
def test_nothing_but_files_is_opened(tmp_path):
    """Links, pipes and sockets under the name of a notebook: a verdict for each, without waiting for one of them."""
    outside = tmp_path / "outside" / FILE
    grow(tmp_path, {f"outside/{FILE}": BOOK, f"class/zoe/{UNIT}/{FILE}": BOOK, f"class/zoe/{UNIT}/more.txt": b""})
    places = {kind: tmp_path / "class" / kind / UNIT / FILE for kind in ("link", "dangling", "loop", "pipe", "sock")}
    for place in places.values():
        place.parent.mkdir(parents=True)
    places["link"].symlink_to(outside)
    places["dangling"].symlink_to("/nonexistent")
    places["loop"].symlink_to(places["loop"])
    os.mkfifo(places["pipe"])
    (tmp_path / "class" / "folder").symlink_to(tmp_path / "outside")
    here = Path.cwd()
    os.chdir(places["sock"].parent)  # a socket's path must be short
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(FILE)
            taken = {one.student: one.take_in() for one in Intake(tmp_path / "class", ROOT)}
            refusals = find(tmp_path / "class", units()).refusals
    finally:
        os.chdir(here)
    words = {student: made.unreadable for student, made in taken.items()}
    assert words.pop("zoe") == ""
    kinds = {"link": "a link", "dangling": "a link", "loop": "a link", "pipe": "a pipe", "sock": "a socket"}
    assert {student: kind in words[student] for student, kind in kinds.items()} == dict.fromkeys(words, True)
    assert refusals == ("folder was refused: it is a link. Ask for the notebook again.",)


@POSIX
def test_odd_names_and_depths_do_no_harm(tmp_path):
    odd = [b"new\nline", b"\xff\xfe", b"tab\there", b"'; rm -r *", b"$(id)", b"-n", b"a" * 200, "\u202etxt".encode()]
    for name in odd:
        folder = os.path.join(os.fsencode(tmp_path), name)
        os.makedirs(os.path.join(folder, UNIT.encode()))
        Path(os.fsdecode(os.path.join(folder, UNIT.encode(), FILE.encode()))).write_bytes(BOOK)
    grow(tmp_path, {"/".join(["deep"] * 30) + f"/{FILE}": BOOK})
    result = find(tmp_path, units())
    assert len(result.candidates) == len(odd)
    assert all(text.isprintable() for text in (*result.refusals, *result.remarks))
    assert len(result.refusals) == 1
    assert "folders deep" in result.refusals[0]


@needs.ordinary_user
def test_what_may_not_be_read_is_refused(tmp_path):
    grow(tmp_path, {f"ann/{UNIT}/{FILE}": BOOK, f"bob/{UNIT}/{FILE}": BOOK})
    (tmp_path / "ann" / UNIT / FILE).chmod(0)
    (tmp_path / "bob" / UNIT).chmod(0)
    try:
        intake = Intake(tmp_path, ROOT)
        assert [one.take_in().unreadable != "" for one in intake] == [True]
        assert len(intake.refusals) == 1
    finally:
        (tmp_path / "bob" / UNIT).chmod(0o700)


def test_too_large_a_file_gets_its_verdict_unread(tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "MAX_FILE", 100)
    monkeypatch.setattr(item, "MAX_FILE", 100)
    [one] = Intake(grow(tmp_path, {f"ann/{UNIT}/{FILE}": BOOK}), ROOT)
    assert one.content == b""
    assert "Have the outputs cleared" in one.take_in().unreadable


@pytest.mark.parametrize("begins", [1 << 40, 1 << 63, (1 << 64) - 1])
def test_a_member_that_begins_nowhere_is_refused(tmp_path, begins):
    """In a zip in a zip, which is read from memory, a number of 64 bits was too large to go to."""
    content = zipped({FILE: BOOK})
    entry, end = content.index(b"PK\1\2"), content.index(b"PK\5\6")
    sizes = struct.pack("<HHQ", 1, 8, begins)
    header = content[entry : entry + 30] + struct.pack("<H", len(sizes)) + content[entry + 32 : entry + 42]
    header += b"\xff" * 4 + content[entry + 46 : end] + sizes
    content = content[:entry] + header + content[end : end + 12] + struct.pack("<I", len(header)) + content[end + 16 :]
    grow(tmp_path, {"bob.zip": {FILE: BOOK}, "eve.zip": {"x.zip": content}, "zoe.zip": {FILE: BOOK}})
    bob, eve, zoe = (one.take_in() for one in Intake(tmp_path, ROOT))
    assert bob.content == zoe.content == BOOK
    assert "it cannot be unpacked" in eve.unreadable


def test_too_many_files_are_told(tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "MAX_FILES", 3)
    result = found(tmp_path, {f"ann/{UNIT}/{name}": BOOK for name in (FILE, "b.txt", "c.txt", "d.txt", "e.txt")})
    assert len(result.candidates) == 1
    assert "Grade the folder in parts" in result.refusals[0]


def test_of_many_refusals_the_first_are_told(tmp_path, monkeypatch):
    monkeypatch.setattr(problems, "MAX_PER_SENDER", 3)
    evil = {f"{n}/../{FILE}": BOOK for n in range(9)} | {f"{n}.tar.gz": b"" for n in range(9)}
    result = found(tmp_path, {"mallory.zip": evil | {FILE: BOOK}, "zoe.zip": {"a.rar": b"", FILE: BOOK}})
    assert len([s for s in result.refusals if s.startswith("mallory.zip/")]) == 3
    assert "mallory.zip: 6 more files in it were refused." in result.refusals
    assert [s for s in result.refusals if s.startswith("zoe.zip/a.rar was refused")]


def test_reading_for_units_is_limited_per_sender(tmp_path, monkeypatch):
    monkeypatch.setattr(assign_units, "MAX_SEARCHED", 3 * len(BOOK))
    many = {f"{n}/homework.ipynb": BOOK for n in range(9)}
    result = found(tmp_path, {"mallory.zip": many, "ann.zip": {"homework.ipynb": BOOK}, "bob.ipynb": BOOK})
    assert {("ann", "02"), ("bob", "02")} <= set(counted(result))
    assert 0 < len([s for s in result.refusals if "mallory.zip" in s and "name it after its unit" in s]) < 9


MANY = zipped({str(n): b"" for n in range(15)})
FLOODS = {
    "files": {str(n): b"" for n in range(90)},
    "folders": {f"{n}/x": b"" for n in range(90)},
    "zips": {f"{n}.zip": MANY for n in range(9)},
    "zips in a zip": {"many.zip": zipped({f"{n}.zip": MANY for n in range(9)})},
    "large zips": {f"{n}.zip": zipped({"x.zip": zipped({"a": bytes(900)})}) for n in range(9)},
}
PLACED = {
    "Moodle's": "{}_1_assignsubmission_file_/{}",
    "nbgrader's": f"{{}}/{UNIT}/{{}}",
    "a section": "section 1/{}/{}",
    "units": f"section 1.zip/{UNIT}/{{}}/{{}}",
    "one zip for the class": "{}_1_assignsubmission_file_/{}",
}


@pytest.mark.parametrize("flood", FLOODS)
@pytest.mark.parametrize("layout", PLACED)
def test_files_of_one_student_displace_no_others(tmp_path, monkeypatch, layout, flood):
    monkeypatch.setattr(quotas, "MAX_FILES", 60)
    monkeypatch.setattr(quotas, "MAX_ZIPS", 500)
    eve = "042" if layout == "nbgrader's" else "eve"
    work = {"bob": {FILE: BOOK}, eve: FLOODS[flood], "zoe": {FILE: BOOK}}
    files = {PLACED[layout].format(who, name): content for who, its in work.items() for name, content in its.items()}
    folder = tmp_path / "class"
    if layout == "one zip for the class":
        folder = tmp_path / "CS-Unit2-77.zip"
        folder.write_bytes(zipped(files))
    elif layout == "units":
        grow(folder, {"section 1.zip": {name.partition("/")[2]: content for name, content in files.items()}})
    else:
        grow(folder, files)
    result = find(folder, units())
    assert set(counted(result)) >= {("bob", "02"), ("zoe", "02")}
    [told] = [sentence for sentence in result.refusals if quotas.TOO_MUCH in sentence]
    assert eve in told


def test_what_cannot_be_placed_is_told(tmp_path):
    result = found(
        tmp_path,
        {FILE: BOOK, "fay/notes.pdf": b"x", "gus.tar.gz": b"", f"hal/{UNIT}/x.py": b"", "link.csv": b"", "ida.zip": {}},
    )
    assert result.candidates == ()
    words = (
        f"{FILE} was refused: its name does not say whose",
        "fay was refused",
        "gus.tar.gz",
        "ida.zip was refused: it is empty",
    )
    for word in words:
        assert sum(word in sentence for sentence in result.refusals) == 1
    assert len(result.refusals) == 4
    assert result.without_notebook == (WithoutNotebook("hal", UNIT, "handed in something else (PY)"),)


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    assert "cannot be examined" in find(tmp_path / "nowhere", units()).refusals[0]
    assert find(tmp_path, units()).refusals == ()


def test_an_unreadable_later_attempt_is_passed_over(tmp_path):
    broken = CORPUS["cut off in the first cell"].content
    grow(
        tmp_path,
        {f"ann_{FILE}": BOOK, f"ann_{UNIT} (2).ipynb": broken, f"bob_{FILE}": broken, f"bob_{UNIT}-1.ipynb": b""},
    )
    ann, bob = (one.take_in() for one in Intake(tmp_path, ROOT))
    assert (ann.content, ann.unreadable) == (BOOK, "")
    assert ann.repairs[0].startswith(f"Another attempt was passed over. ann_{UNIT} (2).ipynb: The file is damaged")
    assert (bob.content, bob.unreadable) == (b"", "The file is empty. Ask for the .ipynb file that Jupyter saves.")


def test_of_many_attempts_the_latest_few_are_tried(tmp_path, monkeypatch):
    monkeypatch.setattr(take_in, "MAX_ATTEMPTS", 2)
    grow(tmp_path, {f"ann_{FILE}": BOOK, f"ann_{UNIT} (1).ipynb": b"", f"ann_{UNIT} (2).ipynb": b""})
    grow(tmp_path, {f"bob_{FILE}": b"", f"bob_{UNIT} (1).ipynb": BOOK, f"bob_{UNIT} (2).ipynb": b""})
    ann, bob = (one.take_in() for one in Intake(tmp_path, ROOT))
    assert "empty" in ann.unreadable
    assert (bob.unreadable, len(bob.repairs)) == ("", 2)
    assert (
        f"bob_{FILE} was not looked at: of attempts of which nothing tells the latest, 2 are tried." in bob.repairs[1]
    )


@pytest.fixture
def read(monkeypatch):
    """The names of the files that are read to be graded, in their order."""
    names = []
    monkeypatch.setattr(assign_units, "_unit_against", lambda *of: "")
    monkeypatch.setattr(folders, "_read", lambda place: names.append(Path(place).name) or Path(place).read_bytes())
    return names


BROKEN = ((" (2)", b""), ("", BOOK))  # the last of two versions
LAST, MIDDLE, FIRST = (f"ann_{UNIT}{version}.ipynb" for version in (" (2)", " (1)", ""))


def test_an_oversized_earlier_attempt_is_ignored(tmp_path, monkeypatch, read):
    monkeypatch.setattr(take_in, "MAX_EARLIER", len(BOOK) - 1)
    [ann] = Intake(grow(tmp_path, {LAST: b"  ", MIDDLE: BOOK}), ROOT)
    assert read == [LAST]
    submission = ann.take_in()
    assert (submission.origin, submission.content) == (LAST, b"  ")
    assert "empty" in submission.unreadable
    [remark] = submission.repairs
    assert remark.startswith(f"{MIDDLE} was not looked at: of a student's earlier attempts, at most ")


def test_an_attempt_before_an_oversized_one_can_count(tmp_path, monkeypatch, read):
    monkeypatch.setattr(take_in, "MAX_EARLIER", len(BOOK))
    [ann] = Intake(grow(tmp_path, {LAST: b"", MIDDLE: BOOK + b" ", FIRST: BOOK}), ROOT)
    assert read == [LAST, FIRST]
    assert (ann.origin, ann.take_in().unreadable) == (FIRST, "")
    passed_over, left_out = ann.before
    assert passed_over.startswith(f"Another attempt was passed over. {LAST}: The file is empty.")
    assert left_out.startswith(f"{MIDDLE} was not looked at: ")


def test_earlier_attempts_at_all_units_are_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(take_in, "MAX_EARLIER", 2 * len(BOOK))
    monkeypatch.setattr(assign_units.isolated, "unit_against", lambda content, named: "")
    for student, number in (("ann", 3), ("bob", 2)):
        versions = {f"{unit.id}{version}.ipynb": content for unit in units()[:number] for version, content in BROKEN}
        grow(tmp_path, {f"{student}.zip": versions})
    [unread] = [one for one in Intake(tmp_path, ROOT) if one.content != BOOK]
    assert (unread.student, unread.unit, unread.origin) == ("ann", units()[2].id, f"ann.zip/{units()[2].id} (2).ipynb")
    assert len(unread.before) == 1


def test_the_last_attempt_is_always_read(tmp_path, monkeypatch, read):
    monkeypatch.setattr(take_in, "MAX_EARLIER", 0)
    names = [f"{unit.id}{version}.ipynb" for unit in units()[:3] for version in ("", " (2)")]
    assert [one.content for one in Intake(grow(tmp_path, {f"ann/{name}": BOOK for name in names}), ROOT)] == [BOOK] * 3
    assert read == names[1::2]


def test_order_is_by_unit_and_choices_are_kept(tmp_path):
    grow(tmp_path, {f"{s}/{u}/{u}.ipynb": book_of(u) for s in ("zoe", "ann", "bob") for u in (OTHER, UNIT)})
    everything = [(one.unit[:2], one.student) for one in Intake(tmp_path, ROOT)]
    assert everything == [(u, s) for u in ("02", "03") for s in ("ann", "bob", "zoe")]
    chosen = Intake(tmp_path, ROOT, units=[OTHER], students={"ann", "zoe"})
    assert len(chosen) == 2
    assert [(one.unit, one.student) for one in chosen] == [(OTHER, "ann"), (OTHER, "zoe")]
