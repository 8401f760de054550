"""Which names a statement binds and looks up: as Python's compiler has it, without compiling anything."""

import ast
import dis
import time
import types

import pytest

from autograder.execution.dependencies import needed
from autograder.grading.intake.read.bindings import names_of
from autograder.registry import units
from tests.attacks.stalls import nested
from tools.course import notebook

RULES = {
    "x = y": ("x", "y"),
    "x += y": ("x", "x y"),
    "x.a = y[z]": ("", "x y z"),
    "del x": ("x", ""),
    "import a.b, c as d": ("a d", ""),
    "from a import b as c, d": ("c d", ""),
    "from a import *": ("", ""),
    "for x, *y in z: pass\nelse: w": ("x y", "z w"),
    "with a as b: c": ("b", "a c"),
    "try: a\nexcept b as c: d": ("c", "a b d"),
    "(x := y)": ("x", "y"),
    "match a:\n case {'k': b, **c}: pass\n case [d, *e] | A(d, e): f\n case str() as g: pass": (
        "b c d e g",
        "a f A str",
    ),
    "@a\ndef f(b: c, d=e, *g, h=i, **j) -> k: return b + d + l": ("f", "a c e i k l"),
    "def f(x):\n y = x\n def g(): return y + z\n return g": ("f", "z"),
    "def f():\n global x\n x = y\n return x": ("f", "x y"),
    "def f(x):\n def g():\n  nonlocal x\n  x = y\n return g": ("f", "y"),
    "async def f(x): await x; y": ("f", "y"),
    "x = lambda y, z=w: y + z + v": ("x", "w v"),
    "x = [y + w for y in z if v]": ("x", "w z v"),
    "x = {x: y for x, y in x}": ("x", "x"),
    "x = [(y := z) for z in w]": ("x y", "w"),
    "x = [[a for a in b] for b in c]": ("x", "c"),
    "@a\nclass C(B, metaclass=M):\n x = y\n def f(self): return x": ("C", "a B M y x"),
    "def f():\n class C:\n  a = b\n return C, a": ("f", "b a"),
    "def f(x):\n  class C:\n    y = x\n  return C": ("f", ""),
    "print(f'{x!r:{y}}')": ("", "print x y"),
}


@pytest.mark.parametrize("source", RULES)
def test_names_are_those_of_pythons_rules(source):
    (statement,) = ast.parse(source).body
    binds, uses = (set(words.split()) for words in RULES[source])
    assert names_of(statement) == (binds, uses)


@pytest.mark.parametrize("unit", units(), ids=lambda unit: unit.id[:2])
def test_names_of_cells_agree_with_the_compiler(unit):
    for cell in notebook(unit.id).cells:
        for statement in ast.parse(cell.source).body if cell.cell_type == "code" else ():
            binds, uses = names_of(statement)
            code = compile(ast.Module([statement], []), "<cell>", "exec")
            assert uses == compiled_uses(code), cell.source
            walrus = {node.target.id for node in ast.walk(statement) if isinstance(node, ast.NamedExpr)}
            assert binds - walrus == {i.argval for i in dis.get_instructions(code) if i.opname == "STORE_NAME"} - walrus


def compiled_uses(code):
    used = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_NAME", "LOAD_GLOBAL")}
    return used.union(*(compiled_uses(part) for part in code.co_consts if isinstance(part, types.CodeType)))


def test_what_would_compile_to_gigabytes_takes_no_time():
    (statement,) = ast.parse(nested(["try: a", "finally:"], 90, "b")).body
    begin = time.process_time()
    assert names_of(statement) == (set(), {"a", "b"})
    assert time.process_time() - begin < 1


def test_a_chain_of_needed_statements_takes_no_time():
    statements = ast.parse("".join(f"a{n + 1} = a{n}\n" for n in range(20_000))).body
    begin = time.process_time()
    assert needed(statements, ["a19000"]) == statements[:19_000]
    assert time.process_time() - begin < 2
