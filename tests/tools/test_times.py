"""Times that are printed are those of the rule in `tools/times.py`, and the rule is what its page says."""

import re

import pytest

from autograder import times
from autograder.exercises.sittings import FILE
from autograder.registry import units
from autograder.specification import Unit
from tools.course import ROOT
from tools.times import computed, sittings

SOURCE = """\
# %% [markdown]
# # A unit
#
# *3 points, about 20 minutes, difficulty 2 of 5*
# {first}

# %% answer="which-one"
answer = "A"

# %%
plots.bars([1, 2])

# %% [markdown]
# <details><summary>Hint</summary>
# {hint}
# </details>

# %% [markdown]
# ## Second sitting: the way back
#
# {second}
"""


def test_times_are_those_of_the_rule():
    assert FILE.read_text(encoding="utf-8") == computed(), "run `make build`"


def test_the_rule_by_hand():
    """Words, an exercise of 20 minutes, a question, a picture; hints cost nothing; each sitting by itself."""
    source = SOURCE.format(first="a " * 2200, hint="b " * 9999, second="c " * 1300)
    # quick: 20 + 10 + 1 + 0.5 and a little; thorough: 25 + 16.9 + 2 + 1 and a little; then 5.9 and 10, and a little
    assert sittings(source) == [[35, 50], [10, 15]]


def test_every_head_takes_its_time_from_the_rule():
    for unit in units():
        source = (ROOT / "solutions" / f"{unit.id}.py").read_text(encoding="utf-8")
        head = source.partition("\n# ## ")[0]  # the opening may have a cell that shows something first
        assert head.count("{{time}}") == source.count("{{time}}") == 1, unit.id
        assert re.findall(r"\d+ (?:minutes|hours)", head) == [], unit.id


@pytest.mark.parametrize(
    ("spans", "text"),
    [
        (((45, 70),), "about 45 to 70 minutes"),
        (((120, 155),), "about 2 to 2.5 hours"),
        (((60, 90), (45, 70)), "two sittings of about 60 to 90 minutes and 45 to 70 minutes"),
    ],
)
def test_times_in_words(spans, text):
    assert Unit("05_first", "First", spans, ()).time == text


def test_the_whole_time():
    assert times.total([(60, 90), (45, 70)]) == (105, 160)
    assert times.in_words((0, 0)) == "0 minutes"
