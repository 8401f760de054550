"""A synthetic course of one small unit, for the tests of the build and of the path through nbgrader."""

from dataclasses import dataclass

from autograder.specification import Unit


@dataclass(frozen=True)
class Named:
    """What the build needs to know about an exercise or a question."""

    name: str = ""
    points: float = 0
    id: str = ""

    def put_under(self, heading):
        """Need no heading."""


EXERCISES = (Named("double", 2), Named("halve", 3.5))
UNITS = {"07_mini": Unit("07_mini", "Mini", ((5, 10),), EXERCISES, (Named(id="which-one"),))}

UNIT_SOURCE = '''\
# %% [markdown]
# # A mini unit
#
# Twice and half.

# %%
from mini_check import check, predict

# %% [markdown]
# ## Exercise 7.1: double (2 points)
#
# ```python
# # not a heading
# ```

# %% solution="double"
def double(x):
    """Return twice x."""
    ### BEGIN SOLUTION
    secret_factor = 2
    return secret_factor * x
    ### END SOLUTION

# %%
print("a plain cell that fails while nothing is written", double(2))

# %% check="double"
check(double)

# %% [markdown]
# ## Exercise 7.2: halve (3.5 points)

# %% [markdown]
# ### Worked example

# %% solution="halve"
def halve(x):
    """Return half of x."""
    ### BEGIN SOLUTION
    return x / 2.0
    ### END SOLUTION

# %% check="halve"
check(halve)

# %% [markdown]
# ## What do you expect?

# %% answer="which-one"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("which-one", answer)
'''

START_SOURCE = """\
# %% [markdown]
# # Start here
#
# {{units}}
#
# Open one.
"""


def write_course(root, unit=UNIT_SOURCE, start=START_SOURCE):
    """Write the sources of the mini course into a folder and return it."""
    (root / "solutions").mkdir(parents=True)
    (root / "solutions" / "07_mini.py").write_text(unit, encoding="utf-8")
    (root / "solutions" / "start.py").write_text(start, encoding="utf-8")
    return root
