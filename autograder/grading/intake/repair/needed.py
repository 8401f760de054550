"""What a worker runs of a notebook: the statements that its functions need, each on the line where it stood."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence

from autograder.grading.intake.read.bindings import FUNCTIONS
from autograder.grading.intake.read.source import Source, Statement

ALWAYS = ""  # stands for a name that is always needed
LENDING = "load"  # gives functions of earlier units
Part = tuple[int, Statement]  # a statement, with the number of its source


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
    for index in _Needed(parts, functions).indices():
        number, part = parts[index]
        kept[number].append(part)
    cells = (s.text if s.statements is None else s.only(kept[number]) for number, s in enumerate(sources))
    return tuple(cell for cell in cells if cell.strip())


class _Needed:
    """Finds the statements that bind or change a needed name, and those that may change what it stands for.

    Whoever mentions an object can change it: `np.copyto(M, 0)`, `fill(M)`, `fill()` of a function that uses M, and
    after `d = M` everything that mentions d. So where functions need an object, all that mentions it is run; only of
    numbers, texts, modules and plain functions it is known that nothing but a new value, or an attribute, changes them.
    """

    def __init__(self, parts: Sequence[Part], functions: dict[str, int]) -> None:
        self.parts = parts
        self.functions = functions
        self.binders: defaultdict[str, list[int]] = defaultdict(list)  # indices by name
        self.mentions: defaultdict[str, list[int]] = defaultdict(list)  # those that use a name when they run
        self.bodies: defaultdict[str, list[int]] = defaultdict(list)  # functions that use it when they are called
        self.bound = {name for _, part in parts for name in part.binds | part.declared}
        imports = [part for _, part in parts if isinstance(part.node, (ast.Import, ast.ImportFrom))]
        self.modules = {name for part in imports for name in part.binds}  # np.seterr() does not change what np is
        self.changing = _changing(parts, self.modules)
        for index, (_, part) in enumerate(parts):
            self._note(index, part)
        self.kept: set[tuple[int, int]] = set()
        self.followed: set[tuple[int, int]] = set()

    def indices(self) -> set[int]:
        """Return the indices of the statements."""
        end = len(self.parts)
        needed = {(ALWAYS, end), *self.functions.items()}  # names, each with the number of the last source that counts
        if any(part.sees_all for _, part in self.parts):
            needed |= {(name, end) for name in self.binders}
        far = [part for _, part in self.parts if part.sees_all or self._reaches_modules(part)]
        watched = {(name, end) for part in far for name in part.binds}
        waiting = [*((*one, True) for one in needed), *((*one, False) for one in watched)]
        done: set[tuple[str, int, bool]] = set()
        while waiting:
            one = waiting.pop()
            if one not in done:
                done.add(one)
                waiting += self._needed(*one[:2]) if one[2] else self._watched(*one[:2])
        return {index for index, _ in self.kept}

    def _note(self, index, part):
        for name in part.binds | (part.changes - self.modules):
            self.binders[name].append(index)
        reaches = self._reaches_modules(part) and not _is_function(part)
        if part.sees_all or _binds_unseen(part.node) or reaches:
            self.binders[ALWAYS].append(index)
        at_once = _at_once(part.node) if _is_function(part) else part.uses
        for name in part.uses - self.modules:
            (self.mentions if name in at_once else self.bodies)[name].append(index)

    def _reaches_modules(self, part):
        """Return whether a statement sets an attribute of a module, or of what no statement binds."""
        return any(name in self.modules or name not in self.bound for name in part.sets)

    def _needed(self, name: str, last: int) -> Iterator[tuple[str, int, bool]]:
        """Keep what binds or changes a name; yield what is needed and watched because of it."""
        yield from self._keep(self.binders[name], last)
        if name in self.changing:
            yield name, last, False

    def _watched(self, name: str, last: int) -> Iterator[tuple[str, int, bool]]:
        """Keep what mentions a name by which an object may be changed; watch what it binds, and who uses it."""
        mentions = self._until(self.mentions[name], last)
        yield from self._keep(mentions, last)
        for index in [*mentions, *self._until(self.bodies[name], last)]:
            if (index, last) not in self.followed:
                self.followed.add((index, last))
                yield from ((bound, last, False) for bound in self.parts[index][1].binds - self.modules)

    def _keep(self, indices: Sequence[int], last: int) -> Iterator[tuple[str, int, bool]]:
        for index in self._until(indices, last):
            if (index, last) not in self.kept:
                self.kept.add((index, last))
                yield from ((used, self.functions.get(used, last), True) for used in self.parts[index][1].uses)

    def _until(self, indices, last):
        """Return those of the sources that count; where there are none, all."""
        return [index for index in indices if self.parts[index][0] <= last] or indices


def _changing(parts: Sequence[Part], modules: set[str]) -> set[str]:
    """Return the names of what a mention may change: not of numbers, texts, modules, functions, or others of these."""
    changing: set[str] = set()
    others: defaultdict[str, set[str]] = defaultdict(set)
    waiting: list[str] = []
    for _, part in parts:
        value: ast.AST | None = getattr(part.node, "value", None)
        while isinstance(value, ast.Attribute):
            value = value.value
        if isinstance(value, ast.Name) and not part.declared:
            others[value.id] |= part.binds
        else:
            waiting += [*part.declared, *(() if _is_plain(part.node) else part.binds)]
    while waiting:
        name = waiting.pop()
        if name not in changing and name not in modules:
            changing.add(name)
            waiting += others[name]
    return changing


def _is_plain(node):
    if isinstance(node, FUNCTIONS):
        return True
    value = getattr(node, "value", None) if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) else None
    if isinstance(value, ast.Lambda) or (isinstance(value, ast.Call) and getattr(value.func, "id", "") == LENDING):
        return True
    operands = value.elts if isinstance(value, ast.Tuple) else [value]
    return all(isinstance(getattr(operand, "operand", operand), ast.Constant) for operand in operands)


def _is_function(part):
    return isinstance(part.node, FUNCTIONS)


def _at_once(node):
    """Return the names that a definition of a function uses when it runs itself."""
    outside = [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]
    return {part.id for expression in outside for part in ast.walk(expression) if isinstance(part, ast.Name)}


def _binds_unseen(node):
    """Return whether a statement binds names that it does not mention, or changes how the others are read."""
    return isinstance(node, ast.ImportFrom) and (node.names[0].name == "*" or node.module == "__future__")
