"""A unit is short enough for its sittings, and so are its cells: words of running text, lines of code."""

import ast
import re
import statistics
from collections.abc import Iterator
from pathlib import Path

from tools.style.sources import Cell, cells_of
from tools.style.told import Finding, Used

WORDS = {  # at most; OTHERS where nothing is said
    "01_positional_encoding": 1800,
    "08_decoding": 2200,
    "09_transformer": 2400,  # the capstone
}
OTHERS = 2150
LEAST_WORDS = 1000
CODE_LINES = 40
MEDIAN_LINES = 6
PICTURE_LINES = 3
INSTEAD = "what takes more gets a name in transformer_kit.pictures"


def paths(root: Path) -> list[Path]:
    """Return the sources of the units."""
    return sorted((root / "solutions").glob("[0-9]*.py"))


def findings(root: Path) -> Iterator[Finding]:
    """Yield what is too long or too short in the units."""
    for path in paths(root):
        for line, what in faults(path.stem, path.read_text(encoding="utf-8")):
            yield Finding(path.relative_to(root).as_posix(), line, what)


def used(root: Path) -> list[Used]:
    """Return how many words the units use."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in paths(root)}
    return [Used(unit, words_of(cells_of(text)), WORDS.get(unit, OTHERS)) for unit, text in texts.items()]


def fullest(root: Path) -> list[Used]:
    """Return how much the longest cells use of their limits."""
    units = [cells_of(path.read_text(encoding="utf-8")) for path in paths(root)]
    return [
        Used("lines of a code cell", max(max(lengths(cells).values()) for cells in units), CODE_LINES),
        Used("lines of a picture's calls", max(max(drawn(cells).values()) for cells in units), PICTURE_LINES),
    ]


def faults(unit: str, source: str) -> Iterator[tuple[int, str]]:
    """Yield line and sentence for each rule that the source of a unit breaks."""
    cells = cells_of(source)
    words, limit = words_of(cells), WORDS.get(unit, OTHERS)
    if words > limit:
        yield 1, f"{words:,} words of running text; the limit is {limit:,}, so {words - limit:,} have to go"
    if words < LEAST_WORDS:
        yield 1, f"{words:,} words of running text; a unit has {LEAST_WORDS:,} or more"
    lines = lengths(cells)
    if lines and (median := statistics.median(lines.values())) > MEDIAN_LINES:
        yield 1, f"half of the code cells have {median:g} lines or more; the limit is {MEDIAN_LINES}"
    for line, length in lines.items():
        if length > CODE_LINES:
            yield line, f"a code cell of {length} lines; the limit is {CODE_LINES}"
    for line, length in drawn(cells).items():
        if length > PICTURE_LINES:
            yield line, f"a picture takes {length} lines; the limit is {PICTURE_LINES}: {INSTEAD}"


def running_text(text: str) -> str:
    """Return what is read from beginning to end: no hints, formulas, tables and choices of a question."""
    text = re.sub(r"<details.*?</details>", "", text, flags=re.S)
    text = re.sub(r"\$\$.*?\$\$|\$[^$]*\$", "", text, flags=re.S)
    return re.sub(r"^(\|.*|- \*\*[A-F]\*\* .*(\n +\S.*)*)$", "", text, flags=re.M)


def words_of(cells: list[Cell]) -> int:
    """Return how many words of running text some cells have; a placeholder is a word or two, as what it stands for."""
    return len(running_text("\n".join(cell.source for cell in cells if cell.is_text)).split())


def lengths(cells: list[Cell]) -> dict[int, int]:
    """Return how many lines the code cells have as they are released, by the line that a cell begins in."""
    return {cell.line: len(cell.released.splitlines()) for cell in cells if not cell.is_text}


def drawn(cells: list[Cell]) -> dict[int, int]:
    """Return how many lines of a code cell draw: calls of functions of `plots`, and of the kit's pictures."""
    trees = {cell.line: ast.parse(cell.source) for cell in cells if not cell.is_text}
    nodes = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imports = (node for node in nodes if node.module.startswith("transformer_kit.pictures"))
    names = {alias.asname or alias.name for node in imports for alias in node.names}
    return {line: sum(c.end_lineno - c.lineno + 1 for c in _outermost(tree, names)) for line, tree in trees.items()}


def _outermost(tree, names):
    for node in ast.iter_child_nodes(tree):
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        if called.startswith("plots.") or called in names:
            yield node
        else:
            yield from _outermost(node, names)
