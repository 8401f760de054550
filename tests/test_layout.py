"""Who imports whom, what belongs together, and what must not stand in any file."""

import ast
import re
import subprocess
import sys
import tomllib

import pytest
import yaml

from tests.course import ROOT

KIT = {"transformer_kit", "numpy", "scipy"}
FIGURES = KIT | {"matplotlib", "IPython"}
ENGINE = {"autograder", *KIT}
# The untrusted side: what a view copies, and nothing that knows a claim, a mistake or a mark.
WORKER = {
    "numpy",
    *("autograder.compare", "autograder.lending", "autograder.outcome", "autograder.reach", "autograder.run"),
    *(f"autograder.judge.{name}" for name in ("child", "npy", "protocol", "sandbox.confine", "values")),
}
CALLED = ("check", "compare_layers", "hint", "load", "predict", "progress", "solution")  # in notebooks
# What a file may import beside the standard library. The longest beginning of its path decides.
ALLOWED = {
    "shared/transformer_kit/": KIT,
    "shared/transformer_kit/figure.py": FIGURES,
    "shared/transformer_kit/plots/": FIGURES,
    "autograder/": ENGINE,
    "autograder/bench/commands.py": ENGINE | {"rich"},
    "autograder/bench/files.py": ENGINE | {"filelock"},
    "autograder/build.py": ENGINE | {"nbgrader", "nbformat", "traitlets"},
    "autograder/grading/": ENGINE | {"nbformat"},
    "autograder/grading/autograded.py": ENGINE | {"nbformat", "nbgrader"},
    "autograder/grading/pages/charts.py": ENGINE | {"matplotlib"},
    "autograder/grading/commands.py": ENGINE | {"filelock"},
    "autograder/grading/disarm.py": ENGINE | {"bleach", "nbconvert", "nbgrader"},
    "autograder/grading/executors.py": {"distributed"},
    "autograder/grading/intake/find.py": ENGINE | {"nbgrader"},
    "autograder/grading/gradebook.py": ENGINE | {"alembic", "nbconvert", "nbgrader", "sqlalchemy"},
    "autograder/grading/pages/frame.py": ENGINE | {"jinja2", "markupsafe"},
    "autograder/grading/pages/page.py": ENGINE | {"markupsafe"},
    "autograder/grading/progress.py": {"rich"},
    "autograder/grading/pages/report.py": ENGINE | {"markupsafe"},
    "autograder/grading/pages/similarity.py": ENGINE | {"rapidfuzz"},
    "autograder/grading/steps.py": ENGINE | {"nbgrader"},
    "autograder/grading/task.py": ENGINE,
    "autograder/lab.py": ENGINE | {"jupyterlab", "jupyterlab_server", "nbformat"},
    "autograder/judge/child.py": WORKER | {"transformer_kit"},
    "autograder/judge/npy.py": {"numpy"},
    "autograder/judge/protocol.py": WORKER,
    "autograder/judge/sandbox/confine/": {"autograder.judge.sandbox.confine"},
    "autograder/judge/values.py": WORKER,
    "autograder/judge/worker.py": WORKER | {"transformer_kit"},
    "autograder/compare.py": {"numpy"},
    "autograder/lending.py": set(),
    "autograder/nbgrader_config.py": ENGINE | {"nbgrader", "sqlalchemy", "traitlets"},
    "autograder/release.py": ENGINE | {"nbgrader", "traitlets"},
    "autograder/outcome.py": {"autograder.compare"},
    "autograder/reach.py": set(),
    "autograder/run.py": {"numpy", "autograder.outcome", "transformer_kit.time_limit"},
    "autograder/unit_source.py": ENGINE | {"jupytext", "nbformat"},
    "solutions/": {*(f"autograder.{name}" for name in CALLED), *FIGURES},
}


def imports(source):
    """Return what a file imports: top-level packages, and for autograder the names, too."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def violations(path, source):
    """Return the forbidden imports of a file, as sentences."""
    rule = max((start for start in ALLOWED if path.startswith(start)), key=len)
    allowed = ALLOWED[rule] | sys.stdlib_module_names
    return [
        f"{path} imports {name}; {rule} may import {', '.join(sorted(ALLOWED[rule]))}"
        for name in sorted(imports(source))
        if not any(f"{name}.".startswith(f"{package}.") for package in allowed)
    ]


def tracked_files():
    """Return the files that git knows or would take; all files of a copy without git."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if (ROOT / ".git").exists():
        names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
        paths = [ROOT / name for name in names if name]
    else:
        hidden = {".venv", "classroom", "site", "__pycache__", ".pytest_cache", ".ruff_cache"}
        paths = [path for path in ROOT.rglob("*") if not hidden & set(path.relative_to(ROOT).parts)]
    return [path for path in paths if path.is_file()]


def machine_words(text):
    """Return what is true on one machine only: absolute paths of its users, and package registries."""
    paths = r"(?<![\w.:/~])/(?:home|root|Users|work|opt|mnt|tmp|private)/[\w./-]+"
    hosts = r"(?:pypi|pythonhosted|anaconda|npmjs|crates)\.(?:org|com|io)"
    return re.findall(f"{paths}|{hosts}", text)


def requirements(entries):
    """Map package names to bounds, e.g. ``{"numpy": ">=2.1,<3"}``."""
    return dict(re.fullmatch(r"([\w.-]+)(.*)", entry).groups() for entry in entries)


@pytest.mark.parametrize("folder", ["autograder", "shared", "solutions"])
def test_imports_go_the_way_they_should(folder):
    files = [path for path in tracked_files() if path.suffix == ".py" and path.is_relative_to(ROOT / folder)]
    assert files
    names = [path.relative_to(ROOT).as_posix() for path in files]
    assert [v for name, path in zip(names, files, strict=True) for v in violations(name, path.read_text())] == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("shared/transformer_kit/reference/x.py", "import autograder"),
        ("shared/transformer_kit/reference/x.py", "from matplotlib import pyplot"),
        ("shared/transformer_kit/plots/x.py", "import nbgrader.api"),
        ("autograder/check.py", "def f():\n    from nbgrader.api import Gradebook"),
        ("autograder/check.py", "import numpy_financial"),
        ("autograder/exercises/x.py", "import tests.styles"),
        ("autograder/judge/worker.py", "from autograder.exercises import find"),
        ("autograder/judge/child.py", "from autograder.judge import view"),
        ("autograder/judge/protocol.py", "from transformer_kit import reference"),
        ("autograder/reach.py", "import numpy"),
        ("autograder/run.py", "from autograder import diagnose"),
        ("solutions/02_x.py", "from autograder.exercises import find"),
        ("solutions/02_x.py", "from autograder import evaluate"),
    ],
)
def test_a_planted_import_is_found(path, line):
    assert len(violations(path, f"import os\nimport numpy as np\n{line}\n")) == 1


def test_the_right_imports_are_no_violation():
    assert violations("solutions/02_x.py", "from autograder import check, predict\nimport transformer_kit.plots") == []
    assert violations("autograder/build.py", "import json\nfrom nbgrader.converters import GenerateAssignment") == []


def test_a_notebook_loads_neither_the_tools_of_the_build_nor_figures_before_it_draws():
    code = "import sys, autograder, transformer_kit; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "transformer_kit" in loaded
    assert loaded & {"nbgrader", "nbformat", "jupytext", "matplotlib", "pytest"} == set()


def test_conda_and_pip_install_the_same():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    *conda, pip = environment["dependencies"]
    expected = requirements(project["dependencies"] + project["optional-dependencies"]["dev"])
    expected |= {"python": project["requires-python"], "pip": ""}
    assert requirements(conda) == expected
    assert pip == {"pip": ["-e ."]}
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
