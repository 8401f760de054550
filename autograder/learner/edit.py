"""Put single definitions into the text of a Python file; everything else in it stays as it is."""

import ast
import io


def is_python(text: str) -> bool:
    """Return whether a text can be parsed."""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):  # ValueError: a null byte
        return False
    return True


def definition(text: str, name: str) -> str:
    """Return the lines of the last statement at top level that binds a name and no other; "" when there is none."""
    span = _span(text, name)
    return "".join(_lines(text)[slice(*span)]) if span else ""


def with_function(text: str, name: str, source: str) -> str:
    """Put a function where its name was bound, or at the end; in any case below all that its head needs."""
    if definition(text, name) == source:
        return text
    span = _span(text, name)
    needed = max((_span(text, other)[1] for other in _needed_by_head(source) if _span(text, other)), default=0)
    if not span:
        return f"{text.rstrip()}\n\n\n{source}"
    lines = _lines(text)
    if lines[span[0]].startswith(("def ", "@")) and needed <= span[0]:
        return _spliced(text, span, source)
    start, end = span
    place = max(start, needed)
    above = "".join(lines[:start] + lines[end:place]).rstrip()
    below = "".join(lines[max(end, place) :]).strip("\n")
    return f"{above}\n\n\n{source}" + (f"\n\n{below}\n" if below else "")


def _needed_by_head(source):
    """Return the names that a function looks up as soon as it is defined: in its default values, for instance."""
    function = ast.parse(source).body[0]
    head = [function.args, *function.decorator_list, *([function.returns] if function.returns else [])]
    return {node.id for part in head for node in ast.walk(part) if isinstance(node, ast.Name)}


def with_value(text: str, name: str, assignment: str) -> str:
    """Replace the assignment of a constant, or put it below the imports."""
    if span := _span(text, name):
        return _spliced(text, span, f"{assignment}\n")
    line, after_import = _end_of_top(text)
    blank_line = "\n" if after_import else ""
    return _spliced(text, (line, line), f"{blank_line}{assignment}\n")


def with_import(text: str, line: str) -> str:
    """Put an import below the others, unless it is there."""
    imports = [node for node in ast.parse(text).body if isinstance(node, ast.Import | ast.ImportFrom)]
    if line in {ast.unparse(single) for node in imports for single in _single(node)}:
        return text
    leading = [node.end_lineno or 0 for node in _top(text) if isinstance(node, ast.Import | ast.ImportFrom)]
    first = _top(text)[:1]
    place = max([*leading, *(node.end_lineno or 0 for node in first if isinstance(node, ast.Expr))], default=0)
    return _spliced(text, (place, place), line + "\n" if leading or not place else f"\n{line}\n")


def parts_that_parse(text: str) -> str:
    """Return what is left of a text that cannot be parsed: every statement at top level that can be by itself."""
    pieces = _pieces(text)
    kept: list[str] = []
    while pieces:
        ends = (n for n in range(1, len(pieces) + 1) if is_python("".join(pieces[:n])))
        end = next(ends, None)
        kept += pieces[:end] if end else []
        pieces = pieces[end or 1 :]
    return "".join(kept)


def _lines(text):
    """Split a text as Python counts its lines; `splitlines` also splits at a form feed."""
    return io.StringIO(text).readlines()


def _pieces(text):
    """Split a text before every line that is not indented."""
    pieces = []
    for line in _lines(text):
        if pieces and (line[0].isspace() or not line.strip()):
            pieces[-1] += line
        else:
            pieces.append(line)
    return pieces


def _top(text):
    """Return the statements before the first one that is no docstring, import or assignment."""
    top = []
    for node in ast.parse(text).body:
        docstring = not top and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not docstring and not isinstance(node, ast.Import | ast.ImportFrom | ast.Assign):
            break
        top.append(node)
    return top


def _end_of_top(text):
    """Return the number of lines up to the first definition, and whether these end with no assignment."""
    top = _top(text)
    return (top[-1].end_lineno, not isinstance(top[-1], ast.Assign)) if top else (0, False)


def _span(text, name):
    """Return first and last line, as a slice, of the last statement that binds a name alone and shares no line."""
    body = ast.parse(text).body
    statements = [node for node in body if _binds(node) == name]
    if not statements:
        return None
    first = min(node.lineno for node in [statements[-1], *getattr(statements[-1], "decorator_list", ())])
    last = statements[-1].end_lineno
    shared = [n for n in body if n is not statements[-1] and n.lineno <= last and n.end_lineno >= first]
    return None if shared else (first - 1, last + _comment_below(_lines(text)[last:]))


def _comment_below(lines):
    """Return how many lines go on with a function's body that ends in a comment."""
    for number, line in enumerate(lines):
        if line.strip() and not (line[0].isspace() and line.lstrip().startswith("#")):
            lines = lines[:number]
            break
    return max((number for number, line in enumerate(lines, 1) if line.strip()), default=0)


def _binds(node):
    if isinstance(node, ast.FunctionDef):
        return node.name
    simple = isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
    return node.targets[0].id if simple else None


def _single(node):
    """Split an import of several names into imports of one."""
    for alias in node.names:
        if isinstance(node, ast.Import):
            yield ast.Import([alias])
        else:
            yield ast.ImportFrom(node.module, [alias], node.level)


def _spliced(text, span, new):
    """Put a text in place of some lines."""
    lines = _lines(text)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    start, end = span
    return "".join(lines[:start]) + new + "".join(lines[end:])
