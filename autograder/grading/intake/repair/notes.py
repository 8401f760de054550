"""What had to be repaired in a notebook, in sentences for the instructor."""

from collections import defaultdict

from autograder.grading.intake.repair.match import WRITTEN

MANY = 8  # names that are listed


def repair_notes(skeleton, found, sanitized):
    """Describe what had to be repaired.

    Parameters
    ----------
    skeleton : NotebookNode
    found : Match
    sanitized : int
        Number of texts in which HTML was made harmless.

    Returns
    -------
    tuple of str
    """
    if not found.homes:
        return ("Nothing in the notebook belongs to this unit. Was another unit's handed in?",)
    sentences = [
        _sentence(
            "The marks of nbgrader were missing or wrong, and these cells were recognised otherwise", _lost(found)
        ),
        _sentence("The marks of nbgrader were changed, and the released ones were put back", _changed(skeleton, found)),
        _sentence("Written outside of its own cell, and counted", _elsewhere(found)),
        *(_sentence("Written in one cell", names) for names in _together(found)),
        _sentence("There more than once, and the last one counts that was written for its check", _repeated(found)),
        _sentence("No longer a code cell, but read as one", _other_kind(found)),
        _sentence("A locked cell was changed, and the released one was put back", _edited(found)),
        _sentence("Missing, and put back as released", _missing(found)),
        f"In {sanitized} texts, HTML was made harmless." if sanitized else "",
    ]
    return tuple(filter(None, sentences))


def _sentence(what, names):
    names = list(dict.fromkeys(names))
    more = f" and {len(names) - MANY} more" if len(names) > MANY else ""
    return f"{what}: {', '.join(names[:MANY])}{more}." if names else ""


def _taken(found):
    """Yield the places that are known to nbgrader, each with the number of its cell."""
    for place in found.places:
        if place.name and place.number in found.homes:
            yield place, found.homes[place.number]


def _lost(found):
    shared = {name for names in _together(found) for name in names}
    for place, number in _taken(found):
        known = found.cells[number].grade_id == place.name or place.name in shared
        if not known and not _has_other_cell(found, place, number):
            yield place.name


def _has_other_cell(found, place, number):
    """Return whether the cell that bears a place's marks is there, but another one was taken."""
    return any(claim is place and other != number for other, claim in enumerate(found.claimed))


def _changed(skeleton, found):
    for place, number in _taken(found):
        cell = found.cells[number]
        released = {k: v for k, v in skeleton.cells[place.number].metadata.nbgrader.items() if k != "checksum"}
        if cell.grade_id == place.name and any(cell.marks.get(key) != value for key, value in released.items()):
            yield place.name


def _elsewhere(found):
    for place, number in _taken(found):
        if found.claimed[number] is not place and _has_other_cell(found, place, number):
            yield place.name


def _together(found):
    """Return the names of functions and answers that share a cell, one list for each such cell."""
    names = defaultdict(list)
    for place, number in _taken(found):
        if place.role != "locked":
            names[number].append(place.name)
    return [shared for shared in names.values() if len(shared) > 1]


def _repeated(found):
    for place in found.places:
        marked = sum(claim is place for claim in found.claimed)
        written = found.levels.get(place.number, []).count(WRITTEN)
        if place.name and max(marked, written) > 1:
            yield place.name


def _other_kind(found):
    return [place.name for place, number in _taken(found) if found.cells[number].kind != place.kind]


def _edited(found):
    return [p.name for p, number in _taken(found) if p.role == "locked" and not p.holds(found.cells[number])]


def _missing(found):
    places = [place for place in found.places if place.number not in found.homes]
    ordinary = sum(not place.name for place in places)
    texts = [f"{ordinary} ordinary cell{'s' if ordinary > 1 else ''}"] if ordinary else []
    return [*texts, *(place.name for place in places if place.name)]
