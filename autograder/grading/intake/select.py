"""Which submissions are wanted, with those who hand in together, and who is expected and has handed in nothing."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from autograder.grading.intake.find.choose_attempts import Candidate, in_order
from autograder.grading.intake.find.missing import NOTHING, WithoutNotebook
from autograder.grading.intake.find.pipeline import Submissions
from autograder.grading.intake.find.roster import Roster
from autograder.grading.notes import WHOSE, Note


@dataclass(frozen=True)
class Selection:
    """What is wanted of the submissions."""

    candidates: list[Candidate]  # by unit and student
    without_notebook: list[WithoutNotebook]  # those who have a place and no notebook in it
    absent: list[WithoutNotebook]  # those on the roster without a place, at every unit that somebody has handed in
    remarks: list[str]  # which attempts count, and who is not on the roster


def select(
    submissions: Submissions,
    roster: Roster | None = None,
    units: Sequence[str] | None = None,
    students: Collection[str] | None = None,
) -> Selection:
    """Select the submissions of some units and students, and of all who hand in together with these.

    Parameters
    ----------
    submissions : Submissions
    roster : Roster, optional
        Of the class.
    units : sequence of str, optional
        Ids; all when left out. A single one is also that of those without a notebook whose unit nothing tells.
    students : container of str, optional
        Ids; all when left out.
    """
    teams = roster.teams() if roster else {}
    enrolled = sorted(set(roster.ids.values())) if roster else []
    if students is not None:
        students = {*students, *(mate for student in students for mate in teams.get(student, ()))}

    def is_wanted(student, unit):
        return (units is None or unit in ("", *units)) and (students is None or student in students)

    shared = share_in_teams(submissions.candidates, teams, submissions.groups)
    handed_in = {(candidate.student, unit) for candidate in shared for unit in (candidate.unit, "")}
    candidates = [candidate for candidate in shared if is_wanted(candidate.student, candidate.unit)]
    only_unit = units[0] if units and len(units) == 1 else ""
    without_notebook = [
        replace(verdict, unit=verdict.unit or only_unit)
        for verdict in submissions.without_notebook
        if is_wanted(verdict.student, verdict.unit) and (verdict.student, verdict.unit) not in handed_in
    ]
    listed = {(candidate.student, candidate.unit) for candidate in candidates}
    listed |= {(verdict.student, verdict.unit) for verdict in without_notebook}
    absent = [
        WithoutNotebook(student, unit, NOTHING)
        for unit in sorted({candidate.unit for candidate in candidates})
        for student in enrolled
        if is_wanted(student, unit) and not listed & {(student, unit), (student, "")}
    ]
    return Selection(candidates, without_notebook, absent, _remarks(candidates, enrolled))


def _remarks(candidates, enrolled):
    """Say which attempts count, and who is not on the roster, if there is one."""
    remarks = [choice for candidate in candidates if (choice := candidate.choice())]
    strangers = sorted({candidate.student for candidate in candidates}.difference(enrolled)) if enrolled else []
    if strangers:
        remarks.append(Note(f"Not on the roster: {', '.join(strangers)}.", WHOSE))
    return remarks


def share_in_teams(
    candidates: Iterable[Candidate],
    teams: Mapping[str, tuple[str, ...]],
    groups: Mapping[tuple[str, str], tuple[str, ...]],
) -> list[Candidate]:
    """Give every member of a team or group the attempts of all; return the candidates by unit and student.

    `teams` has the ids of all members by student, as the roster tells; `groups` by student and unit, as a platform
    tells.
    """
    shared = []
    by_team: dict[tuple[str, tuple[str, ...]], list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        members = teams.get(candidate.student) or groups.get((candidate.student, candidate.unit), ())
        if members:
            by_team[candidate.unit, members].append(candidate)
        else:
            shared.append(candidate)
    for (unit, members), of_team in by_team.items():
        with_owners = [(attempt, candidate.student) for candidate in of_team for attempt in candidate.attempts]
        owner_of = dict([pair for pair in with_owners if not pair[0].bears_another_name] or with_owners)
        attempts = tuple(in_order(owner_of))
        owners = tuple(owner_of[attempt] for attempt in attempts)
        notes = {candidate.student: candidate.notes for candidate in of_team}
        shared += [Candidate(member, unit, attempts, notes.get(member, ()), members, owners) for member in members]
    return sorted(shared, key=lambda candidate: (candidate.unit, candidate.student))
