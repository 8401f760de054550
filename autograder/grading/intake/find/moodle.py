"""What Moodle puts into the names of folders beside that of a student: groups, and numbers in place of names.

Where groups hand in together, it writes "Team A-Ann Lee", and a copy of the group's files for every member. A name may
hold a hyphen as well, so only a whole export tells: all names have one, and whoever shares what stands before it shares
the files. Where marking is blind, it writes the word for a participant, in the language of the site, and a number.
"""

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import groupby

MIN_BLIND = 3  # students of one and the same name


def read(labels, files):
    """Read what one assignment has exported.

    Parameters
    ----------
    labels : list of Label
        As the single names tell.
    files : list of set
        What lies in the places of these names: paths in them with sizes.

    Returns
    -------
    list of Label
        With their groups, if there are any, and with people that are told apart by numbers where they have no names.
    """
    of_member = defaultdict(set)
    for label, its in zip(labels, files, strict=True):
        of_member[label.people[0], label.account] |= its
    prefixes = _prefixes(of_member)
    labels = [_in_group(label, prefixes.get((label.people[0], label.account), "")) for label in labels]
    accounts = {label.account for label in labels}
    if len({label.people for label in labels}) == 1 and len(accounts) >= MIN_BLIND:
        labels = [label.numbered() for label in labels]
    return labels


def _in_group(label, prefix):
    if not prefix:
        return label
    named = replace(label, people=(label.people[0].removeprefix(prefix),), group=prefix[:-1])
    return named.numbered() if named.is_participant else named


def _prefixes(of_member):
    """Return what stands before each name, by name and account; empty if these are no groups."""
    cuts = {key: [key[0][: at + 1] for at, c in enumerate(key[0][:-1]) if c == "-" and at] for key in of_member}
    count = Counter(prefix for prefixes in cuts.values() for prefix in prefixes)
    if not all(cuts.values()) or max(count.values(), default=0) < 2:
        return {}
    chosen = {key: max((p for p in its if count[p] > 1), key=len, default=its[0]) for key, its in cuts.items()}
    together = groupby(sorted(of_member, key=chosen.get), key=chosen.get)
    alike = all(len({frozenset(of_member[key]) for key in members}) == 1 for _, members in together)
    return chosen if alike else {}
