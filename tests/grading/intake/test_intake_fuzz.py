"""Whatever the bytes are, intake returns: random damage to notebooks, their cells and zips, the same in every run."""

import json
import random
import tempfile
from pathlib import Path

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.grading.intake.find.names import label_of, student_id, unit_and_version
from autograder.grading.intake.find.pipeline import find
from autograder.grading.intake.handed_in import HandedIn
from autograder.grading.intake.take_in import Intake
from autograder.grading.pages.own_code import own_code
from autograder.grading.pages.page import page
from autograder.registry import find_unit, units
from tests.support.damaged_notebooks import CORPUS, as_bytes
from tests.support.handed_in import zipped
from tests.support.odd_files import CONTENTS, PARCELS, PATHS
from tests.support.processor_time import within
from tools.course import ROOT

UNIT = "02_scaled_dot_product_attention"
MAX_PAGE = 30_000  # characters; it names no source and no output
IDS = [unit.id for unit in units()]
GOOD = CORPUS["nothing at all"].content
VALUES = [None, True, 0, -1, 1e308, "", "x", "\ud800", "\0", [], [[]], {}, {"a": []}, "def softmax(x): return x"]
VALUES += [["a", 1]]
PIECES = [bytes([sign]) for sign in b'{}[]",:\\\0\xff\n-'] + [b"\\u", b"null", b'"cells":', b"e9"]
SEEDS = [pytest.param(seed, marks=[pytest.mark.exhaustive] * (seed > 0)) for seed in range(8)]


def mangled(content, random_):
    """Return bytes with a few of them changed, removed, doubled or put in."""
    content = bytearray(content)
    for _ in range(random_.choice((1, 1, 2, 5, 30))):
        at, length = random_.randrange(len(content)), random_.choice((1, 1, 5, 200, 5000))
        action = random_.randrange(4)
        if action == 0:
            content[at : at + length] = b""
        elif action == 1:
            content[at:at] = random_.choice(PIECES) * random_.choice((1, 1, 3, 2000))
        elif action == 2:
            content[at:at] = content[at : at + length]
        else:
            content[at] = random_.randrange(256)
        if len(content) < 10:
            break
    return bytes(content)


def changed(book, random_):
    """Return a notebook in which some values are others, some keys are gone, and some cells have moved."""
    places = []
    waiting = [book]
    while waiting:
        part = waiting.pop()
        keys = list(part) if isinstance(part, dict) else range(len(part))
        places += [(part, key) for key in keys]
        waiting += [part[key] for key in keys if isinstance(part[key], (dict, list))]
    for part, key in random_.sample(places, min(len(places), random_.choice((1, 3, 20, 100)))):
        action = random_.randrange(3)
        if action == 0 and isinstance(part, dict):
            part.pop(key, None)
        elif action == 1 and isinstance(part, list):
            random_.shuffle(part)
        elif isinstance(part, dict) or key < len(part):
            part[key] = random_.choice(VALUES)
    return book


def check_it(content):
    """Take in some bytes: it returns, soon, and all of it can be written down."""
    with within(5):
        submission = HandedIn("ann", UNIT, "ann.ipynb", "", content, ROOT).take_in()
        own_code(submission.code, find_unit(UNIT).exercises)
        assert len(page(submission, [])) < MAX_PAGE
    failed = ("this program failed", "the program failed")
    assert not [s for s in (*submission.repairs, submission.unreadable) if any(words in s.lower() for words in failed)]
    nbformat.writes(submission.notebook).encode()
    json.dumps([submission.code, submission.repairs, submission.unreadable], ensure_ascii=False).encode()
    assert submission.hash
    return submission


def check_zip(content):
    """Look into a zip that stands beside somebody else's: it returns, soon, and says so in sentences."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "mallory.zip").write_bytes(content)
        Path(folder, f"zoe_{UNIT}.ipynb").write_bytes(GOOD)
        with within(5):
            intake = Intake(folder, ROOT)
            handed_in = {one.student: one for one in intake}
    assert handed_in.pop("zoe").content == GOOD
    assert set(handed_in) <= {"mallory"}
    assert all(text.isprintable() and len(text) < 3000 for text in (*intake.refusals, *intake.remarks))


quickly = settings(max_examples=80, derandomize=True, deadline=None, database=None)


@quickly
@given(CONTENTS)
def test_whatever_is_handed_in_becomes_a_submission(content):
    check_it(content)


@settings(quickly, max_examples=40)
@given(PARCELS)
def test_whatever_a_zip_holds_costs_nobody_else_anything(content):
    check_zip(content)


@quickly
@given(st.lists(st.text(max_size=80) | PATHS, min_size=1, max_size=3))
def test_whatever_a_name_is_it_can_be_read(parts):
    with within(1):
        for part in parts:
            assert label_of(part, IDS).platform in ("", "Moodle", "Canvas", "Blackboard")
            assert label_of(part, IDS, is_file=True) == label_of(part, IDS, is_file=True)
            id = student_id(part)
            assert 0 < len(id.encode()) < 150
            assert student_id(id) == id
        assert unit_and_version(tuple(parts), IDS)[0] in ("", *IDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_damage_to_the_bytes(seed):
    random_ = random.Random(seed)
    read = [not check_it(mangled(GOOD, random_)).unreadable for _ in range(25)]
    assert sum(read) > 10


@pytest.mark.parametrize("seed", SEEDS)
def test_random_changes_of_what_is_in_it(seed):
    random_ = random.Random(seed)
    submissions = [check_it(json.dumps(changed(json.loads(GOOD), random_)).encode()) for _ in range(25)]
    assert any(submission.code for submission in submissions)
    for submission in submissions[::8]:
        nbformat.validate(submission.notebook)


def test_every_beginning_of_a_notebook():
    read = [check_it(GOOD[:end]) for end in range(0, len(GOOD), len(GOOD) // 20)]
    lengths = [len(submission.code) for submission in read]
    assert lengths == sorted(lengths)
    assert lengths[-1] >= 6


def test_random_bytes():
    random_ = random.Random(0)
    for length in (1, 2, 3, 10, 100, 1000, 20_000):
        check_it(random_.randbytes(length))
        check_it(bytes(random_.choices(b'{}[]",:\\ \n0e-ntf', k=length)))


@pytest.mark.parametrize("seed", SEEDS)
def test_random_damage_to_zips(tmp_path, seed):
    random_ = random.Random(seed)
    good = zipped({f"{name}/{UNIT}.ipynb": GOOD for name in ("ann", "bob")} | {"x.zip": zipped({"c.ipynb": GOOD})})
    for number in range(15):
        (tmp_path / f"{number:02} student.zip").write_bytes(mangled(good, random_))
    (tmp_path / f"zoe_{UNIT}.ipynb").write_bytes(GOOD)
    intake = Intake(tmp_path, ROOT)
    made = {one.student: one.take_in() for one in intake}
    assert made["zoe"].code
    assert all(text.isprintable() for text in (*intake.refusals, *intake.remarks))


def test_random_names(tmp_path):
    random_ = random.Random(0)
    alphabet = ["_", "-", " ", ".", "..", "1", "02", "a", "Ann", UNIT, "assignsubmission_file", "attempt"]
    alphabet += ["12345", "é", "\n", "LATE", ".zip", ".ipynb", "\u202e", "(", "[", "*", "\\", "copy", "v2"]
    alphabet += ["2026-11-20-10-00-00", "\udcff"]
    names = ["".join(random_.choices(alphabet, k=random_.randrange(1, 9))) for _ in range(600)]
    for name in names:
        path = random_.choice(names), f"{name}.ipynb"
        unit_and_version(path, IDS)
        [label_of(part, IDS, is_file) for part in path for is_file in (False, True)]
        assert 0 < len(student_id(name)) < 100
    for name in names[:80]:
        place = tmp_path / name.replace("/", "") / "x.ipynb"
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(as_bytes({"cells": [{"source": "def softmax(x): pass"}]}))
    result = find(tmp_path, units())
    assert len(result.candidates) > 20
    assert len({candidate.student.casefold() for candidate in result.candidates}) == len(result.candidates)
