"""Submissions that were copied are found after renaming; right solutions that were written independently are not."""

import ast
import inspect
import random
import re
import textwrap

import pytest

from autograder.execution.dependencies import bound
from autograder.grading.intake.submission import Submission
from autograder.grading.pages.live_code import live
from autograder.grading.pages.own_code import CHOSEN, own_code
from autograder.grading.pages.own_parts import MAX_LENGTH
from autograder.grading.pages.similarity import Pair, compare, groups
from autograder.registry import units
from tests.support.processor_time import within
from tools.bank import right_styles
from tools.course import notebook, tags

IMPORTS = "import numpy as np\nfrom autograder import check\n"


def styles(unit):
    """Return for every exercise the sources of functions that are right, the course's own first."""
    return {e.name: [_source(f, e.name) for f in (e.reference, *right_styles(e.name))] for e in unit.exercises}


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
    body = re.sub(r'""".*?"""', '"""Mine."""', re.sub(r"(?m)(^|\s)# .*", "", source), flags=re.DOTALL)
    names = set(re.findall(r"^ +([a-z]\w*) =(?!=)", body, flags=re.MULTILINE))
    for number, name in enumerate(sorted(names)):
        body = re.sub(rf"(?<![.\w]){name}(?!\w)(?!=[^=])", f"own_{number}", body)
    return body.replace("\n    return", "\n\n    # at last\n    return")


def copied(original, unit, student="zz", change=renamed):
    return submission(student, unit, [change(cell) for cell in original.code[1:]])


def similar(handed_in, unit):
    return compare(handed_in, unit).pairs


def names(pairs):
    return [(pair.first, pair.second) for pair in pairs]


FAST = "02"
EACH = [pytest.param(u, id=u.id[:2], marks=() if u.id[:2] == FAST else pytest.mark.exhaustive) for u in units()]


@pytest.fixture(params=EACH)
def unit(request):
    return request.param


@pytest.fixture
def attention():
    return units()[2]


def test_right_solutions_in_different_styles_are_not_alike(unit):
    assert similar(independent(unit), unit) == []


def test_own_solutions_raise_no_alarm(unit):
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


def test_only_the_copy_is_found_in_a_class(unit):
    """In one of five classes that are drawn two agree by chance, since each version is written word for word."""
    handed_in = mixed(unit, 37, seed=58)
    assert similar(handed_in, unit) == []
    original = submission("yy", unit, [sources[-1] for sources in styles(unit).values()])
    handed_in += [original, copied(original, unit)]
    assert names(similar(handed_in, unit)) == [("yy", "zz")]


def test_a_group_does_not_make_its_solution_common(unit):
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


def test_a_disguised_copy_is_found(attention):
    handed_in = independent(attention)

    def disguised(source):
        source = re.sub(r"\):\n", "):\n    unused = 0\n", renamed(source), count=1)
        return source.replace("(Q, K", "(queries, keys").replace("Q", "queries").replace("K", "keys")

    handed_in.append(copied(handed_in[3], attention, change=disguised))
    handed_in.append(submission("xx", attention, reversed(handed_in[2].code[1:])))
    assert names(similar(handed_in, attention)) == [("s2", "xx"), ("s3", "zz")]


def test_a_common_solution_needs_the_same_uncommon_names(attention):
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
        "x = 1\n" * MAX_LENGTH,
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


def test_own_code_leaves_out_what_is_given(attention):
    code = own_code(
        [
            "import numpy as xp\nSMALL = 1e-9  # tiny number",
            'def softmax(z, dim=-1):\n    """Given."""\n    total = xp.exp(z)  # my way\n    return total + SMALL\n'
            "    raise NotImplementedError",
            "print(softmax(1))\nunused = 1",
        ],
        attention.exercises,
    )
    beside, kept, last = code.statements
    assert {statement.where for statement in code.statements} == {"softmax"}
    assert kept.text == "total = xp.exp(z)  # my way"
    assert kept.key == ("Assign", CHOSEN, "Call", "Attribute", "exp", "numpy", "x")
    assert last.key == ("Return", "BinOp", CHOSEN, "Add", CHOSEN)
    assert beside.key == ("Assign", CHOSEN, "float 1e-09")
    assert [word for _, word in code.words] == ["SMALL", "tiny", "number", "total", "way", "total", "SMALL"][:5]
    assert code.is_whole


def between_the_lines(source):
    """Put statements that nothing needs between those at the top of a function's body."""
    tree = ast.parse(source)
    for function in filter(lambda node: isinstance(node, ast.FunctionDef), tree.body):
        body = []
        for number, statement in enumerate(function.body):
            idle = (
                f"spare_{number} = {number}\nspare_{number} += len('x')\nassert True\nprint(spare_{number})\npass\n'x'"
            )
            idle += f"\nif spare_{number} > 9:\n    spare_{number}: int = 2\nwhile False:\n    break\nother: float"
            body += [*ast.parse(idle).body, statement]
        function.body = [*body, *ast.parse("spare = 'after the end'").body]
    return ast.unparse(tree)


def annotated(source):
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = ast.Name("float")
            for argument in node.args.args:
                argument.annotation = ast.Name("object")
    return ast.unparse(ast.fix_missing_locations(tree))


def below_a_condition(source):
    return "if True:\n" + textwrap.indent(source, "    ")


def after_a_decoy(source):
    """Define every function first as something else."""
    names = re.findall(r"^def (\w+)", source, re.MULTILINE)
    return "".join(f"def {name}(*args):\n    return sorted(args[0]) + [len(args)]\n\n" for name in names) + source


def swapped(source):
    """Exchange neighbouring assignments that do not need each other, and put definitions into another order."""
    tree = ast.parse(source)
    tree.body.reverse()
    for block in [node.body for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.For))]:
        for number in range(len(block) - 1):
            first, second = block[number : number + 2]
            both = isinstance(first, ast.Assign) and isinstance(second, ast.Assign)
            if both and not (bound(first) & used(second) or bound(second) & (bound(first) | used(first))):
                block[number : number + 2] = second, first
    return ast.unparse(tree)


def used(node):
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


DISGUISES = (between_the_lines, annotated, below_a_condition, after_a_decoy, swapped)


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_disguise_changes_nothing(unit, disguise):
    for original in independent(unit)[:2]:
        alone = own_code(original.code, unit.exercises).statements
        hidden = own_code(copied(original, unit, change=disguise).code, unit.exercises).statements
        assert [one.key for one in hidden] == [one.key for one in alone]


def test_all_disguises_together_are_seen_through(unit):
    handed_in = independent(unit)
    spread = handed_in[1].code[1:]
    for disguise in (*DISGUISES, renamed):
        spread = [disguise(source) for source in spread]
    handed_in.append(submission("zz", unit, [source for one in reversed(spread) for source in ("import os", one)]))
    (pair,) = similar(handed_in, unit)
    assert (pair.first, pair.second) == ("s1", "zz")


def test_what_a_result_depends_on_stays():
    source = """
def f(x, out):
    n = 0
    cache = []
    for row in x:
        if row is None:
            break
        n += 1
        cache.append(row)
        unused = row
    with open("a") as file:
        text = file.read()
    try:
        value = int(text)
    except ValueError as error:
        value = str(error)
    def inner(y):
        nonlocal n
        z = 1
        n = y
        return n
    out[n] = value
    if (m := len(cache)) > 3:
        raise ValueError(m)
    return out, inner(m)
    never = n
"""
    (function,) = ast.parse(source).body
    found = live(function)
    kept = [ast.unparse(node).split("\n")[0] for node in ast.walk(function) if id(node) in found]
    lost = [ast.unparse(n) for n in ast.walk(function) if isinstance(n, ast.stmt) and id(n) not in found][1:]
    assert lost == ["never = n", "unused = row", "z = 1"]
    assert len(kept) == 20


def test_copies_of_the_courses_own_solution_are_told(unit):
    own = [_source(exercise.reference, exercise.name) for exercise in unit.exercises]
    handed_in = [*independent(unit), *(submission(f"z{n}", unit, own) for n in range(3))]
    handed_in.append(submission("z3", unit, [between_the_lines(source) for source in own]))
    assert compare(handed_in, unit).copies == ("z0", "z1", "z2", "z3")


def test_far_too_much_code_is_told(attention):
    handed_in = independent(attention)
    much = "def softmax(x, axis=-1):\n" + "    x = x + 1\n" * 10_000 + "    return x"
    deep = "def softmax(x, axis=-1):\n    if x: return 1\n" + "    elif x: return 1\n" * 700
    handed_in += [submission("much", attention, [*handed_in[1].code[1:], much]), submission("yy", attention, [deep])]
    assert compare(handed_in, attention).unread == ("much", "yy")


def long(number, cells, lines):
    """Return a submission that goes on and on."""
    line = "    x = np.exp(x) - np.max(x) * {}\n"
    names = ["softmax", *(f"softmax_{n}" for n in range(1, cells))]
    calls = "".join(f"    x = {name}(x)\n" for name in names[1:])
    bodies = ["".join(line.format(n * number % 7) for n in range(lines)) for _ in names]
    cells = [f"def {name}(x):\n{body}{calls}    return x" for name, body in zip(names, bodies, strict=True)]
    return submission(f"m{number}", units()[2], cells)


def test_three_submissions_of_two_megabytes_take_no_time(attention):
    """Before there was a limit, comparing them took minutes: time grows with the product of the lengths."""
    handed_in = [long(number, 50, 1200) for number in (1, 2, 3)]
    assert sum(map(len, handed_in[0].code)) > 2_000_000
    with within(5):
        found = compare([*independent(attention), *handed_in], attention)
    assert found.unread == ("m1", "m2", "m3")


def test_submissions_as_long_as_may_be_take_seconds(attention):
    handed_in = [long(number, 1, 750) for number in range(1, 5)]
    with within(2 * len(handed_in)):
        assert compare([*independent(attention), *handed_in], attention).unread == ()


@pytest.mark.exhaustive
def test_three_thousand_students_take_a_minute(attention):
    handed_in = [*mixed(attention, 3000), copied(independent(attention)[0], attention)]
    with within(120):
        compare(handed_in, attention)


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


def test_a_hundred_students_take_seconds(attention):
    handed_in = mixed(attention, 100)
    handed_in.append(copied(independent(attention)[0], attention))
    with within(7):
        assert len(similar(handed_in, attention)) <= 1
