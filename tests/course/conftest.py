"""What holds for the tests of the course: the engine may not fail unseen."""

import pytest

from autograder.evaluation import evaluate


def openly(otherwise, diagnosis, *args, **kwargs):
    return diagnosis(*args, **kwargs)


@pytest.fixture(autouse=True)
def diagnosis_fails_openly(monkeypatch):
    """An error within a diagnosis fails the test, from which a learner's report is spared."""
    monkeypatch.setattr(evaluate, "_diagnosed", openly)
