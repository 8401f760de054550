"""The solutions of all units are kept in a learner's library and loaded from it."""

import pytest

from autograder import check, load
from autograder.registry import names, units
from tests.support.fake_notebook import Cells, notes
from tools.course import notebook
from transformer_kit import workbench


@pytest.mark.exhaustive
def test_every_solution_can_be_kept_and_loaded(tmp_path, monkeypatch, capsys):
    """All units after each other, as a learner's own: every file can be imported, every function is the learner's."""
    monkeypatch.setenv(workbench.VARIABLE, str(tmp_path / "my_transformer"))
    for unit in units():
        cells, code = Cells(), [cell for cell in notebook(unit.id).cells if cell.cell_type == "code"]
        cells.run(code[0].source)
        for exercise in unit.exercises:
            cells.run(next(cell.source for cell in code if cell.id == exercise.name))
            score = check(cells.names[exercise.name])
            assert "where later notebooks find it." in notes(score, "Kept")[0], score.report
            assert "But" not in notes(score, "Kept")[0]
    printed = capsys.readouterr().out
    assert "Lent" not in printed
    assert "loan" not in printed
    load(*names())
    assert capsys.readouterr().out == f"Yours: {', '.join(names())}.\n"
