"""What a verdict is keyed by: every file that can decide it."""

import ast
import re

from autograder.grading.verdicts import fingerprint
from tests.support.declared import imports
from tools.course import ROOT


def kit_files(source):
    """Return the modules of the kit that a source imports, by their names in the engine."""
    places = [f"shared/{name.replace('.', '/')}" for name in imports(source) if name.startswith("transformer_kit.")]
    places += [place.rpartition("/")[0] for place in places]  # of "module.name"
    files = [f"{place}{ending}" for place in places for ending in (".py", "/__init__.py")]
    there = [file.removeprefix("shared/") for file in files if (ROOT / file).exists()]
    return {file for file in there if not re.search("/plots/", file)}


def test_every_used_part_of_the_kit_counts():
    """Directly or through others; figures, which other parts bring along for notebooks, decide nothing."""
    engine = ROOT / "autograder"
    # layers.py judges no exercise
    specifications = [path for path in (engine / "exercises").rglob("*.py") if path.name != "layers.py"]
    found, waiting = set(), [*specifications, engine / "execution" / "call.py"]
    while waiting:
        new = kit_files(waiting.pop().read_text()) - found - {"transformer_kit/__init__.py"}
        found |= new
        waiting += [ROOT / "shared" / name for name in new]
    trained = {"transformer_kit/trained/model.py", "transformer_kit/trained/array_files.py"}
    assert {*trained, "transformer_kit/time_limit.py"} <= found
    assert found - set(fingerprint.engine_files()) == set()


def test_other_weights_and_another_engine_are_another_key(monkeypatch, tmp_path):
    files = fingerprint.engine_files()
    before = fingerprint.engine.__wrapped__()
    for name in ("transformer_kit/trained/weights/SHA256SUMS", "autograder/execution/dependencies.py"):
        changed = tmp_path / "changed"
        changed.write_bytes(files[name].read_bytes() + b" ")
        monkeypatch.setattr(fingerprint, "engine_files", lambda new={name: changed}: files | new)
        assert fingerprint.engine.__wrapped__() != before


def test_imports_of_a_specification_stand_at_the_top():
    """Only there are they looked for."""
    paths = list((ROOT / "autograder" / "exercises").rglob("*.py"))
    assert len(paths) > 100
    for path in paths:
        tree = ast.parse(path.read_bytes())
        found = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        assert [node for node in found if node not in tree.body] == [], path
