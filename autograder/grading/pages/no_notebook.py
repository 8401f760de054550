"""The page of somebody who has handed in something else than a notebook: why it has no points, and what to do."""

import re

from autograder.grading.intake.find.missing import ANOTHER_UNIT, NO_UNIT, SOMETHING_ELSE
from autograder.grading.pages import frame
from autograder.specification import Unit

WHY = {  # by kind, as the tables call it
    "PDF": "A PDF is a picture of a notebook: nobody can call the functions in it.",
    "HTML": "A page or a text that was typed into the platform shows code, but nobody can call the functions in it.",
    "PY": "A program that was exported from a notebook has lost the cells by which each exercise is found.",
    NO_UNIT: "There was a notebook, but none of a unit of this course: perhaps one of your own, or the start page.",
    ANOTHER_UNIT: "There was a notebook, but the cells in it are those of another unit, so it counts there.",
}
WHY |= {"HTM": WHY["HTML"], "TXT": WHY["HTML"], "PNG": WHY["PDF"].replace("A PDF", "A screenshot")}


def page(name: str, unit: Unit | None, words: str) -> str:
    """Return the page.

    Parameters
    ----------
    name : str
        How the student is called.
    unit : Unit or None
        None where it is not known.
    words : str
        What was handed in, as the tables say it: "handed in something else (PDF)".

    Returns
    -------
    str
        The same for the same arguments, always.
    """
    kinds = re.sub(rf"{SOMETHING_ELSE} \((.*)\)", r"\1", words).split(", ")
    text = TEMPLATE.render(
        name=name,
        unit=unit,
        kinds=kinds,
        why=list(dict.fromkeys(WHY[kind] for kind in kinds if kind in WHY)),
        file=f"{unit.id}.ipynb" if unit else "….ipynb",
    )
    return frame.visible(text)


TEMPLATE = frame.template("no_notebook.html", frame.style_sheet("page.css"), {})
