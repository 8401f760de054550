"""What a platform calls the units: named once, and kept; and what its own table offers."""

import json
import re
from collections.abc import Iterable, Mapping

from autograder.grading.verdicts.store import Store
from autograder.whole_file import write_atomically

OWN = {  # how a platform's export writes a column of points; the group is what its import wants to see again
    "canvas": re.compile(r"(.+ \(\d+\))"),
    "blackboard": re.compile(r"(.+\|\d+)"),
    "brightspace": re.compile(r"(.+?) Points Grade\b.*"),
}
OFFERED = "offered"


def kept_columns(store: Store, platform: str) -> dict[str, str]:
    """Return by id of the unit what a platform calls its column, as far as anybody has said."""
    return _read(store).get(platform, {})


def keep_columns(store: Store, platform: str, named: Mapping[str, str]) -> dict[str, str]:
    """Keep what a platform calls the columns of some units, and return what it calls those of all."""
    if named:
        known = _read(store)
        known[platform] = dict(sorted((known.get(platform, {}) | dict(named)).items()))
        _write(store, known)
    return kept_columns(store, platform)


def keep_headings(store: Store, headings: Iterable[str]) -> None:
    """Keep the columns of points that rosters of a platform have, to offer them."""
    found = {p: [m[1] for h in headings if (m := pattern.fullmatch(h.strip()))] for p, pattern in OWN.items()}
    found = {platform: names for platform, names in found.items() if names}
    if found:
        known = _read(store)
        _write(store, known | {OFFERED: known.get(OFFERED, {}) | found})


def offered(store: Store, platform: str, units: Iterable[str]) -> list[str]:
    """Say in sentences which columns of a platform may be those of units that nobody has named yet.

    Parameters
    ----------
    store : Store
    platform : str
    units : iterable of str
        Ids of those that are exported.
    """
    named = kept_columns(store, platform)
    left = [name for name in _read(store).get(OFFERED, {}).get(platform, []) if name not in named.values()]
    missing = [unit for unit in units if unit not in named]
    if not (left and missing):
        return []
    names = ", ".join(f"“{name}”" for name in left)
    example = f'--column "{missing[0][:2]}={_likely(missing[0], left)}"'
    units_missing = ", ".join(unit[:2] for unit in missing)
    return [f"No column of the platform is named for {units_missing}. It has {names}. Name each once: {example}"]


def _likely(unit, names):
    """Return the name that has the unit's number in it, or else the first one."""
    number = rf"(?<!\d)0*{int(unit[:2])}(?!\d)"
    return next((name for name in names if re.search(number, name.rpartition(" (")[0])), names[0])


def _read(store):
    path = _path(store)
    if not path.exists():
        return {}
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        return {platform: type(its)(its) for platform, its in known.items()}
    except (ValueError, AttributeError, TypeError):
        raise ValueError(
            f"{path} should say what platforms call the units, and cannot be read. Delete it, and name them again: "
            'course export --to canvas --column "02=Homework 2 (4711)"'
        ) from None


def _write(store, known):
    write_atomically(_path(store), json.dumps(known, indent=1) + "\n")


def _path(store):
    return store.folder / "columns.json"
