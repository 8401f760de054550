"""Whether a message names what is wrong."""

import pytest

from autograder.evaluation.mentions import why_not_mentioned


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("13 queries and 12 keys", [13, 12]),
        ("x of shape (2, 7, 6) needs 7 rows, P of shape (4, 6) has 4", [7, 4]),
        ("temperature = -2.0", [-2]),
        ("p is np.float64(-0.25)", ["-0.25", -0.25]),
        ("no row-3 in a table of 2", [3]),
        ("no word 'zorb' here", ["zorb"]),
        ("anything", []),
    ],
)
def test_a_message_that_names_what_is_wrong(message, wanted):
    assert why_not_mentioned(message, wanted) == ""


@pytest.mark.parametrize(
    ("message", "wanted", "why"),
    [
        ("an id is 17", [7], "does not mention 7"),
        ("0123456789 and 12", [3, 12], "does not mention 3"),
        ("a temperature of 2", [-2], "does not mention -2"),
        (" ".join(map(str, range(-9, 60))), [7], "lists 69 numbers instead of those that are wrong"),
        (" ".join(f"{-k / 8:g}" for k in range(1, 41)), [-0.375], "lists 40 numbers instead of those that are wrong"),
    ],
)
def test_a_list_of_guesses_mentions_nothing(message, wanted, why):
    assert why_not_mentioned(message, wanted) == why
