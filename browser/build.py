"""Build the course as a static site: `make site`.

The site is JupyterLite with its Pyodide kernel. Python itself, NumPy, SciPy and Matplotlib come from Pyodide's public
CDN at the version pinned here; everything else travels with the site.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.exercises import units
from autograder.stamp import holds_work
from browser.wheels import FROM_THE_ENVIRONMENT, NoDownload, course_wheel, environment_wheel, piplite_wheel

ROOT = Path(__file__).resolve().parent.parent
PYODIDE = "0.27.7"  # the newest whose official NumPy, SciPy and Matplotlib the tests can get without the CDN
CDN = "https://cdn.jsdelivr.net"
# What the kernel loads when it starts, by its name in the distribution: the first three for the course, which the
# kernel could not guess from the cells (`from autograder import check`), the others for the kernel itself.
PRELOADED = ("numpy", "scipy", "matplotlib", "ipython", "jedi")
KERNEL = "@jupyterlite/pyodide-kernel-extension"
# The kernel's worker resolves addresses of wheels against its own, which is the site's plus this folder.
WORKER_FOLDER = f"extensions/{KERNEL}/static"
START_PAGE = "START_HERE.ipynb"


class WorkInTheWay(Exception):
    """A notebook that would go into the site holds somebody's work."""


def build(output):
    """Build the site into a folder, which is made anew.

    Parameters
    ----------
    output : Path
        A folder that does not exist, is empty, or holds an earlier site.

    Raises
    ------
    WorkInTheWay
        If one of the notebooks is not as it was built.
    FileExistsError
        If the folder holds something else than a site.
    """
    notebooks = released_notebooks(ROOT)
    if output.exists() and any(output.iterdir()) and not (output / "jupyter-lite.json").exists():
        raise FileExistsError(f"{output} holds something else than a site: name another folder, or empty it")
    shutil.rmtree(output, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        parts = Path(scratch).resolve()
        _gather(parts, notebooks)
        command = [sys.executable, "-m", "jupyterlite_core", "build", "--output-dir", output.resolve()]
        done = subprocess.run(command, cwd=parts, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"jupyter lite build failed:\n{done.stdout}{done.stderr}")
    shutil.copy(ROOT / "browser" / "index.html", output)


def released_notebooks(root):
    """Return the learner's notebooks of a course by their place in the site."""
    places = [START_PAGE, *(f"{unit.id}/{unit.id}.ipynb" for unit in units())]
    notebooks = {place: root / "notebooks" / place for place in places}
    edited = [path.relative_to(root).as_posix() for path in notebooks.values() if holds_work(path)]
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
    wheels = [course_wheel(ROOT, parts / "pypi")]
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
    page = {"appName": "The Transformer, written by you", "litePluginSettings": {f"{KERNEL}:kernel": kernel}}
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


def main(arguments=None):
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m browser.build", description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=Path, default=ROOT / "site", help="folder of the site; ./site when left out")
    output = parser.parse_args(arguments).output
    try:
        build(output)
    except (WorkInTheWay, NoDownload, FileExistsError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 1
    files = [path for path in output.rglob("*") if path.is_file()]
    megabytes = sum(path.stat().st_size for path in files) / 1e6
    print(f"{output}: {len(files)} files, {megabytes:.0f} MB. Any static host can serve this folder.")
    print(f"To look at it here: python3 -m http.server --bind 127.0.0.1 --directory {output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
