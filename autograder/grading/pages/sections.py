"""How the sections of a class did."""

from collections import defaultdict

from autograder.grading.pages.statistics import GRADED, UNREADABLE


def of_sections(statistics, sections):
    """Return a row for each section of a class.

    Parameters
    ----------
    statistics : ClassStatistics
    sections : dict
        By student, the section; an empty text, like no entry, for none.

    Returns
    -------
    list of tuple
        The section, the number of its students, and for each unit how many of them have points, and their mean; by
        name. Empty if nobody is in a section.
    """
    members = defaultdict(list)
    for student, results in zip(statistics.students, statistics.results, strict=True):
        members[sections.get(student, "")].append(results)
    rows = [(name or "none", len(its), [_mean(one) for one in zip(*its, strict=True)]) for name, its in members.items()]
    return sorted(rows) if any(sections.values()) else []


def _mean(results):
    points = [result.points for result in results if result.status in (GRADED, UNREADABLE)]
    return len(points), sum(points) / len(points) if points else None
