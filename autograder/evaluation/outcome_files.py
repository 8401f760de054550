"""Where measured outcomes are kept: in the learners' editions beside the engine, elsewhere in a cache of this user."""

import contextlib
import os
from pathlib import Path

from autograder.whole_file import write_atomically

SHIPPED = Path(__file__).parent.parent / "outcomes"
VARIABLE = "AUTOGRADER_CACHE"  # environment variable: another folder, which nobody else may write to
KEPT = 4  # files of one name: the latest ones, for there may be several copies of a course


def shipped(name: str) -> str:
    """Return the text that came with an edition of the course, or "" where there is none."""
    return _text(SHIPPED / f"{name}.json")


def cached(name: str, key: str) -> str:
    """Return the text that was kept under a name and a key, or "" where there is none."""
    folder = cache_folder()
    return _text(folder / f"{name}-{key}.json") if folder else ""


def keep(name: str, key: str, text: str) -> None:
    """Keep a text under a name and a key; where the cache cannot be written, nothing is kept."""
    folder = cache_folder()
    if folder:
        with contextlib.suppress(OSError):
            write_atomically(folder / f"{name}-{key}.json", text)
            _remove_old(folder, name)


def cache_folder() -> Path | None:
    """Return the folder of the cache; None where the system has none, as in a browser."""
    if folder := os.environ.get(VARIABLE):
        return Path(folder, "outcomes")
    try:
        from platformdirs import user_cache_path
    except ImportError:
        return None
    return user_cache_path("autograder", appauthor=False) / "outcomes"


def _remove_old(folder, name):
    files = sorted(folder.glob(f"{name}-*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in files[KEPT:]:
        path.unlink()


def _text(path):
    try:
        return path.read_text(encoding="utf-8") if path.is_file() else ""
    except (OSError, UnicodeDecodeError):
        return ""
