"""The mark that distinguishes a notebook as it was built from one that somebody has worked in."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def fingerprint(notebook: Mapping[str, Any]) -> str:
    """Return the SHA-256 (hex) of the types and sources of a notebook's cells; outputs do not count."""
    cells = [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
    return hashlib.sha256(json.dumps(cells).encode()).hexdigest()


def stamp(notebook: Any) -> None:
    """Write the fingerprint of a freshly built notebook into its metadata."""
    notebook["metadata"]["course"] = {"built_from": fingerprint(notebook)}


def is_edited(path: Path) -> bool:
    """Return whether a notebook file differs from what was built; one that cannot be read counts as work."""
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        return notebook["metadata"]["course"]["built_from"] != fingerprint(notebook)
    except (ValueError, KeyError, TypeError):
        return True
