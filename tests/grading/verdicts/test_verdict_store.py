"""What the records of a class are read as: verdicts of this form, under the key of everything that decided them."""

import json
import os
from dataclasses import asdict, replace

import pytest

from autograder.grading.intake.submission import Submission
from autograder.grading.verdicts.record import Record
from autograder.grading.verdicts.store import Store
from autograder.registry import find
from tests.support.unjudged_class import claim_fields

UNIT = "02_scaled_dot_product_attention"
CLAIMS = [claim_fields(claim, passed=True) for claim in find("softmax").claims]
RECORD = Record("k" * 64, "ann", UNIT, "softmax", 4, 4, "correct", CLAIMS, substituted=["causal_mask"])
SUBMISSION = Submission("ann", UNIT, "ann.ipynb", b"{}", None)
TASK = {"student": "ann", "unit": UNIT, "together": (), "exercises": [["softmax", [1, 2], RECORD.key]]}


@pytest.fixture
def store(tmp_path):
    """The store of a class with one committed submission."""
    store = Store(tmp_path)
    store.save(RECORD)
    store.set_mark(SUBMISSION, [RECORD], {"scores": {"softmax": 4}})
    return store


def test_a_record_is_found_under_its_key_only(store):
    assert store.record("ann", UNIT, "softmax", RECORD.key) == RECORD
    assert store.record("ann", UNIT, "softmax", RECORD.key[:-1] + "x") is None
    assert store.split(TASK) == ([RECORD], TASK | {"exercises": []})
    assert [records for _, records in store.committed()] == [[RECORD]]


def with_a_field_of_an_older_version(fields):
    fields["lent"] = fields.pop("substituted")
    return json.dumps(fields)


def with_a_claim_that_does_not_hold(fields):
    fields["claims"][0] |= {"passed": False}
    return json.dumps(fields)


FORMS = {
    "a claim does not hold": with_a_claim_that_does_not_hold,
    "more points": lambda fields: json.dumps(fields | {"points": 4.5}),
    "fewer points": lambda fields: json.dumps(fields | {"points": 0}),
    "points without claims": lambda fields: json.dumps(fields | {"claims": []}),
    "more points than there are": lambda fields: json.dumps(fields | {"max_points": 3}),
    "points that are no numbers": lambda fields: json.dumps(fields | {"claims": [CLAIMS[0] | {"points": "4"}]}),
    "a field of an older version": with_a_field_of_an_older_version,
    "a field is missing": lambda fields: json.dumps({name: fields[name] for name in fields if name != "points"}),
    "no fields": lambda fields: "[]",
    "cut off": lambda fields: json.dumps(fields)[:-5],
    "empty": lambda fields: "",
}


@pytest.mark.parametrize("change", FORMS.values(), ids=FORMS)
def test_a_record_of_another_form_is_graded_again(store, change):
    (path,) = store.folder.glob("records/ann/*/softmax.*")
    path.write_text(change(asdict(RECORD)))
    assert store.record("ann", UNIT, "softmax", RECORD.key) is None
    assert store.split(TASK) == ([], TASK)
    assert store.committed() == []
    store.save(RECORD)
    assert store.split(TASK) == ([RECORD], TASK | {"exercises": []})


def test_a_record_without_points_is_graded_again(store):
    store.save(replace(RECORD, points=None, status="internal error"))
    assert store.split(TASK) == ([], TASK)


def test_only_drafts_of_a_killed_run_are_removed(store):
    before = {path for path in store.folder.rglob("*") if path.is_file()}
    for folder in (".", f"records/ann/{UNIT}", f"feedback/ann/{UNIT}", "report"):
        store.folder.joinpath(folder).mkdir(parents=True, exist_ok=True)
        store.folder.joinpath(folder, ".0123abcd.part").touch()
    store.tidy()
    assert {path for path in store.folder.rglob("*") if path.is_file()} == before


@pytest.mark.skipif(os.name != "posix", reason="needs a system on which files have rights for others")
@pytest.mark.parametrize(("shared", "file", "folder"), [(False, 0o600, 0o711), (True, 0o660, 0o771)])
def test_records_of_a_class_are_for_their_owner(store, shared, file, folder):
    """But for the exchange, which learners reach through the folder that they cannot list."""
    grades, exchange = store.folder / "grades.csv", store.folder / "exchange"
    grades.touch()
    exchange.mkdir()
    for path, mode in ((grades, 0o666), (exchange, 0o777), (store.folder, 0o777), (store.folder / "records", 0o777)):
        path.chmod(mode)
    store.close_to_others(shared)
    modes = [path.stat().st_mode & 0o777 for path in (grades, exchange, store.folder, store.folder / "records")]
    assert modes == [file, 0o777, folder, 0o770 if shared else 0o700]
