"""What a run tells beside the verdicts: what costs points is told in full, and what is said of many is one line."""

from autograder.grading import summary
from autograder.grading.notes import ASIDE, COSTS, WHOSE, Note, by_weight
from autograder.registry import units
from tests.support.handed_in import BOOK, FILE, OTHER, UNIT, found

STUDENTS = [f"{one}{other}" for one in "abdef" for other in "aeiou"][:23]


def printed(**told):
    """Return the lines that are printed of what was found beside submissions."""
    return summary.lines_of_dry_run({"would_grade": [], "unchanged": 0, "refused": [], "nothing": []} | told)


def test_nbgraders_own_files_are_not_told(tmp_path):
    """As `nbgrader submit` and `collect` leave them; Bob has handed in a PDF beside them, Cy nothing."""
    beside = {"timestamp.txt": b"2026-11-20 10:00:00 UTC", "submission_secret.txt": b"5f" * 32}
    files = {f"{who}/{UNIT}/{name}": text for who in ("ann", "bob", "cy") for name, text in beside.items()}
    result = found(tmp_path, files | {f"ann/{UNIT}/{FILE}": BOOK, f"bob/{UNIT}/x.pdf": b"%PDF"})
    assert result.remarks == ()
    words = {one.student: one.words for one in result.without_notebook}
    assert words == {"bob": "handed in something else (PDF)", "cy": "nothing handed in"}


def test_no_note_that_costs_points_is_cut():
    late = [Note(f"{who}, {UNIT}: handed in 2 hours late, which costs 2 points.", COSTS) for who in STUDENTS]
    aside = [Note(f"{who}.zip/x was refused: a link.", ASIDE, f"{who}.zip") for who in STUDENTS]
    lines = printed(remarks=[*aside, *late, Note("Not on the roster: eve.", WHOSE)])
    heads = [line for line in lines if not line.startswith(" ")]
    assert heads[1:] == ["This decides points:", "Who is who:", "Not looked at:"]
    assert [f"  {note}" for note in late] == lines[lines.index(heads[1]) + 1 :][: len(late)]
    assert lines[-1] == "  ... and 11 more (--json lists all)"


def test_what_is_true_of_many_is_one_line(tmp_path):
    files = {f"{who}/{UNIT}/{name}": BOOK for who in STUDENTS for name in (FILE, "notes.txt")}
    result = found(tmp_path, files | {f"ann/{UNIT}/{FILE}": BOOK, f"ann/{UNIT}/numpy.py": b""})
    [(weight, lines)] = by_weight(result.remarks)
    assert weight == ASIDE
    assert sorted(lines) == [
        "In aa, ae, ai and 20 more: notes.txt was left aside.",
        f"Left aside in ann/{UNIT}: numpy.py.",
    ]


def test_many_notes_on_one_sender_are_one_line():
    notes = [Note(f"ann.zip/{number} was refused: a link.", ASIDE, "ann.zip") for number in range(7)]
    other = Note("bob.zip/x was refused: a link.", ASIDE, "bob.zip")
    [(_, lines)] = by_weight([*notes[:3], other, *notes[3:]])
    assert lines == ["ann.zip/0 was refused: a link. (And 6 more on ann.zip; --json lists all.)", str(other)]


def test_those_without_a_notebook_are_listed_by_unit():
    nothing = [f"{who}, {unit.id}: nothing handed in" for unit in units()[2:4] for who in STUDENTS]
    lines = printed(remarks=[], nothing=[*nothing, f"eve, {UNIT}: handed in something else (PDF)", "flo: nothing"])
    start = lines.index("Without a notebook:") + 1
    everybody = ", ".join(STUDENTS)
    assert lines[start:] == [
        f"  {UNIT}: nothing handed in: {everybody}",
        f"  {OTHER}: nothing handed in: {everybody}",
        f"  {UNIT}: handed in something else (PDF): eve",
        "  nothing: flo",
    ]
