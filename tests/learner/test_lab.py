"""`course lab`: what is signed, and the panels at the first start."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.sign import MemorySignatureStore, NotebookNotary
from nbformat.v4 import new_code_cell, new_notebook, new_output

from autograder import cli
from autograder.learner.terminal import lab
from tools.course import ROOT


@pytest.fixture
def notary():
    return NotebookNotary(store_factory=MemorySignatureStore, secret=b"of this test")


@pytest.fixture
def jupyter(monkeypatch, tmp_path):
    """Stand in for JupyterLab, with folders of its own: a list of the arguments that it is started with."""
    started = []
    monkeypatch.setattr(lab.LabApp, "launch_instance", started.append)
    monkeypatch.setattr(lab, "measure_meanwhile", lambda: None)
    monkeypatch.setenv("PATH", os.environ["PATH"])
    for name in ("CONFIG", "DATA", "RUNTIME"):
        monkeypatch.setenv(f"JUPYTER_{name}_DIR", str(tmp_path / name.lower()))
    return started


def save(path, *outputs):
    path.parent.mkdir(parents=True, exist_ok=True)
    cells = [new_code_cell("1", id="first"), new_code_cell("2", id="second", outputs=list(outputs))]
    nbformat.write(new_notebook(cells=cells), path)


def test_every_notebook_of_the_course_can_be_signed(notary):
    signed = lab.trust(ROOT / "notebooks", notary)
    names = [path.name for path in signed]
    assert "START_HERE.ipynb" in names
    assert "02_scaled_dot_product_attention.ipynb" in names
    assert all(notary.check_signature(nbformat.read(path, as_version=4)) for path in signed)


@pytest.mark.parametrize(
    "output",
    [
        new_output("display_data", {"text/html": "<script>alert(1)</script>"}),
        new_output("execute_result", {"text/plain": "2"}),
        new_output("stream", text="2"),
    ],
)
def test_a_notebook_with_outputs_is_not_signed(notary, tmp_path, output):
    save(tmp_path / "clean.ipynb")
    save(tmp_path / "unit" / "unit.ipynb", output)
    assert [path.name for path in lab.trust(tmp_path, notary)] == ["clean.ipynb"]
    assert not notary.check_signature(nbformat.read(tmp_path / "unit" / "unit.ipynb", as_version=4))


def test_outputs_that_call_themselves_trusted_are_not_signed(notary, tmp_path):
    save(tmp_path / "posing.ipynb", new_output("display_data", {"text/html": "<script>alert(1)</script>"}))
    notebook = nbformat.read(tmp_path / "posing.ipynb", as_version=4)
    notebook.cells[1].metadata["trusted"] = True
    nbformat.write(notebook, tmp_path / "posing.ipynb")
    assert lab.trust(tmp_path, notary) == []


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"nbformat": 4, "cells": 3}', "\0"])
def test_what_is_no_notebook_stops_nothing(notary, tmp_path, text):
    save(tmp_path / "unit" / "unit.ipynb")
    (tmp_path / "broken.ipynb").write_text(text)
    assert [path.name for path in lab.trust(tmp_path, notary)] == ["unit.ipynb"]


def test_the_contents_are_open_and_panels_stay(jupyter, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert cli.main(["lab", "--no-browser", "--port", "8899"]) == 0
    url = "/lab/workspaces/transformer-course/tree/notebooks/START_HERE.ipynb"
    (arguments,) = jupyter
    assert (arguments[0], arguments[-3:]) == (f"--LabApp.default_url={url}", ["--no-browser", "--port", "8899"])
    (path,) = (tmp_path / "config" / "lab" / "workspaces").iterdir()
    workspace = json.loads(path.read_text())
    assert workspace["data"]["layout-restorer:data"]["left"]["current"] == "@jupyterlab/toc:plugin"
    workspace["data"]["layout-restorer:data"]["left"]["current"] = "filebrowser"
    path.write_text(json.dumps(workspace))
    cli.main(["lab"])
    assert json.loads(path.read_text()) == workspace


@pytest.mark.skipif(os.name == "nt", reason="needs a shell of Unix")
def test_terminals_find_the_environments_programs_first(jupyter, monkeypatch):
    """Without a login shell: the settings of one may put the system's own programs first."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("SHELL", shutil.which("sh"))
    monkeypatch.setenv("PATH", os.defpath)
    cli.main(["lab"])
    key, _, value = jupyter[0][1].partition("=")
    assert key == "--ServerApp.terminado_settings"
    command = [*ast.literal_eval(value)["shell_command"], "-c", "command -v python"]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert Path(found.strip()).parent == Path(sys.executable).parent


def test_a_damaged_arrangement_begins_anew(jupyter, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    lab.arrange_panels()
    (path,) = (tmp_path / "config" / "lab" / "workspaces").iterdir()
    whole = json.loads(path.read_text())["data"]
    path.write_text("{")
    cli.main(["lab"])
    assert json.loads(path.read_text())["data"] == whole
    assert len(jupyter) == 1


def test_settings_that_cannot_be_written_stop_nothing(jupyter, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    (tmp_path / "config").touch()
    cli.main(["lab"])
    assert len(jupyter) == 1


def test_a_folder_without_the_course_is_told(jupyter, tmp_path, monkeypatch):
    monkeypatch.setattr(lab, "course_root", lambda: tmp_path)
    with pytest.raises(SystemExit, match=r"course lab: expected notebooks/START_HERE\.ipynb in "):
        cli.main(["lab"])
    assert jupyter == []


def test_make_lab_is_this_command():
    assert "\t$(BIN)/course lab $(ARGS)\n" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_command_lists_it(capsys):
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    assert "lab " in capsys.readouterr().out


def test_the_lab_measures_what_checks_need_meanwhile(monkeypatch):
    commands = []
    monkeypatch.setattr(lab.subprocess, "Popen", lambda command, **_: commands.append(command))
    lab.measure_meanwhile()
    assert commands == [[sys.executable, "-P", "-m", "autograder.evaluation.ahead"]]


def test_the_lab_opens_without_a_second_process(monkeypatch):
    def refuse(*_, **__):
        raise OSError("no more processes")

    monkeypatch.setattr(lab.subprocess, "Popen", refuse)
    lab.measure_meanwhile()
