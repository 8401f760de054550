"""Where `ids.json` is an older copy, or entries of two students were exchanged, something else that is kept says so."""

import functools
import json
import shutil
import zipfile

import pytest

from tests.support.handed_in import book_of
from tests.support.rosters import ROSTERS
from tests.support.unjudged_class import UNITS, Class, judge_nothing

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader's own warnings
UNIT = UNITS[0].id
BOOK = book_of(UNIT)
CANVAS = f"leeann_12345_67890_{UNIT}.ipynb", f"raybob_12347_67891_{UNIT}.ipynb"
MOODLE = f"Ann Lee_321_assignsubmission_file_/{UNIT}.ipynb", f"Bob Ray_323_assignsubmission_file_/{UNIT}.ipynb"
NAMESAKES = f"Bo Ray_401_assignsubmission_file_/{UNIT}.ipynb", f"Bo Ray_403_assignsubmission_file_/{UNIT}.ipynb"
CLASSES = {  # the files of two students, their roster if there is one, and their ids
    "Canvas and roster": (CANVAS, "Canvas", ("alee7", "bray")),
    "Canvas": (CANVAS, "", ("leeann", "raybob")),
    "Moodle and worksheet": (MOODLE, "Moodle's worksheet", ("Ann_Lee", "Bob_Ray")),
    "Moodle": (MOODLE, "", ("Ann_Lee", "Bob_Ray")),
    "namesakes": (NAMESAKES, "", ()),
}
PARTS = {
    "whole": (*CLASSES,),
    "accounts": (*CLASSES,),
    "name": ("Canvas and roster", "Moodle"),
    "came as": ("Canvas and roster", "Moodle", "namesakes"),
    "Canvas": ("Canvas and roster", "Canvas"),
}
COMMANDS = (("export", "--to", "csv"), ("report",), ("grade", "week.zip"), ("grade", "week.zip", "--dry-run"))


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Return a function that makes the folder of a class of two that was graded; each only once."""

    @functools.cache
    def folder(name):
        files, platform, _ = CLASSES[name]
        made = Class(tmp_path_factory.mktemp("kept"))
        made.found(UNITS[0])
        with zipfile.ZipFile(made.root / "week.zip", "w") as archive:
            for number, file in enumerate(files):
                archive.writestr(file, BOOK + b" " * number)
        if platform:
            (made.root / "roster.csv").write_bytes(ROSTERS[platform])
        status, printed = made.run("grade", "week.zip", *(("--roster", "roster.csv") if platform else ()))
        assert status == 0, printed
        return made.root

    return folder


@pytest.fixture
def graded(kept, tmp_path, monkeypatch, request):
    """A class of two that was graded, and its ids."""
    judge_nothing(monkeypatch)
    made = Class(tmp_path / "course")
    shutil.copytree(kept(request.param), made.root)
    return made, CLASSES[request.param][-1] or tuple(json.loads((made.room / "ids.json").read_text()))


def exchange(course, ids, part):
    path = course.room / "ids.json"
    given = json.loads(path.read_text())
    one, other = ids
    if part == "whole":
        given[one], given[other] = given[other], given[one]
    else:
        key, *inner = {"Canvas": ("accounts", "Canvas")}.get(part, (part,))
        places = [given[id][key] if inner else given[id] for id in ids]
        key = inner[0] if inner else key
        places[0][key], places[1][key] = places[1][key], places[0][key]
    path.write_text(json.dumps(given))


def sweep():
    """Yield what is exchanged in which class; the first class of each in `make test`."""
    for part, names in PARTS.items():
        for number, name in enumerate(names):
            yield pytest.param(name, part, marks=[pytest.mark.exhaustive] if number else [], id=f"{part}-{name}")


@pytest.mark.parametrize(("graded", "part"), [*sweep()], indirect=["graded"])
def test_exchanged_entries_stop_every_command(graded, part):
    course, ids = graded
    for command in COMMANDS[:2]:
        assert course.run(*command)[0] == 0
    exports = course.room / "export" / "grades.csv"
    before = exports.read_bytes()
    exchange(course, ids, part)
    for command in COMMANDS:
        status, printed = course.run(*command)
        assert status == 1, (command, printed)
        assert f"{course.room}/ids.json has under the id of one student what is another's" in printed
        assert any(f"of {one} is with {other}" in printed for one, other in (ids, ids[::-1]))
        assert "Take it from a backup" in printed
    assert exports.read_bytes() == before


@pytest.mark.parametrize("graded", ["Moodle"], indirect=True)
def test_an_older_copy_stops_every_command(graded):
    """A newcomer of the same name would get the id, and with it the work, of somebody who is not in the older copy."""
    course, (one, other) = graded
    path = course.room / "ids.json"
    whole = path.read_text()
    path.write_text(json.dumps({one: json.loads(whole)[one]}))
    with zipfile.ZipFile(course.root / "week.zip", "w") as archive:
        archive.writestr(MOODLE[1].replace("323", "444"), BOOK + b"  ")
    for command in COMMANDS:
        status, printed = course.run(*command)
        assert status == 1, (command, printed)
        assert f"{path} lacks {other}, to whom ids were given: it is an older copy" in printed
    path.write_text(whole)
    status, printed = course.run("grade", "week.zip")
    assert status == 0, printed
    assert len(json.loads(path.read_text())) == 3
    assert course.run("forget", other, "--yes")[0] == 0
    assert course.run("report")[0] == 0
