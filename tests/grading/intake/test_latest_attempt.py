"""Which of a student's attempts counts: by times, whatever files are called; where these tell nothing, by points."""

import io
import warnings
import zipfile
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from autograder.grading.attempts import Contest
from autograder.grading.intake.find import times
from autograder.grading.intake.find.item import Item
from autograder.grading.intake.find.pipeline import find
from autograder.grading.intake.find.times import time_in
from autograder.grading.intake.handed_in import HandedIn
from autograder.grading.intake.take_in import Intake
from autograder.registry import units
from tests.support.handed_in import BOOK, FILE, OTHER, UNIT, grow
from tools.course import ROOT

OLDER = BOOK + b" "
TEN, NOON, NEVER = (2026, 11, 1, 10, 0, 0), (2026, 11, 1, 12, 0, 0), (1980, 1, 1, 0, 0, 0)
# as programs and people call a copy
COPIES = [
    *(f"{UNIT}-Copy1.ipynb", f"{UNIT} (1).ipynb", f"{UNIT}_v2.ipynb", f"{UNIT}1.ipynb", f"{UNIT}-2.ipynb"),
    *(f"backup/{UNIT}-Copy2.ipynb", f"Copy of {FILE}", f"Kopie von {FILE}", f"{UNIT} - Copy.ipynb", "Untitled.ipynb"),
    *(f"{UNIT}/{FILE}", f"old/{FILE}", f"{UNIT}_final.ipynb", f"{UNIT} copy.ipynb", f"v3/{FILE}", f"9 {FILE}"),
]


def dated(files):
    """Return a zip of files, each a content and a date."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, (content, date) in files.items():
            archive.writestr(zipfile.ZipInfo(name, date), content)
    return packed.getvalue()


def candidate(folder, files):
    [one] = find(grow(folder, files), units()).candidates
    return one


@pytest.mark.parametrize("copy", COPIES)
def test_the_date_in_the_zip_decides(tmp_path, copy):
    for n, (date, copys) in enumerate([(NOON, TEN), (TEN, NOON)]):
        one = candidate(tmp_path / str(n), {"ann.zip": dated({FILE: (BOOK, date), copy: (OLDER, copys)})})
        latest, older = (FILE, copy) if date == NOON else (copy, FILE)
        if (latest, older) == ("Untitled.ipynb", FILE):  # it may be a scrap of paper
            assert one.choice() == ""
            continue
        told = f"ann, {UNIT}: ann.zip/{latest} counts, by its date in the zip, and not ann.zip/{older}."
        assert one.choice() == told


@pytest.mark.parametrize("packed", [False, True])
def test_a_timestamp_below_nbgraders_own_is_ignored(tmp_path, packed):
    inside = {
        f"{UNIT}/timestamp.txt": b"2026-11-20 10:00:00 UTC",
        f"{UNIT}/x/timestamp.txt": b"2026-11-01 10:00:00 UTC",
        f"{UNIT}/x/{FILE}": BOOK,
    }
    files = {f"ann/{name}": content for name, content in inside.items()}
    if packed:
        files = {"ann.zip": dated({name: (content, NEVER) for name, content in inside.items()})}
    [attempt] = candidate(tmp_path, files).attempts
    assert attempt.timestamp == "2026-11-20T10:00:00+00:00"


def test_a_known_and_an_unknown_time_are_incomparable(tmp_path):
    grow(tmp_path, {"ann.zip": dated({FILE: (BOOK, TEN), f"{UNIT} (1).ipynb": (OLDER, NEVER)})})
    assert [one.tie for one in Intake(tmp_path, ROOT)] == ["their times cannot be compared"]


@pytest.mark.parametrize("copy", COPIES)
@pytest.mark.parametrize("date", [TEN, NEVER])
def test_where_dates_tell_nothing_both_are_rivals(tmp_path, copy, date):
    grow(tmp_path, {"ann.zip": dated({FILE: (BOOK, date), copy: (OLDER, date)})})
    intake = Intake(tmp_path, ROOT)
    [one] = intake
    assert {one.content, *(rival.content for rival in one.rivals)} == {BOOK, OLDER}
    assert one.tie == ("no time is known" if date == NEVER else "their times are equal")
    assert intake.remarks == ()


def test_a_later_unnamed_notebook_is_a_rival(tmp_path):
    files = {FILE: (BOOK, TEN), f"old/{FILE}": (BOOK, (2026, 10, 1, 0, 0, 0)), "Untitled.ipynb": (OLDER, NOON)}
    [one] = Intake(grow(tmp_path, {"ann.zip": dated(files)}), ROOT)
    assert [one.origin, *(rival.origin for rival in one.rivals)] == ["ann.zip/Untitled.ipynb", f"ann.zip/{FILE}"]
    assert one.tie == "the later one does not bear the unit's name"


def test_a_time_for_the_zip_defers_to_dates(tmp_path):
    copy, attempt = f"{UNIT}-Copy1.ipynb", f"{UNIT}_ann_attempt_2026-11-{{}}-10-00-00_work.zip"
    both = dated({FILE: (BOOK, NOON), copy: (OLDER, TEN)})
    one = candidate(tmp_path, {attempt.format(20): both, attempt.format(13): both})
    assert one.attempts[0].item.where == f"{attempt.format(20)}/{FILE}"
    assert " counts, by the time that the platform noted and by its date in the zip, and not " in one.choice()


def test_nbgraders_time_holds_for_all_below(tmp_path):
    files = {f"ann/{UNIT}/{name}": BOOK for name in (FILE, f"{UNIT}-Copy1.ipynb", f"old/{FILE}")}
    one = candidate(tmp_path, files | {f"ann/{UNIT}/timestamp.txt": b"2026-11-20 10:00:00 UTC"})
    assert {attempt.timestamp for attempt in one.attempts} == {"2026-11-20T10:00:00+00:00"}
    assert one.attempts[0].item.where == f"ann/{UNIT}/{FILE}"
    assert " counts, as the file that nbgrader collects, and not " in one.choice()


@pytest.mark.parametrize("suffixes", [("", "-1"), ("-1", "-2"), ("-9", "-10")])
@pytest.mark.parametrize("name", [UNIT, "my homework"])
def test_only_canvas_numbers_are_an_order(tmp_path, name, suffixes):
    first, second = (f"leeann_12345_6789{n}_{name}{suffix}.ipynb" for n, suffix in enumerate(suffixes))
    one = candidate(tmp_path / "1", {"class.zip": dated({first: (BOOK, NOON), second: (OLDER, TEN)})})
    assert one.choice().startswith(f"leeann, {UNIT}: class.zip/{second} counts, by the number that Canvas gave it, and")
    copy = second.replace(suffixes[1], " (2)")
    one = candidate(tmp_path / "2", {"class.zip": dated({first: (BOOK, NOON), copy: (OLDER, TEN)})})
    assert one.choice().startswith(f"leeann, {UNIT}: class.zip/{first} counts, by its date in the zip, and")


def test_the_same_content_is_tried_once(tmp_path):
    names = [FILE, *(f"{UNIT}-Copy{n}.ipynb" for n in range(1, 9))]
    [one] = Intake(grow(tmp_path / "1", {"ann.zip": dict.fromkeys(names, BOOK)}), ROOT)
    assert one.rivals == ()
    different = {name: BOOK + b" " * n for n, name in enumerate(names)}
    [one] = Intake(grow(tmp_path / "2", {"ann.zip": dated({n: (c, NEVER) for n, c in different.items()})}), ROOT)
    assert len(one.rivals) == 4
    assert sum("was not looked at: of attempts of which nothing tells the latest" in told for told in one.before) == 4


@pytest.mark.parametrize(
    ("points", "best", "told"),
    [
        (
            (3, 5),
            "ann.zip/b",
            "(5 points) counts, and not ann.zip/a (3): no time is known, so the one with more points",
        ),
        (
            (5, 3),
            "ann.zip/a",
            "(5 points) counts, and not ann.zip/b (3): no time is known, so the one with more points",
        ),
        ((5, 5), "ann.zip/a", "and not ann.zip/b (5): no time is known, and they have as many points."),
        ((None, 1), "ann.zip/b", "(1 points) counts, and not ann.zip/a (0)"),
        ((4,), "ann.zip/a", ""),
    ],
)
def test_of_several_the_one_with_more_points_counts(points, best, told):
    tied = [HandedIn("ann", UNIT, f"ann.zip/{name}", "", BOOK, ROOT, tie="no time is known") for name in "ab"]
    contest = Contest({}, tied[: len(points)])
    records = [[SimpleNamespace(points=each, note="")] for each in points]
    contest.decided += reversed(list(zip(tied, records, strict=False)))
    assert contest.best()[0].origin == best
    assert told in contest.why()
    assert bool(contest.causes()) == (None in points)


TIMES = {
    "2026-11-20 10:00 AM EST": 15,
    "2026-07-20 10:00:00 EDT": 14,
    "2026-11-20 10:00:00 PST": 18,
    "2026-11-20 10:00:00 CET": 9,
    "Fri Nov 20 10:00:00 MEZ 2026": 9,
    "2026-11-20 10:00:00 Europe/Berlin": 9,
    "2026-07-20 10:00:00 America/New_York": 14,
    "2026-11-20 10:00:00 UTC+3": 7,
    "2026-11-20 10:00:00 -0500": 15,
    "20 Nov 2026 10:00": 10,
    "1795168800": 10,
    "1795168800000": 10,
}


@pytest.fixture(autouse=True)
def after_the_class(monkeypatch):
    """Set the clock to a time after all that is handed in here."""
    monkeypatch.setattr(times, "now", lambda: datetime(2027, 1, 1, tzinfo=UTC))


def noted(content):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return time_in(Item(("ann", "timestamp.txt"), lambda: content, size=len(content)))


@pytest.mark.parametrize("text", TIMES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_time_is_read_with_its_zone(text, encoding):
    month = "07" if "-07-" in text else "11"
    assert noted(text.encode(encoding)) == (f"2026-{month}-20T{TIMES[text]:02}:00:00+00:00", "")


def test_the_reading_of_an_ambiguous_zone_is_told():
    time, remark = noted(b"2026-11-20 10:00:00 CST")
    assert (time, remark) == ("2026-11-20T16:00:00+00:00", "ann/timestamp.txt: CST was read as UTC-06:00.")


TWO_DATES = {
    "10/11/2026": "2026-10-11",
    "01/02/26": "2026-01-02",
    "10.11.2026 10:00": "2026-10-11",
    "3-4-2026 09:00 UTC": "2026-03-04",
    "20 Nov 26": "2026-11-20",
}


@pytest.mark.parametrize("text", TWO_DATES)
def test_the_reading_of_an_ambiguous_date_is_told(text):
    time, remark = noted(text.encode())
    day = TWO_DATES[text]
    assert time.startswith(day)
    assert remark == f"ann/timestamp.txt: “{text}” may be several dates, and was read as {day} (year, month, day)."


@pytest.mark.parametrize("text", ["20/11/2026", "2026-11-10", "2026-02-03 10:00:00 CET", "20 Nov 2026", "11/11/2026"])
def test_a_date_of_one_meaning_needs_no_remark(text):
    assert noted(text.encode())[1] == ""


def test_a_future_time_is_told():
    """The clock of a learner or of a server was wrong, or the year; the attempt would count for good."""
    time, remark = noted(b"2062-11-20 10:00:00 UTC")
    assert time == "2062-11-20T10:00:00+00:00"
    assert remark == "ann/timestamp.txt: this time is in the future, and was taken as it is."


@pytest.mark.parametrize("text", ["Friday", "10:00", "2026-11-20 10:00 XYZ", "2026-11-20 25:00", "x" * 99, "", "é"])
def test_a_time_that_cannot_be_read_is_told(tmp_path, text):
    time, remark = noted(text.encode("latin-1"))
    assert time == ""
    assert remark.startswith("ann/timestamp.txt: no time can be read in it (")
    files = {f"ann/{unit}/{name}": BOOK for unit in (UNIT, OTHER) for name in (f"{unit}.ipynb", "mine.txt")}
    intake = Intake(grow(tmp_path, files | {f"ann/{UNIT}/timestamp.txt": text.encode("latin-1")}), ROOT)
    assert sum("no time can be read in it" in told for told in intake.remarks) == 1
    assert [len(one.take_in().repairs) for one in intake if one.unit == UNIT] == [1]
