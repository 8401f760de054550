"""Pairs and groups: what one of them hands in is handed in by all."""

from collections import defaultdict

from autograder.grading.intake.find.latest import in_order


def groups_of(mine):
    """Return by student and unit who hands in together, as a platform has put it into the names.

    Parameters
    ----------
    mine : list of (str, Attempt)
        With the ids of the senders.

    Returns
    -------
    dict of tuple
        Of the ids of all members, in order.
    """
    members = defaultdict(set)
    for student, attempt in mine:
        if attempt.sender.label.group:
            members[attempt.unit, attempt.sender.label.group].add(student)
    return {(one, unit): tuple(sorted(its)) for (unit, _), its in members.items() for one in its if len(its) > 1}


def handed_in_together(candidates, members):
    """Give every member of a group the attempts of all.

    Parameters
    ----------
    candidates : iterable of Candidate
    members : callable
        Returns the ids of a group, given one of them and a unit; empty for somebody who hands in alone.

    Returns
    -------
    list of Candidate
        By unit and student.
    """
    found, groups = [], defaultdict(list)
    for one in candidates:
        its = members(one.student, one.unit)
        (groups[one.unit, its] if its else found).append(one)
    for (unit, its), of_group in groups.items():
        owned = [(attempt, one.student) for one in of_group for attempt in one.attempts]
        owned = [pair for pair in owned if not pair[0].bears_another_name] or owned
        whose = dict(owned)
        attempts = tuple(in_order(whose))
        owners = tuple(whose[attempt] for attempt in attempts)
        notes = {one.student: one.notes for one in of_group}
        kind = type(of_group[0])
        found += [kind(member, unit, attempts, notes.get(member, ()), its, owners) for member in its]
    return sorted(found, key=lambda one: (one.unit, one.student))
