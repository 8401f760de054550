"""A known mistake may be the reference with some words of its code replaced."""

import inspect

import numpy as np
import pytest

from autograder.execution.call import LocalRunner
from autograder.exercises.edited import edited
from transformer_kit import reference
from transformer_kit.reference import unit_08_decoding

LOGITS = np.array([0.5, 2.0, -1.0])


def docstring_only():
    """The logits are multiplied."""


def test_the_words_of_the_docstring_and_the_code_of_the_reference():
    wrong = edited(reference.apply_temperature, {"logits / float(temperature)": "logits * float(temperature)"})(
        docstring_only
    )
    assert np.array_equal(wrong(LOGITS, 3.0), reference.softmax(3 * LOGITS))
    assert np.array_equal(reference.apply_temperature(LOGITS, 3.0), reference.softmax(LOGITS / 3))
    assert (wrong.__name__, wrong.__doc__) == ("docstring_only", docstring_only.__doc__)
    assert wrong.__module__ == __name__


def test_what_the_reference_calls_can_be_changed_as_well():
    wrong = edited(reference.top_k_filter, {"logits, -np.inf": "logits, 0.0"}, unit_08_decoding._keep)(docstring_only)
    assert wrong(LOGITS, 1).tolist() == [0, 2, 0]
    assert reference.top_k_filter(LOGITS, 1).tolist() == [-np.inf, 2, -np.inf]


@pytest.mark.parametrize("words", ["no such words", "logits"])
def test_words_that_do_not_stand_there_once_are_refused(words):
    with pytest.raises(ValueError, match=f"{words}.* stands [0-9]+ times in apply_temperature"):
        edited(reference.apply_temperature, {words: "x"})(docstring_only)


def test_an_error_of_its_own_is_known_by_its_line():
    wrong = edited(reference.apply_temperature, {"temperature < 0": "temperature < 5"})(docstring_only)
    error = LocalRunner(wrong, inspect.signature(reference.apply_temperature))((LOGITS, 3.0), {}).error
    assert error.line.startswith("raise ValueError(")
    assert "temperature < 5" in inspect.getsource(wrong)
