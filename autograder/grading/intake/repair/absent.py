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
    found = {}
    for slot in matched.of("function"):
        levels = matched.levels[slot.number]
        level = max(levels, default=NOTHING)
        if level == NOTHING and (other := _renamed(matched, slot)):
            found[slot.name] = _words_of_renamed(slot.name, other)
        elif level == BROKEN and (error := _error(matched.cells[_last(levels)].source)):
            found[slot.name] = _words_of_error(slot.name, error)
    return found


def _renamed(matched, slot):
    """Return the name of the function that may be this one; empty without one."""
    names = {other.name for other in matched.of("function", "answer")}
    given = {part.node.name for source in matched.sources for part in source.statements or () if _is_function(part)}
    own = [part.node.name for source in _own(matched, slot) for part in source.statements or () if _is_function(part)]
    alike = difflib.get_close_matches(slot.name, sorted(given - names), 1, ALIKE)
    around = [name for name in sorted(given - names) if slot.name in name]
    return next(iter([*around, *alike, *(name for name in own if name not in names)]), "")


def _own(matched, slot):
    """Return the sources of the cells that bear a slot's marks."""
    pairs = zip(matched.sources, matched.claimed, strict=True)
    return [source for source, claim in pairs if claim is slot]


def _is_function(part):
    return isinstance(part.node, FUNCTIONS)


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


def _words_of_renamed(name, other):
    other = other[:MAX_LINE]
    return {
        "word": "not found",
        "help": f"After your cells had run there was no function named `{name}`, but `{other}` is there. A function "
        "counts under the name that the exercise gives it.",
        "step": f"call `{other}` by its name again, `{name}`, restart the kernel, run all cells, and hand the file in "
        "again.",
    }


def _words_of_error(name, error):
    line = (error.text or "").strip()[:MAX_LINE].replace("`", "'")
    where = f"line {error.lineno} of the cell of `{name}`"
    shown = f": `{line}`" if line else ""
    return {
        "word": "not valid Python",
        "help": f"Python cannot read {where}{shown} ({error.msg[:MAX_LINE]}). So there was no function to call.",
        "step": f"correct {where}{shown}, and run its check cell.",
    }
