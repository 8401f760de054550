"""Why a function is not there, as far as the notebook shows it: it has another name, or its cell is no Python."""

import ast
import difflib
import warnings

from autograder.grading.intake.read.bindings import FUNCTIONS
from autograder.grading.intake.repair.match import BROKEN, NOTHING, Match

ALIKE = 0.75  # of the letters of two names, so that one is taken for the other
MAX_LINE = 80  # characters of a line that is shown


def absent(matched: Match) -> dict[str, dict[str, str]]:
    """Return by exercise what to tell a learner whose function is not there: a word, why, and what to do.

    Parameters
    ----------
    matched : Match

    Returns
    -------
    dict of dict
        With "word", "help" and "step"; nothing of functions that are there, or of which the notebook shows nothing.
    """
    messages = {}
    for slot in matched.of("function"):
        levels = matched.levels[slot.number]
        level = max(levels, default=NOTHING)
        if level == NOTHING and (other := _renamed(matched, slot)):
            messages[slot.name] = _message_on_renamed(slot.name, other)
        elif level == BROKEN and (error := _error(matched.cells[_last(levels)].source)):
            messages[slot.name] = _message_on_error(slot.name, error)
    return messages


def _renamed(matched, slot):
    """Return the name of the function that may be this one; empty without one."""
    names = {each.name for each in matched.of("function", "answer")}
    unknown = sorted({*_functions_in(matched.sources)} - names)
    in_its_cell = _functions_in(_sources_of(matched, slot))
    similar = difflib.get_close_matches(slot.name, unknown, 1, ALIKE)
    longer = [name for name in unknown if slot.name in name]
    return next(iter([*longer, *similar, *(name for name in in_its_cell if name not in names)]), "")


def _sources_of(matched, slot):
    """Return the sources of the cells that bear a slot's marks."""
    pairs = zip(matched.sources, matched.claimed, strict=True)
    return [source for source, claim in pairs if claim is slot]


def _functions_in(sources):
    """Return the names of the functions that sources define."""
    parts = (part for source in sources for part in source.statements or ())
    return [part.node.name for part in parts if isinstance(part.node, FUNCTIONS)]


def _last(levels):
    return max(number for number, level in enumerate(levels) if level == BROKEN)


def _error(source):
    """Return the SyntaxError of a cell; None where it is another one, or the cell is none of code."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes in strings
            ast.parse(source)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError):
        return None
    return None


def _message_on_renamed(name, other):
    other = other[:MAX_LINE]
    return {
        "word": "not found",
        "help": f"After your cells had run there was no function named `{name}`, but `{other}` is there. A function "
        "counts under the name that the exercise gives it.",
        "step": f"call `{other}` by its name again, `{name}`, restart the kernel, run all cells, and hand the file in "
        "again.",
    }


def _message_on_error(name, error):
    line = (error.text or "").strip()[:MAX_LINE].replace("`", "'")
    where = f"line {error.lineno} of the cell of `{name}`"
    shown = f": `{line}`" if line else ""
    return {
        "word": "not valid Python",
        "help": f"Python cannot read {where}{shown} ({error.msg[:MAX_LINE]}). So there was no function to call.",
        "step": f"correct {where}{shown}, and run its check cell.",
    }
