"""Who can have handed in: the ids that were given, the roster, and whether folders are called by ids."""

from dataclasses import dataclass

from autograder.grading.intake.find.register import Register
from autograder.grading.intake.find.roster import Roster


@dataclass(frozen=True)
class People:
    """The people of a class.

    Attributes
    ----------
    register : Register
        To which new students are added.
    roster : Roster, optional
        With the same register.
    is_collected : bool
        Whether they hand in where nbgrader collects: there a folder is called like the id of a student.
    """

    register: Register
    roster: Roster | None = None
    is_collected: bool = False
