"""What had to be repaired in a notebook, in sentences for the instructor."""

from collections import defaultdict

from nbformat import NotebookNode

from autograder.grading.intake.repair.match import WRITTEN, Match

MAX_LISTED = 8  # names
MARKS_MISSING = "The marks of nbgrader were missing or wrong, and these cells were recognised otherwise"
MARKS_CHANGED = "The marks of nbgrader were changed, and the released ones were put back"


def repair_notes(skeleton: NotebookNode, matched: Match, sanitized: int) -> tuple[str, ...]:
    """Describe what had to be repaired; `sanitized` is the number of texts in which HTML was made harmless."""
    if not matched.homes:
        return ("Nothing in the notebook belongs to this unit. Was another unit's handed in?",)
    sentences = [
        _sentence(MARKS_MISSING, _without_marks(matched)),
        _sentence(MARKS_CHANGED, _with_changed_marks(skeleton, matched)),
        _sentence("Written outside of its own cell, and counted", _elsewhere(matched)),
        *(_sentence("Written in one cell", names) for names in _together(matched)),
        _sentence("There more than once, and the last one counts that was written for its check", _repeated(matched)),
        _sentence("No longer a code cell, but read as one", _of_other_kind(matched)),
        _sentence("A locked cell was changed, and the released one was put back", _edited(matched)),
        _sentence("Missing, and put back as released", _missing(matched)),
        f"In {sanitized} texts, HTML was made harmless." if sanitized else "",
    ]
    return tuple(filter(None, sentences))


def _sentence(text, names):
    names = list(dict.fromkeys(names))
    more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return f"{text}: {', '.join(names[:MAX_LISTED])}{more}." if names else ""


def _filled(matched):
    """Yield the slots that are known to nbgrader, each with the number of its cell."""
    for slot in matched.slots:
        if slot.name and slot.number in matched.homes:
            yield slot, matched.homes[slot.number]


def _without_marks(matched):
    shared = {name for names in _together(matched) for name in names}
    for slot, number in _filled(matched):
        is_marked = matched.cells[number].grade_id == slot.name or slot.name in shared
        if not is_marked and not _has_other_cell(matched, slot, number):
            yield slot.name


def _has_other_cell(matched, slot, number):
    """Return whether the cell that bears a slot's marks is there, but another one was taken."""
    return any(claim is slot and other != number for other, claim in enumerate(matched.claimed))


def _with_changed_marks(skeleton, matched):
    for slot, number in _filled(matched):
        cell = matched.cells[number]
        released = {k: v for k, v in skeleton.cells[slot.number].metadata.nbgrader.items() if k != "checksum"}
        if cell.grade_id == slot.name and any(cell.nbgrader.get(key) != value for key, value in released.items()):
            yield slot.name


def _elsewhere(matched):
    for slot, number in _filled(matched):
        if matched.claimed[number] is not slot and _has_other_cell(matched, slot, number):
            yield slot.name


def _together(matched):
    """Return the names of functions and answers that share a cell, one list for each such cell."""
    names = defaultdict(list)
    for slot, number in _filled(matched):
        if slot.role != "locked":
            names[number].append(slot.name)
    return [shared for shared in names.values() if len(shared) > 1]


def _repeated(matched):
    for slot in matched.slots:
        marked = sum(claim is slot for claim in matched.claimed)
        written = matched.levels.get(slot.number, []).count(WRITTEN)
        if slot.name and max(marked, written) > 1:
            yield slot.name


def _of_other_kind(matched):
    return [slot.name for slot, number in _filled(matched) if matched.cells[number].kind != slot.kind]


def _edited(matched):
    return [p.name for p, number in _filled(matched) if p.role == "locked" and not p.holds(matched.cells[number])]


def _missing(matched):
    slots = [slot for slot in matched.slots if slot.number not in matched.homes]
    ordinary = sum(not slot.name for slot in slots)
    texts = [f"{ordinary} ordinary cell{'s' if ordinary > 1 else ''}"] if ordinary else []
    return [*texts, *(slot.name for slot in slots if slot.name)]
