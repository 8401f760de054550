"""The order and the names of all statements in one file, and what stands around them."""

import builtins
from collections.abc import Mapping, Sequence

from autograder.learner.take_home.gather import External, Sources
from autograder.learner.take_home.statements import Module

RULE = "# " + "-" * 100


def joined(
    wanted: Sequence[tuple[Module, str]], sources: Sources, headings: Mapping[Module, str], lent: str
) -> tuple[str, dict[tuple[Module, str], str]]:
    """Write what some names need, one after another, in one namespace.

    Parameters
    ----------
    wanted : sequence of (Module, str)
        The names, and where they are bound.
    sources : Sources
    headings : mapping of Module to str
        Of the modules that come first, in their order; the others follow under `lent`.
    lent : str

    Returns
    -------
    text : str
    names : dict from (Module, str) to str
        What everything is called in it.
    """
    statements, homes = sources.needed(wanted)
    first = list(headings)
    place = {module: i for i, module in enumerate(first)}
    ordered = sorted(statements, key=lambda s: (place.get(s.module, len(first)), _depth(s, statements), s.number))
    names = _names(ordered, homes, sources)
    outside = {names[home]: home for used in homes.values() for home in used.values() if isinstance(home, External)}
    parts, heading = [_imports(outside)], ""
    for statement in _in_order(ordered, homes):
        if (title := headings.get(statement.module, lent)) != heading:
            parts.append(f"{RULE}\n# {title}\n{RULE}\n")
            heading = title
        parts.append(statement.renamed({used: names[home] for used, home in homes[statement].items()}))
    return "\n\n".join(parts), names


def _imports(outside):
    """Write the imports; of packages that may be missing, last and so that what does not need them still works."""
    lines = {line for name, home in outside.items() if not home.may_be_missing for line in home.lines(name)}
    text = "\n".join(sorted(lines, key=lambda line: (line.startswith("from"), line))) + "\n"
    for name, home in sorted(outside.items()):
        if home.may_be_missing:
            tried = "\n    ".join(["try:", *home.lines(name)])
            told = f"{name} = None  # the functions that use it need {home.package}"
            text += f"\n{tried}\nexcept ImportError:\n    {told}\n"
    return text


def _depth(statement, statements):
    """Return the place of the first statement of the same module: modules stay together."""
    return next(i for i, other in enumerate(statements) if other.module is statement.module)


def _names(ordered, homes, sources):
    """Give every name of every module one that nobody else has; functions of the course keep theirs."""
    all_homes = {home for used in homes.values() for home in used.values()}
    names = {home: home[1] for home in all_homes if isinstance(home, tuple) and sources.is_function(*home)}
    taken = {*sources.functions, *dir(builtins)}
    for statement in ordered:
        for used, home in homes[statement].items():
            if home in names:
                continue
            own = used if isinstance(home, External) else home[1]
            tail = home.module if isinstance(home, External) else home[0].name
            candidate, number = own, 1
            while candidate in taken:
                candidate = f"{own}_of_{tail.rpartition('.')[2]}" + (str(number) if number > 1 else "")
                number += 1
            names[home] = candidate
            taken.add(candidate)
    return names


def _in_order(ordered, homes):
    """Bring every statement behind those that it needs when it runs; otherwise keep the order."""
    result, done = [], {}

    def add(statement, runs):
        """`runs`: what it defines is called at once, so all that it looks up has to be there."""
        if statement in done and (done[statement] or not runs):
            return
        new = statement not in done
        done[statement] = runs
        for used in sorted(statement.uses if runs else statement.uses_at_once):
            home = homes[statement].get(used)
            for other in home[0].binders[home[1]] if isinstance(home, tuple) else ():
                add(other, True)
        if new:
            result.append(statement)

    for statement in ordered:
        add(statement, not statement.is_function)
    return result
