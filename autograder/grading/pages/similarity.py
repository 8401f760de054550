"""Submissions of one unit that are much alike: a reason to compare them, never a proof.

The library is RapidFuzz, which aligns sequences of any tokens in compiled code, is maintained, small, without
dependencies, made for every supported Python, and installed with nbgrader anyway. Of the libraries made for the
purpose, compare50 cannot be installed beside Jupyter (it demands attrs<21), and copydetect, untouched since March 2024,
reads `np.exp` and `np.sum` as the same token and compares the pairs of a class in Python.

Short exercises are naturally alike, so what counts is how unlikely it is that two students agree where they do; see
`autograder.grading.pages.coincidence`. A pair is reported if by chance a class would have a hundredth of such a pair;
if the two agree over the whole unit, a tenth of one, or names and comments that few others chose, is enough.

Whoever agrees with the course's own solution over the whole unit, names included, has most likely copied that.
"""

import inspect
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import Indel
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from autograder.grading.intake.submission import Submission
from autograder.grading.pages.coincidence import ALIKE, MIN_EXERCISES, alike_in_structure, surprise_of
from autograder.grading.pages.own_code import own_code
from autograder.specification import Unit

CHANCE, CHANCE_WHOLE = 0.01, 0.1  # expected pairs of a class, by chance; the second one if the whole unit is alike
FEW, FEW_SHARE = 5, 0.05  # students, or a share of the class: words that no more of them chose are uncommon
MIN_WORDS, UNCOMMON_ALIKE = 8, 0.7  # of them that are the same, and their share
EXAMPLES = 3


@dataclass(frozen=True)
class Pair:
    """Two submissions that are much alike.

    Attributes
    ----------
    unit, first, second : str
        Id of the unit, and of the students.
    structure : float
        Share of their code that is the same after renaming, over the whole unit.
    exercises : dict
        Those in which their code is the same, or nearly so, with the number of other students of whom this is true.
    statements : tuple of str
        What both wrote and the course's own solution does not have, in the first one's words: what fewest others wrote.
    words : tuple of str
        Names and words of comments that only they and few others used, in the first one's order.
    """

    unit: str
    first: str
    second: str
    structure: float
    exercises: dict[str, int]
    statements: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True)
class Group:
    """Students of one unit who are connected by pairs, and those pairs."""

    unit: str
    students: tuple[str, ...]
    pairs: tuple[Pair, ...]


@dataclass(frozen=True)
class Comparison:
    """What the submissions of a unit have in common.

    Attributes
    ----------
    unit : str
        Its id.
    pairs : list of Pair
        In the order of the students' ids.
    copies : tuple of str
        Ids of the students whose code is the course's own.
    unread : tuple of str
        Ids of the students of whose code only a part was compared, because there is far too much of it.
    """

    unit: str
    pairs: list[Pair]
    copies: tuple[str, ...]
    unread: tuple[str, ...]


def compare(submissions: Iterable[Submission], unit: Unit, official: Sequence[str] = ()) -> Comparison:
    """Compare the submissions of a unit with each other and with the course's own solution.

    Parameters
    ----------
    submissions : iterable of Submission
        Those of other units are passed over; of several by one student, the last one counts.
    unit : Unit
    official : sequence of str
        The course's own solution in other words than the reference: as the instructor's notebook has it.

    Returns
    -------
    Comparison
    """
    sources = {submission.student: submission.code for submission in submissions if submission.unit == unit.id}
    read = {student: own_code(sources[student], unit.exercises) for student in sorted(sources)}
    written = {student: code for student, code in read.items() if code.statements}
    solution = own_code([inspect.getsource(exercise.reference) for exercise in unit.exercises], unit.exercises)
    pairs = _pairs(unit, list(written), list(written.values()), solution) if len(written) > 1 else []
    own = [solution, *([own_code(official, unit.exercises)] if official else [])]
    copies = tuple(student for student, code in written.items() if any(_is_copy(code, one) for one in own))
    return Comparison(unit.id, pairs, copies, tuple(student for student, code in read.items() if not code.is_whole))


def _is_copy(code, solution):
    """Return whether code is the course's own, with most of its names, or most of those there are."""
    words = set(code.words), set(solution.words)
    same_words = len(words[0] & words[1]) >= UNCOMMON_ALIKE * min(map(len, words))
    return same_words and Indel.normalized_similarity(_tokens(code), _tokens(solution)) >= ALIKE


def _pairs(unit, students, codes, solution):
    exercises = [exercise.name for exercise in unit.exercises]
    whole = [_tokens(code) for code in codes]
    alike = alike_in_structure(whole)
    surprise, same = surprise_of([[_tokens(code, name) for code in (*codes, solution)] for name in exercises])
    chance = np.where(alike, CHANCE_WHOLE, CHANCE)
    enough = surprise >= np.log2(len(codes) * (len(codes) - 1) / 2 / chance)
    words = _uncommon([set(code.words) for code in codes], solution.words)
    counts = Counter(key for code in codes for key in {statement.key for statement in code.statements})
    pairs = []
    for i, j in np.argwhere(np.triu((alike & _share_some(words)) | enough, 1)):
        if enough[i, j] or _share_words(words[i], words[j]):
            agreed = {name: int(of_it[i].sum()) - 2 for name, of_it in zip(exercises, same, strict=True) if of_it[i, j]}
            shared = _statements(codes[i], codes[j], solution, counts), _shared_words(codes[i], words[i] & words[j])
            structure = Indel.normalized_similarity(whole[i], whole[j])
            pairs.append(Pair(unit.id, students[i], students[j], structure, agreed, *shared))
    return pairs


def _tokens(code, where=None):
    """Return the tokens of a student's code, or of one exercise."""
    return [token for statement in code.statements if where in (None, statement.where) for token in statement.key]


def _uncommon(found, solution):
    """Leave of what each student wrote what few students wrote and the course's own solution does not have."""
    counts = Counter(item for items in found for item in items)
    most = max(FEW, FEW_SHARE * len(found))
    return [{item for item in items if counts[item] <= most} - set(solution) for items in found]


def _share_some(words):
    """Return which students share at least `MIN_WORDS` words, as ndarray of shape (n, n)."""
    numbers = {word: number for number, word in enumerate(sorted(set().union(*words)))}
    places = [(student, numbers[word]) for student, found in enumerate(words) for word in found]
    rows, columns = zip(*places, strict=True) if places else ((), ())
    chosen = csr_array((np.ones(len(places)), (rows, columns)), shape=(len(words), len(numbers)))
    return (chosen @ chosen.T).toarray() >= MIN_WORDS


def _share_words(first, second):
    """Return whether two students share enough uncommon words, most of them, and in several exercises."""
    same = first & second
    most = 2 * len(same) >= UNCOMMON_ALIKE * (len(first) + len(second))
    return most and len(same) >= MIN_WORDS and len({where for where, _ in same}) >= MIN_EXERCISES


def _statements(first, second, solution, counts):
    shared = {s.key for s in second.statements} - {s.key for s in solution.statements}
    texts = {statement.key: statement.text for statement in first.statements if statement.key in shared}
    return tuple(texts[key] for key in sorted(texts, key=lambda key: (counts[key], -len(key)))[:EXAMPLES])


def _shared_words(code, shared):
    return tuple(dict.fromkeys(word for where, word in code.words if (where, word) in shared))


def groups(pairs: Sequence[Pair]) -> list[Group]:
    """Put pairs together that have a student and the unit in common.

    Parameters
    ----------
    pairs : sequence of Pair

    Returns
    -------
    list of Group
        The largest first.
    """
    people = sorted({(pair.unit, student) for pair in pairs for student in (pair.first, pair.second)})
    if not people:
        return []
    number = {person: n for n, person in enumerate(people)}
    ends = [(number[pair.unit, pair.first], number[pair.unit, pair.second]) for pair in pairs]
    links = coo_array((np.ones(len(ends)), tuple(zip(*ends, strict=True))), shape=(len(people), len(people)))
    count, labels = connected_components(links, directed=False)
    members = [[person for person, label in zip(people, labels, strict=True) if label == n] for n in range(count)]
    inside = [tuple(pair for pair in pairs if labels[number[pair.unit, pair.first]] == n) for n in range(count)]
    found = [
        Group(people[0][0], tuple(student for _, student in people), its)
        for people, its in zip(members, inside, strict=True)
    ]
    return sorted(found, key=lambda group: (-len(group.students), group.unit, group.students))
