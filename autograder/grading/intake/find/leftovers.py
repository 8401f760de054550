"""What is left when everybody's attempts are chosen: no file is passed over without a word."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from autograder.grading.intake.find.assign_senders import Sent
from autograder.grading.intake.find.assign_units import Assigned
from autograder.grading.intake.find.folders import Listed
from autograder.grading.intake.find.item import CHECKPOINTS, Item
from autograder.grading.intake.find.problems import REFUSED, Problems
from autograder.grading.intake.find.senders import Place, Senders, beginnings
from autograder.grading.intake.find.wording import escape_path, join_names, refusal
from autograder.grading.notes import ASIDE

DOCUMENTS = (".pdf", ".doc", ".docx", ".odt", ".pages", ".rtf")  # somebody's work, whatever they are called


def report_leftovers(assigned: Assigned, sent: Sent, in_empty_places: Iterable[Item], problems: Problems) -> None:
    """Say what else is refused, lies beside the notebooks, in folders without any, or among the places of the senders.

    What lies in empty places is told with the students whose places they are.
    """
    explained = {problem.text for problem in problems}
    for item in assigned.listed.items:
        if item.refused and item.refused not in explained:
            problems.remark(item.refused, item.path, ASIDE)
    for item in assigned.others:
        if item.name.endswith(DOCUMENTS) and not sent.senders.of(item.path):
            reason = "it is no notebook, and does not say whose it is. Ask for the notebook."
            problems.refuse(refusal(item.path, reason), item.path)
    _tell_of_hidden(assigned.listed.hidden, sent.senders, problems)
    _refuse_places_without_notebook(assigned.listed, sent, problems)
    reported = {problem.path for problem in problems if problem.kind == REFUSED}
    reported |= {item.path for item in in_empty_places}
    _remark_on_others([item for item in assigned.others if item.path not in reported], sent.senders, problems)


def _tell_of_hidden(hidden: Sequence[Place], senders: Senders, problems: Problems) -> None:
    """Say what begins with a dot: it may be somebody's work, unless a notebook lies beside it."""
    for path in hidden:
        if path[-1] == CHECKPOINTS:
            why = "these are copies that Jupyter makes, and the notebook itself is not there. Ask for it."
        else:
            why = "its name begins with a dot, like those of programs' own files. If it is somebody's work, rename it."
        tell = problems.remark if path[:-1] in senders.with_notebook else problems.refuse
        tell(refusal(path, why), path)


def _refuse_places_without_notebook(listed: Listed, sent: Sent, problems: Problems) -> None:
    """Refuse the folders and zips that hold no notebook, and are nobody's."""
    items, senders = listed.items, sent.senders
    explained = {place for item in items if item.refused for place in beginnings(item.path)} | senders.with_notebook
    explained |= {place for sender in senders for place in beginnings(sender.place[:-1])}
    explained |= {place for path in listed.hidden for place in beginnings(path[:-1])}
    explained |= {empty.sender.place for empty in sent.empty_places}
    names_in: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for item in items:
        sender = senders.of(item.path)
        place = sender.place if sender else item.path[:1]
        if place not in explained and (item.is_folder or len(item.path) > 1):
            names_in[place] += [] if item.is_folder else [escape_path(item.path[-1:])]
    for place, names in names_in.items():
        content = f"there is no notebook in it, only {join_names(names)}" if names else "it is empty"
        problems.refuse(refusal(place, f"{content}. Ask for the notebook."))


def _remark_on_others(items: list[Item], senders: Senders, problems: Problems) -> None:
    """Name the files that are ignored, those of one sender together: nothing of them gets near the learner's code."""
    by_place = defaultdict(list)
    for item in items:
        place = senders.place_of(item.path)
        by_place[place if place != item.path else item.path[:-1]].append(item)
    for place, ignored in by_place.items():
        folders = {item.path[:-1] for item in ignored}
        folder = next(iter(folders)) if len(folders) == 1 else place
        names = join_names([escape_path(item.path[len(folder) :]) for item in ignored])
        where = escape_path(folder) if folder else "the folder itself"
        problems.remark(f"Left aside in {where}: {names}.", folder, ASIDE, f"{names} was left aside.")
