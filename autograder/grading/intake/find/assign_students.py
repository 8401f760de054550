"""The fourth stage: whose the work of each sender is, by name, by account and by the roster."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from autograder.grading.intake.find.assign_senders import Attempt, Sent
from autograder.grading.intake.find.missing import EmptyPlace
from autograder.grading.intake.find.names import spelled, student_id
from autograder.grading.intake.find.problems import Problems
from autograder.grading.intake.find.roster import People
from autograder.grading.intake.find.senders import Sender
from autograder.grading.intake.find.wording import MAX_LISTED, join_names, printable, refusal
from autograder.grading.intake.find.written_names import TELL_APART, ask_which_namesake, find_on_roster
from autograder.grading.notes import WHOSE

NOT_YOURS = "A notebook that was handed in here bears the name of another student, so it does not count: {where}."
NOT_THEIRS = "Somebody else handed in a notebook under this name. It does not count, and nothing else changes."

Key = tuple[str, str]  # a student and a unit


@dataclass(frozen=True)
class Owned:
    """The attempts with the ids of their students."""

    # without those that are ambiguous. What bears another student's name stays its sender's, so that it has a verdict
    attempts: tuple[tuple[str, Attempt], ...]
    empty_places: tuple[tuple[str, EmptyPlace], ...]
    notes: dict[Key, list[str]]  # by student and unit, what a page says that was handed in under another student's name
    # by student and unit, the ids of those who hand in together, as far as names of files tell
    groups: dict[Key, tuple[str, ...]]
    former: dict[Key, set[str]]  # by student and unit, the ids under which the same senders have handed in before


def assign_students(sent: Sent, people: People, problems: Problems) -> Owned:
    """Give an id to each sender; say which ids are not the names, and of whom it has to be asked who it is."""
    ids, former_ids = _ids_by_place(sent, people, problems)
    attempts = [(ids[attempt.sender.place], attempt) for attempt in sent.attempts if attempt.sender.place in ids]
    empty_places = [(ids[empty.sender.place], empty) for empty in sent.empty_places if empty.sender.place in ids]
    groups = groups_of(attempts)
    attempts, notes = reject_foreign_names(attempts, sent.senders.units, people)
    former: dict[Key, set[str]] = defaultdict(set)
    for student, attempt in attempts:
        former[student, attempt.unit] |= former_ids.get(attempt.sender.place, set())
    return Owned(tuple(attempts), tuple(empty_places), notes, groups, former)


@dataclass(frozen=True)
class _Claim:
    """Who a sender seems to be."""

    sender: Sender
    accounts: dict[str, str]
    known_id: str  # by the roster, or by the name of a folder in which nbgrader collects; empty without one

    @property
    def identity(self) -> str:
        """What is the same in all claims to be one student."""
        return self.known_id or spelled(self.sender.name)


def _ids_by_place(sent, people, problems):
    """Return by place the ids of the senders, and those that the same senders had before."""
    claims = _claims(sent, people, problems)
    former = {claim.sender.place: _ids_of_before(claim, people) for claim in claims}
    contested = _contested(claims)
    ids = {}
    for claim in claims:
        is_contested = claim.identity in contested
        if claim.known_id and not is_contested:
            ids[claim.sender.place] = people.register.admit(claim.known_id, claim.accounts)
        else:
            ids[claim.sender.place] = people.register.id_of(claim.sender.name, claim.accounts, is_contested)
    new = [(claim.sender, ids[claim.sender.place]) for claim in claims if ids[claim.sender.place] != claim.known_id]
    for text in _remarks_on_ids(new, {claim.sender.name for claim in claims if claim.identity in contested}):
        problems.remark(text, weight=WHOSE)
    groups = dict.fromkeys(printable(claim.sender.label.group) for claim in claims if claim.sender.label.group)
    if groups:
        names = join_names(list(groups))
        problems.remark(f"Moodle put groups before the names, {names}: each member has the group's submission.")
    current = {"", *ids.values(), *(people.roster.ids.values() if people.roster else ())}
    return ids, {place: earlier - current for place, earlier in former.items()}


def _claims(sent, people, problems):
    """Return the claims of the senders that can get an id, in the order of their places; ask who the others are."""
    units = defaultdict(set)
    for attempt in sent.attempts:
        if not attempt.is_ambiguous:
            units[attempt.sender.place].add(attempt.unit)
    for empty in sent.empty_places:
        units[empty.sender.place].add(empty.unit)
    claims = []
    for sender in sent.senders:
        if sender.place not in units:
            continue
        accounts = sender.label.accounts(units[sender.place])
        known_id = question = ""
        if people.is_collected and sender.name in people.register.given:
            known_id = sender.name
        elif people.roster and sender.is_written:
            known_id, question = find_on_roster(sender, units[sender.place], people.roster, sent.senders.units)
        elif people.roster:
            known_id = people.roster.id_of(sender.label, accounts)
            is_known = known_id or people.register.lookup(sender.name, accounts)
            question = "" if is_known else ask_which_namesake(sender, people.roster)
        if question:
            problems.refuse(question)
        else:
            claims.append(_Claim(sender, accounts, known_id))
    return claims


def _ids_of_before(claim, people):
    """Return the ids under which a sender has handed in before."""
    if people.is_collected:  # there, a folder is called by an id
        return set()
    names = filter(None, (claim.sender.name, claim.sender.written))
    return {people.register.lookup(name, claim.accounts) for name in names}


def _contested(claims):
    """Return what claims mean of which numbers or platforms say that it is several students."""
    values = defaultdict(set)
    for claim in claims:
        if claim.sender.label.platform:  # one may be in a name only
            values[claim.identity, "platforms"].add(claim.sender.label.platform)
        for scope, account in claim.accounts.items():
            values[claim.identity, scope].add(account)
    return {identity for (identity, _), different in values.items() if len(different) > 1}


def _remarks_on_ids(owners: list[tuple[Sender, str]], contested: set[str]) -> Iterator[str]:
    """Say which ids are not the names, and where platforms gave numbers in the place of names.

    `owners` are the senders with their ids, `contested` the names of several students.
    """
    by_name: dict[str, dict[str, str]] = defaultdict(dict)
    anonymous: dict[str, set[str]] = defaultdict(set)
    for sender, id in owners:
        name, label = sender.name, sender.label
        if label.is_anonymous:
            anonymous[label.platform].add(id)
        elif name in contested or id not in (name, name.replace(" ", "_")):
            by_name[name][id] = f"{label.platform} {label.account}".strip()
    for name, accounts in sorted(by_name.items()):
        if name in contested:
            listed = join_names([f"{id} ({account})" for id, account in accounts.items()])
            yield f"Several students are called {printable(name)}. Their ids are {listed}. {TELL_APART}"
            continue
        for id in accounts:
            reason = "" if id == student_id(name) else ", because another student has one like it"
            yield f"The id of {printable(name)} is {id}{reason}."
    for platform, ids in anonymous.items():
        yield f"{platform} gave numbers for {len(ids)} names. They are this assignment's: another unit has others."


def groups_of(attempts: Iterable[tuple[str, Attempt]]) -> dict[Key, tuple[str, ...]]:
    """Return by student and unit the ids of all who hand in together, as a platform has put it into the names.

    `attempts` come with the ids of the senders.
    """
    members: dict[Key, set[str]] = defaultdict(set)
    for student, attempt in attempts:
        if attempt.sender.label.group:
            members[attempt.unit, attempt.sender.label.group].add(student)
    groups: dict[Key, tuple[str, ...]] = {}
    for (unit, _), students in members.items():
        if len(students) > 1:
            groups |= {(student, unit): tuple(sorted(students)) for student in students}
    return groups


def reject_foreign_names(
    attempts: list[tuple[str, Attempt]], units: Sequence[str], people: People
) -> tuple[list[tuple[str, Attempt]], dict[Key, list[str]]]:
    """Refuse what bears another student's name, unless the two hand in together.

    Return the attempts without what is ambiguous, and by student and unit what their pages say of it.
    """
    teams = people.roster.teams() if people.roster else {}
    members: dict[str, set[str]] = defaultdict(set)
    for student, attempt in attempts:
        members[attempt.sender.label.group].add(student)
    members[""] = set()  # who is in no group
    checked = []
    notes: dict[Key, list[str]] = defaultdict(list)
    for student, attempt in attempts:
        together = members[attempt.sender.label.group] | {"", student, *teams.get(student, ())}
        others = sorted({people.register.id_like(name) for name in attempt.other_names(units)} - together)
        if others:
            notes[student, attempt.unit].append(NOT_YOURS.format(where=attempt.item.where))
            for other in others:
                notes[other, attempt.unit].append(NOT_THEIRS)
            reason = f"it is from {student}, and bears the name of {join_names(others)}."
            item = replace(attempt.item, read=bytes, refused=refusal(attempt.item.path, reason))
            checked.append((student, replace(attempt, item=item, bears_another_name=True)))
        elif not attempt.is_ambiguous:
            checked.append((student, attempt))
    return checked, {key: list(dict.fromkeys(texts))[:MAX_LISTED] for key, texts in notes.items()}
