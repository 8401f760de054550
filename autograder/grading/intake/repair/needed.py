"""What a worker runs of a notebook: the statements that its functions need, each on the line where it stood."""

import ast
from collections import defaultdict
from collections.abc import Sequence

from autograder.grading.intake.read.source import ANYTHING, Source, Statement

ALWAYS = ""  # stands for a name that is always needed


def code_of(sources: Sequence[Source], functions: dict[str, int]) -> tuple[str, ...]:
    """Return of each source the lines that functions need.

    A figure, an experiment or a check on which no function depends is left out, so that it cannot make grading fail.

    Parameters
    ----------
    sources : sequence of Source
        Of all code cells in their order; those that are not Python stay as they are.
    functions : dict
        For each function's name, the number of the last source whose definition of a name counts. A later one counts
        where there is none before.

    Returns
    -------
    tuple of str
        Sources in which every other line is blank; cells of which no line is left are not among them.
    """
    parts = [(number, part) for number, source in enumerate(sources) for part in source.statements or ()]
    kept = defaultdict(list)
    for index in _needed(parts, functions):
        number, part = parts[index]
        kept[number].append(part)
    cells = (s.text if s.statements is None else s.only(kept[number]) for number, s in enumerate(sources))
    return tuple(cell for cell in cells if cell.strip())


def _needed(parts: Sequence[tuple[int, Statement]], functions: dict[str, int]) -> set[int]:
    """Return the indices of the statements that bind or change a needed name, and of those that may change any."""
    imports = [part for _, part in parts if isinstance(part.node, (ast.Import, ast.ImportFrom))]
    modules = {name for part in imports for name in part.binds}  # np.seterr() does not change what np is
    binders = defaultdict(list)
    for index, (_, part) in enumerate(parts):
        for name in part.binds | (part.changes - modules):
            binders[name].append(index)
        if part.uses & ANYTHING or _binds_unseen(part.node):
            binders[ALWAYS].append(index)
    waiting = {(ALWAYS, len(parts)), *functions.items()}  # names, each with the number of the last source that counts
    if any(part.uses & ANYTHING for _, part in parts):
        waiting |= {(name, len(parts)) for name in binders}
    kept: set[tuple[int, int]] = set()
    done: set[tuple[str, int]] = set()
    while waiting:
        name, last = waiting.pop()
        done.add((name, last))
        before = [index for index in binders[name] if parts[index][0] <= last]
        new = {(index, last) for index in before or binders[name]} - kept
        kept |= new
        waiting |= {(used, functions.get(used, last)) for index, _ in new for used in parts[index][1].uses} - done
    return {index for index, _ in kept}


def _binds_unseen(node):
    """Return whether a statement binds names that it does not mention, or changes how the others are read."""
    return isinstance(node, ast.ImportFrom) and (node.names[0].name == "*" or node.module == "__future__")
