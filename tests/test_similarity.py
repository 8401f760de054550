"""Submissions that were copied are found after renaming; right solutions that were written independently are not."""

import inspect
import random
import re
import time
from importlib import import_module

import pytest

from autograder.exercises import units
from autograder.grading.intake.submission import Submission
from autograder.grading.pages.own_code import CHOSEN, LONGEST_CELL, own_code
from autograder.grading.pages.similarity import Pair, groups, similar
from tests.course import notebook, tags

IMPORTS = "import numpy as np\nfrom autograder import check\n"


def styles(unit):
    """Return for every exercise the sources of functions that are right, the course's own first."""
    others = import_module(f"tests.styles.unit_{unit.id[:2]}").STYLES
    return {e.name: [_source(f, e.name) for f in (e.reference, *others[e.name])] for e in unit.exercises}


def _source(function, name):
    return inspect.getsource(function).replace(f"def {function.__name__}(", f"def {name}(", 1)


def submission(student, unit, cells):
    return Submission(student, unit.id, "", b"", None, (IMPORTS, *cells))


def independent(unit, shift=0):
    """Make as many students as there are styles, none of whom wrote an exercise as another one did."""
    pools = {name: sources[1:] for name, sources in styles(unit).items()}  # the course's own is known to all
    count = min(map(len, pools.values()))
    return [submission(f"s{n}", unit, [pool[(n + shift) % count] for pool in pools.values()]) for n in range(count)]


def mixed(unit, students, seed=5):
    """Make a class in which some styles are much more common than others."""
    rng, pools = random.Random(seed), styles(unit)
    common = (9, 4, 2, 1, 1, 1, 1, 1)
    cells = [[rng.choices(pool, common[: len(pool)])[0] for pool in pools.values()] for _ in range(students)]
    return [submission(f"s{n:03}", unit, chosen) for n, chosen in enumerate(cells)]


def renamed(source):
    """Rename what the learner named, put other comments and blank lines in, and drop the docstring."""
    body = re.sub(r'""".*?"""', '"""Mine."""', re.sub(r"#.*", "", source), flags=re.DOTALL)
    names = set(re.findall(r"^ +([a-z]\w*) =(?!=)", body, flags=re.MULTILINE))
    for number, name in enumerate(sorted(names)):
        body = re.sub(rf"(?<![.\w]){name}(?!\w)(?!=[^=])", f"own_{number}", body)
    return body.replace("\n    return", "\n\n    # at last\n    return")


def copied(original, unit, student="zz", change=renamed):
    return submission(student, unit, [change(cell) for cell in original.code[1:]])


def names(pairs):
    return [(pair.first, pair.second) for pair in pairs]


@pytest.fixture(params=units(), ids=lambda unit: unit.id[:2])
def unit(request):
    return request.param


@pytest.fixture
def attention():
    return units()[2]


def test_right_solutions_in_different_styles_are_not_alike(unit):
    assert similar(independent(unit), unit) == []


def test_the_released_notebook_and_the_courses_own_solutions_raise_no_alarm(unit):
    released = [c.source for c in notebook(unit.id, "notebooks").cells if tags(c).get("solution")]
    handed_in = [submission(f"stub{n}", unit, released) for n in range(3)]
    own = [_source(exercise.reference, exercise.name) for exercise in unit.exercises]
    handed_in += [submission(f"own{n}", unit, own) for n in range(3)]
    assert similar(handed_in, unit) == []


def test_a_copy_is_found_after_renaming(unit):
    handed_in = independent(unit)
    handed_in.append(copied(handed_in[1], unit))
    (pair,) = similar(handed_in, unit)
    assert (pair.unit, pair.first, pair.second) == (unit.id, "s1", "zz")
    assert pair.structure > 0.95
    assert len(pair.exercises) >= len(unit.exercises) - 1
    assert set(pair.exercises.values()) == {0}
    assert pair.statements


def test_a_copy_is_found_in_a_class_of_forty_and_nothing_else(unit):
    handed_in = mixed(unit, 37)
    assert similar(handed_in, unit) == []
    original = submission("yy", unit, [sources[-1] for sources in styles(unit).values()])
    handed_in += [original, copied(original, unit)]
    assert names(similar(handed_in, unit)) == [("yy", "zz")]


def test_a_group_does_not_make_its_own_solution_common(unit):
    handed_in = mixed(unit, 31)
    cells = [sources[-1] for sources in styles(unit).values()]
    handed_in += [submission(f"z{n}", unit, cells) for n in range(9)]
    (group,) = groups(similar(handed_in, unit))
    assert {f"z{n}" for n in range(9)} == set(group.students)
    assert len(group.pairs) == 36


def test_two_solutions_that_everybody_writes_raise_no_alarm(unit):
    """Of 61 students many agree in every exercise: there are only two versions of each."""
    rng, pools = random.Random(3), styles(unit).values()
    handed_in = [submission(f"s{n:02}", unit, [rng.choice(pool[1:3]) for pool in pools]) for n in range(61)]
    assert similar(handed_in, unit) == []


def test_a_copy_with_additions_and_renamed_parameters_is_found(attention):
    handed_in = independent(attention)

    def disguised(source):
        source = re.sub(r"\):\n", "):\n    unused = 0\n", renamed(source), count=1)
        return source.replace("(Q, K", "(queries, keys").replace("Q", "queries").replace("K", "keys")

    handed_in.append(copied(handed_in[3], attention, change=disguised))
    handed_in.append(submission("xx", attention, reversed(handed_in[2].code[1:])))
    assert names(similar(handed_in, attention)) == [("s2", "xx"), ("s3", "zz")]


def test_a_common_solution_is_found_only_with_the_same_uncommon_names(attention):
    """All write the same; two of them have the names and comments in common, the others have names of their own."""

    def named(*own):
        return [
            "def softmax(x, axis=-1):\n"
            f"    {own[0]} = x - np.max(x, axis=axis, keepdims=True)\n"
            f"    {own[1]} = np.exp({own[0]})  # {own[2]} are {own[3]} now\n"
            f"    return {own[1]} / np.sum({own[1]}, axis=axis, keepdims=True)\n",
            "def attention_scores(Q, K):\n"
            f"    {own[4]} = Q.shape[-1]  # {own[5]} for {own[6]}\n"
            f"    {own[7]} = np.matmul(Q, np.swapaxes(K, -1, -2))\n"
            f"    return {own[7]} / np.sqrt({own[4]})\n",
        ]

    chosen = ("lowered", "grown", "entries", "positive", "breadth", "square", "spread", "matched")
    handed_in = [submission(f"s{n}", attention, named(*(f"n{n}x{k}" for k in range(8)))) for n in range(7)]
    assert similar(handed_in, attention) == []
    handed_in += [submission(name, attention, named(*chosen)) for name in ("yy", "zz")]
    (pair,) = similar(handed_in, attention)
    assert (pair.first, pair.second, pair.structure) == ("yy", "zz", 1)
    assert pair.exercises == {"softmax": 7, "attention_scores": 7}
    assert set(chosen) <= set(pair.words)


def test_one_exercise_alone_is_too_short_to_tell(attention):
    one = [styles(attention)["attention_backward"][2]]
    assert similar([submission(name, attention, one) for name in ("yy", "zz")], attention) == []


def test_only_this_unit_and_the_last_attempt_count(attention):
    first, second, third, *_ = independent(attention)
    again = [copied(first, attention), submission("zz", attention, third.code)]
    elsewhere = Submission("ww", "another_unit", "", b"", None, first.code)
    assert names(similar([first, second, *again, elsewhere], attention)) == []
    assert names(similar([first, second, *again[::-1], elsewhere], attention)) == [("s0", "zz")]


def test_whatever_is_handed_in_can_be_read(attention):
    deep = "def softmax(x):\n    return " + "-" * 5000 + "x"
    odd = [
        "def softmax(x:",
        "\0",
        "x = 1\n" * LONGEST_CELL,
        deep,
        "def softmax(x):\n    return " + "x" + ".y" * 5000,
        "%matplotlib inline",
        "softmax = lambda x: '\\d'",
        "class softmax:\n    '''Odd.'''\n    def __call__(self, *x, **y):\n        global z\n        return x",
        "async def softmax(x): pass",
        "def softmax(x):\r    return x  # old line ends\r\nexcept_ = 1",
        "def softmax():\n    try: 1/0\n    except Exception as e: raise\n",
    ]
    assert similar([submission("yy", attention, odd), submission("zz", attention, odd[::-1])], attention) == []
    assert similar([Submission("yy", attention.id, "", b"", None)], attention) == []
    assert similar([], attention) == []


def test_own_code_leaves_out_what_is_given_and_names_alike(attention):
    code = own_code(
        [
            "import numpy as xp\nSMALL = 1e-9  # tiny number",
            'def softmax(z, dim=-1):\n    """Given."""\n    total = xp.exp(z)  # my way\n    raise NotImplementedError',
            "print(softmax(1))",
        ],
        attention.exercises,
    )
    kept, beside = code.statements
    assert (kept.where, kept.text) == ("softmax", "total = xp.exp(z)  # my way")
    assert kept.key == ("Assign", CHOSEN, "Call", "Attribute", "exp", "numpy", "x")
    assert (beside.where, beside.key) == ("", ("Assign", CHOSEN, ("float", 1e-9)))
    assert code.words == (("softmax", "total"), ("softmax", "way"), ("", "SMALL"), ("", "tiny"), ("", "number"))


def test_groups_are_connected_pairs_of_one_unit():
    def pair(unit, first, second):
        return Pair(unit, first, second, 1.0, {}, (), ())

    pairs = [pair("u1", "a", "b"), pair("u1", "c", "d"), pair("u1", "d", "e"), pair("u2", "a", "e")]
    found = groups(pairs)
    assert [(group.unit, group.students) for group in found] == [
        ("u1", ("c", "d", "e")),
        ("u1", ("a", "b")),
        ("u2", ("a", "e")),
    ]
    assert [len(group.pairs) for group in found] == [2, 1, 1]
    assert groups([]) == []


def test_three_hundred_students_take_seconds(attention):
    handed_in = mixed(attention, 300)
    handed_in.append(copied(independent(attention)[0], attention))
    begin = time.perf_counter()
    assert len(similar(handed_in, attention)) <= 1
    assert time.perf_counter() - begin < 20  # 2 on two busy cores
