"""What Moodle puts into the names of folders beside that of a student: groups, and numbers in place of names.

Where groups hand in together, it writes "Team A-Ann Lee", and a copy of the group's files for every member. A name may
hold a hyphen as well, so only a whole export tells: all names have one, and whoever shares what stands before it shares
the files. Where marking is blind, it writes the word for a participant, in the language of the site, and a number.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from autograder.grading.intake.find.platforms import Label

MIN_BLIND = 3  # students of one and the same name

Files = set[tuple[tuple[str, ...], int]]  # what lies in a place: paths in it with sizes


def read_groups(labels: Sequence[Label], files: Sequence[Files]) -> list[Label]:
    """Return the labels of one assignment's export with their groups, and with numbers where they have no names.

    Parameters
    ----------
    labels : sequence of Label
        As the single names tell.
    files : sequence of set
        What lies in the places of these names: paths in them with sizes.
    """
    files_of: dict[tuple[str, str], Files] = defaultdict(set)
    for label, own_files in zip(labels, files, strict=True):
        files_of[label.people[0], label.account] |= own_files
    prefixes = _prefixes(files_of)
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


def _prefixes(files_of):
    """Return what stands before each name, by name and account; empty if these are no groups."""
    possible = {member: _before_hyphens(member[0]) for member in files_of}
    count = Counter(prefix for prefixes in possible.values() for prefix in prefixes)
    if not all(possible.values()) or max(count.values(), default=0) < 2:
        return {}
    chosen = {}
    for member, prefixes in possible.items():
        shared = [prefix for prefix in prefixes if count[prefix] > 1]
        chosen[member] = max(shared, key=len, default=prefixes[0])
    by_prefix = groupby(sorted(files_of, key=chosen.get), key=chosen.get)
    same_files = all(len({frozenset(files_of[member]) for member in members}) == 1 for _, members in by_prefix)
    return chosen if same_files else {}


def _before_hyphens(name):
    """Return what stands before each hyphen inside a name, with the hyphen."""
    return [name[: at + 1] for at, character in enumerate(name[:-1]) if character == "-" and at]
