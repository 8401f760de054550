"""Which statements of which modules one file needs, and where every name in them comes from."""

import ast
import builtins
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from autograder.learner.take_home.statements import CannotTakeHome, Module, Statement

KIT = "transformer_kit"
OWN = (KIT, "autograder")


@dataclass(frozen=True)
class External:
    """An import from elsewhere.

    Attributes
    ----------
    module : str
    attribute : str
        "" for the module itself.
    parts : tuple of str
        What is imported of the module as ``import module.part``.
    """

    module: str
    attribute: str = ""
    parts: tuple[str, ...] = ()

    @property
    def package(self) -> str:
        """The package that has to be installed, or a module of Python's own."""
        return self.module.partition(".")[0]

    @property
    def may_be_missing(self) -> bool:
        """Whether it is neither Python's own nor NumPy's."""
        return self.package not in sys.stdlib_module_names | {"numpy"}

    def lines(self, name: str) -> list[str]:
        """Return the imports that bind a name."""
        start = f"from {self.module} import {self.attribute}" if self.attribute else f"import {self.module}"
        own = start if name == (self.attribute or self.module) else f"{start} as {name}"
        return [own, *(f"import {part}" for part in self.parts)]


Home = tuple[Module, str] | External | None
"""Where a name is bound: in a module, elsewhere, or for a builtin nowhere."""


@dataclass
class Sources:
    """The modules that a file is made of.

    Parameters
    ----------
    functions : mapping of str to Module or str
        The module that has a function of the course; the name of one of the kit is read when it is needed.
    course : collection of str
        Names of packages in which a name of the course's functions always means this function.
    read : callable
        From the name of a module of the kit to its text; LookupError if it has no source.
    """

    functions: Mapping[str, Module | str]
    course: Iterable[str]
    read: Callable[[str], str]
    _modules: dict[str, Module] = field(default_factory=dict)

    def module(self, name: str) -> Module:
        """Return a module of the kit."""
        if name not in self._modules:
            self._modules[name] = Module(name, self.read(name))
        return self._modules[name]

    def function(self, name: str) -> Module:
        """Return the module that has a function of the course."""
        module = self.functions[name]
        try:
            return self.module(module) if isinstance(module, str) else module
        except LookupError as error:
            told = f"{name} is not among your functions yet, and here the course has no source to lend: pass its check"
            raise CannotTakeHome(told) from error

    def is_function(self, module: Module, name: str) -> bool:
        """Return whether this is where a function of the course is taken from."""
        return self.functions.get(name) in (module, module.name)

    def home(self, module: Module, name: str) -> Home:
        """Find where a name that a module uses is bound."""
        if name in self.functions and self._is_course(module.name):
            return self.function(name), name
        if name not in module.binders:
            if hasattr(builtins, name) or (name.startswith("__") and name.endswith("__")):
                return None
            raise CannotTakeHome(f"{module.name} uses {name!r}, which is defined nowhere")
        node = module.binders[name][0].node
        if isinstance(node, ast.ImportFrom):
            return self._imported(node.module or "", _original(node, name))
        return self._external(module, name) if isinstance(node, ast.Import) else (module, name)

    def _is_there(self, name):
        try:
            self.module(name)
        except LookupError:
            return False
        return True

    def _external(self, module, name):
        """Find out what an import of modules means by a name: a module under another name, or one with its parts."""
        aliases = [alias for binder in module.binders[name] for alias in getattr(binder.node, "names", ())]
        under_it = [alias.name for alias in aliases if alias.asname == name]
        full = under_it[0] if under_it else name
        if full.split(".")[0] in OWN:
            raise CannotTakeHome(f"{module.name} imports {full} as a whole: import the names that you need from it")
        parts = {alias.name for alias in aliases if not alias.asname and alias.name.startswith(f"{name}.")}
        return External(full, parts=tuple(sorted(parts)))

    def _is_course(self, name):
        return any(f"{name}.".startswith(f"{own}.") for own in self.course)

    def _imported(self, module, name):
        if module.split(".")[0] not in OWN:
            return External(module, name)
        if self._is_course(module) and name in self.functions:
            return self.function(name), name
        try:
            found = self.module(module)
        except LookupError as error:
            raise CannotTakeHome(f"{name!r} of {module} cannot be copied: its source is not here") from error
        if name not in found.binders and self._is_there(f"{module}.{name}"):
            raise CannotTakeHome(f"it needs {module}.{name} as a whole: import the names that you need from it")
        return self.home(found, name)

    def needed(self, wanted: Iterable[tuple[Module, str]]) -> tuple[list[Statement], dict[Statement, dict[str, Home]]]:
        """Return the statements that bind some names, and all that these need in turn.

        Returns
        -------
        statements : list of Statement
            In the order in which they were found.
        homes : dict from Statement to dict from str to Home
            Of every name that a statement uses; without builtins.
        """
        waiting, homes = list(wanted), dict[Statement, dict[str, Home]]()
        while waiting:
            module, name = waiting.pop(0)
            for statement in module.binders[name]:
                if statement in homes:
                    continue
                _refuse_inner_imports(statement)
                found = {used: self.home(module, used) for used in sorted(statement.uses)}
                homes[statement] = {used: home for used, home in found.items() if home}
                waiting += [home for home in homes[statement].values() if isinstance(home, tuple)]
        return list(homes), homes


def _original(node, name):
    return next(alias.name for alias in node.names if (alias.asname or alias.name.partition(".")[0]) == name)


def _refuse_inner_imports(statement):
    for node in ast.walk(statement.node):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if any(name.split(".")[0] in OWN for name in names):
            raise CannotTakeHome(f"{statement.module.name} imports {names[0]} inside a function: import it above")
