"""The words of the texts that readers see, without code, formulas and addresses."""

import re

import nbformat

from autograder.registry import units
from tools.course import ROOT, notebook

FIELD = ROOT / "tests" / "support" / "words.txt"  # names and terms that no dictionary of English has


def texts():
    """Return all texts in Markdown or HTML, by the place of each."""
    start = nbformat.read(ROOT / "notebooks" / "START_HERE.ipynb", as_version=4)
    books = {"START_HERE": start} | {unit.id: notebook(unit.id, "notebooks") for unit in units()}
    found = {
        name: "\n\n".join(c.source for c in book.cells if c.cell_type == "markdown") for name, book in books.items()
    }
    files = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    files.append(ROOT / "tools" / "site" / "front" / "page.html")
    found |= {file.name: file.read_text(encoding="utf-8") for file in files}
    card = found["model_card.md"].splitlines()
    found["model_card.md"] = "\n".join(line for line in card if not line.startswith("|"))  # tables: Spanish, made up
    return found


def words(text):
    """Return the words of a text in lower case, each once; what only looks like words is left out."""
    for other in (
        r"^(\s*)```.*?^\s*```",
        r"\$\$.*?\$\$",
        r"`[^`]*`",
        r"\$[^$]*\$",
        r"<[^>]*>",
        r"\]\([^)]*\)",
        r"&\w+;",
    ):
        text = re.sub(other, " ", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\*[^*\n]*\*", " ", text.replace("**", ""))  # in italics: often Spanish, and examples
    text = re.sub(r"https?:\S+|\S+\.(?:py|ipynb|md|npz|json|js|csv|yml|toml|css|html)\b|\S*[_/\\]\S*|\$\w+", " ", text)
    return {word.lower() for word in re.findall(r"(?<![\w.\\-])[A-Za-z]+(?:['\u2019][a-z]+)?(?![\w\\])", text)}


def unknown(text, speller, field):
    """Return the words of a text that neither English nor the field knows."""
    plain = {re.sub(r"['\u2019](s|t|re|ve|ll|d|m)$", "", word) for word in words(text)}
    return sorted(word for word in speller.unknown(plain) if len(word) > 2 and word not in field)
