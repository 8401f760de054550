"""Build the browser edition: JupyterLite with its Pyodide kernel.

Python itself, NumPy, SciPy and Matplotlib come from Pyodide's public CDN at the version pinned here; everything else
travels with the site.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.authoring.stamp import is_edited
from autograder.evaluation.ahead import texts
from autograder.registry import units
from tools.site.lab.wheels import FROM_THE_ENVIRONMENT, course_wheel, environment_wheel, piplite_wheel

ROOT = Path(__file__).resolve().parents[3]
PYODIDE = "0.27.7"  # the newest whose official NumPy, SciPy and Matplotlib the tests can get without the CDN
CDN = "https://cdn.jsdelivr.net"
# What the kernel loads when it starts, by its name in the distribution: the first three for the course, which the
# kernel could not guess from the cells (`from autograder import check`), the others for the kernel itself.
PRELOADED = ("numpy", "scipy", "matplotlib", "ipython", "jedi")
KERNEL = "@jupyterlite/pyodide-kernel-extension"
# The kernel's worker resolves addresses of wheels against its own, which is the site's plus this folder.
WORKER_FOLDER = f"extensions/{KERNEL}/static"
START_PAGE = "START_HERE.ipynb"
HERE, WELCOME = Path(__file__).parent, "welcome.js"
NAME = "The Transformer, written by you"


class WorkInTheWay(Exception):
    """A notebook that would go into the site holds somebody's work."""


def build_lab(output):
    """Build the browser edition into a folder that does not exist.

    Parameters
    ----------
    output : Path

    Raises
    ------
    WorkInTheWay
        If one of the notebooks is not as it was built.
    RuntimeError
        If JupyterLite cannot be built; the message says why.
    """
    notebooks = released_notebooks(ROOT)
    with tempfile.TemporaryDirectory() as scratch:
        parts = Path(scratch).resolve()
        _gather(parts, notebooks)
        command = [sys.executable, "-m", "jupyterlite_core", "build", "--output-dir", output.resolve()]
        done = subprocess.run(command, cwd=parts, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"jupyter lite build failed:\n{done.stdout}{done.stderr}")
    shutil.copy(HERE / "index.html", output)
    _welcome(output / "lab")


def _welcome(lab):
    """Let the page of JupyterLite say what it loads, and open the table of contents."""
    shutil.copy(HERE / WELCOME, lab)
    page = (lab / "index.html").read_text(encoding="utf-8")
    title = f"<title>{NAME}</title>"
    page = page.replace("<html>", '<html lang="en">', 1).replace("<title>JupyterLite</title>", title, 1)
    script = f'<script type="module" src="{WELCOME}"></script></body>'
    (lab / "index.html").write_text(page.replace("</body>", script, 1), encoding="utf-8")


def released_notebooks(root):
    """Return the learner's notebooks of a course by their place in the site."""
    places = [START_PAGE, *(f"{unit.id}/{unit.id}.ipynb" for unit in units())]
    notebooks = {place: root / "notebooks" / place for place in places}
    edited = [path.relative_to(root).as_posix() for path in notebooks.values() if is_edited(path)]
    if edited:
        raise WorkInTheWay(
            f"No site was built: {', '.join(edited)} is not as it was built and would be published with somebody's "
            "work. `make build ARGS=--replace` sets such files aside."
        )
    return notebooks


def _gather(parts, notebooks):
    """Put what the site is made of where `jupyter lite build` looks for it."""
    for place, path in notebooks.items():
        target = parts / "files" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    (parts / "pypi").mkdir()
    wheels = [course_wheel(ROOT, parts / "pypi", texts())]
    wheels += [environment_wheel(name, parts / "pypi") for name in FROM_THE_ENVIRONMENT]
    settings = _site_settings(wheels, piplite_wheel(parts / "pypi"))
    shutil.copy(ROOT / "autograder" / "jupyter" / "overrides.json", parts)  # the same settings as in JupyterLab
    _write_json(parts / "jupyter-lite.json", settings)
    _write_json(parts / "jupyter_lite_config.json", {"LiteBuildConfig": _build_settings()})


def _site_settings(wheels, piplite):
    up = "../" * (WORKER_FOLDER.count("/") + 1)
    kernel = {
        "pyodideUrl": f"{CDN}/pyodide/v{PYODIDE}/full/pyodide.mjs",
        "pipliteWheelUrl": f"./pypi/{piplite.name}",
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"packages": [*PRELOADED, *(f"{up}pypi/{wheel.name}" for wheel in wheels)]},
    }
    page = {"appName": NAME, "exposeAppInBrowser": True, "litePluginSettings": {f"{KERNEL}:kernel": kernel}}
    return {"jupyter-lite-schema-version": 0, "jupyter-config-data": page}


def _build_settings():
    """No extension but the kernel: of those in the environment, nbgrader's needs a server."""
    installed = Path(sys.prefix, "share", "jupyter", "labextensions")
    return {
        "apps": ["lab"],
        "ignore_sys_prefix": ["federated_extensions"],
        "federated_extensions": [str(installed / KERNEL)],
        "no_sourcemaps": True,
    }


def _write_json(path, content):
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
