"""Which of a student's attempts at a unit counts: the latest, as far as anything tells; and what it was that told."""

import re

RESUBMITTED = re.compile(r"(.*?)(?:-(\d{1,3}))?", re.DOTALL)  # as Canvas marks a file of a name that it knows
NO_TIME, EQUAL = "no time is known", "their times are equal"
UNLIKE = "their times cannot be compared"  # as where one has none
UNNAMED = "the later one does not bear the unit's name"


def latest(attempts):
    """Divide attempts into those that may be the latest, and those that are earlier.

    Each rule asks those that are left of the rule before, and what it cannot compare stays.

    Parameters
    ----------
    attempts : sequence of Attempt
        Of one student at one unit.

    Returns
    -------
    left : list of Attempt
        Where there are several, nothing tells which of them is the latest. The most likely one comes first.
    earlier : list of Attempt
    why : str
        What told them apart, as the end of a sentence; empty where nothing did.
    """
    left, told = list(attempts), []
    for rule in (_by_time, _by_order, _by_place, _by_date):
        kept, words = rule(left)
        if len(kept) < len(left):
            left = kept
            told.append(words)
    chosen = set(left)
    earlier = [one for one in attempts if one not in chosen]
    return sorted(left, key=_likely, reverse=True), earlier, " and ".join(told)


def in_order(attempts):
    """Return attempts, the one that counts as far as times tell first, and the earlier ones after it."""
    left, earlier, _ = latest(attempts)
    return [*left, *sorted(earlier, key=lambda one: (one.timestamp, one.item.dated, _likely(one)), reverse=True)]


def why_tied(attempts):
    """Say why nothing tells which of several attempts is the latest."""
    times = {one.timestamp or one.item.dated for one in attempts}
    if len(times) > 1 and not all(one.is_named for one in attempts):
        return UNNAMED
    if not any(times):
        return NO_TIME
    return EQUAL if len(times) == 1 else UNLIKE


def _by_time(attempts):
    newest = max(one.timestamp for one in attempts)
    noted = "the platform" if any(one.sender.label.time for one in attempts) else "nbgrader"
    return [one for one in attempts if one.timestamp in ("", newest)], f"by the time that {noted} noted"


def _by_order(attempts):
    """Compare what Canvas has numbered, because it had a file of this name already."""
    last, numbers = {}, {}
    for one in attempts:
        if one.sender.label.platform == "Canvas":
            name, number = RESUBMITTED.fullmatch(one.sender.label.rest).groups()
            numbers[one] = name, int(number or 0)
            last[name] = max(last.get(name, 0), numbers[one][1])
    kept = [one for one in attempts if one not in numbers or last[numbers[one][0]] == numbers[one][1]]
    return kept, "by the number that Canvas gave it"


def _by_place(attempts):
    return [one for one in attempts if one.is_collected] or attempts, "as the file that nbgrader collects"


def _by_date(attempts):
    """Compare the dates in zips; a later notebook that does not bear the unit's name may be a scrap of paper."""
    kept = _of_newest_date(attempts)
    if not any(one.is_named for one in kept):
        kept += _of_newest_date([one for one in attempts if one.is_named])
    return kept, "by its date in the zip"


def _of_newest_date(attempts):
    newest = max((one.item.dated for one in attempts), default="")
    return [one for one in attempts if one.item.dated in ("", newest)]


def _likely(one):
    """Sort what nothing else tells apart."""
    in_its_folder = one.inside[-2:] == (one.unit, f"{one.unit}.ipynb")
    known = in_its_folder and len(one.inside) == 2, in_its_folder, one.is_named
    return one.item.dated, known, one.number, one.item.modified, one.item.where
