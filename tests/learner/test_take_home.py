"""A learner's functions in one file that runs alone."""

import subprocess
import sys
from hashlib import sha256

import numpy as np
import pytest

from autograder.cli import main
from autograder.learner.take_home import export as taken
from autograder.learner.take_home.gather import Sources
from autograder.learner.take_home.one_file import joined
from autograder.learner.take_home.statements import CannotTakeHome, Module
from autograder.registry import find, reference
from tests.support.small_gguf import SIZES, small_model, written
from transformer_kit.library import import_library
from transformer_kit.public import smollm
from transformer_kit.take_home import chat
from transformer_kit.take_home.embedded import as_comments

UNIT_02 = '''\
"""Your functions of unit 02."""

import numpy as np

AXIS = -1


def shifted(x):
    return x - x.max(axis=AXIS, keepdims=True)


# the exponentials, and their shares
def softmax(x, axis=-1):
    if axis != AXIS:
        return np.moveaxis(softmax(np.moveaxis(x, axis, -1)), -1, axis)
    e = np.exp(shifted(x))
    return e / e.sum(axis=AXIS, keepdims=True)


print("only here")
'''
UNIT_08 = """\
import numpy as np
from transformer_kit.workbench import functions

softmax = functions("softmax")


def shifted(logits, temperature):
    return logits / temperature


def apply_temperature(logits, temperature):
    if temperature < 0:
        raise ValueError(f"the temperature must be 0 or more; got {temperature}")
    if temperature == 0:
        return (np.arange(logits.shape[-1]) == logits.argmax(axis=-1)[..., None]).astype(float)
    return softmax(shifted(logits, temperature))
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "my_transformer"
    folder.mkdir()
    (folder / "unit_02_scaled_dot_product_attention.py").write_text(UNIT_02, encoding="utf-8")
    (folder / "unit_08_decoding.py").write_text(UNIT_08, encoding="utf-8")
    return folder


def run(*arguments, text=""):
    return subprocess.run([sys.executable, *arguments], input=text, capture_output=True, text=True, check=False)


def in_one(**texts):
    """Return the statements that the function `last` needs, in one text; the modules are the arguments."""
    modules = {f"transformer_kit.{name}": text for name, text in texts.items()}
    *_, name = modules
    sources = Sources({}, (), ({"transformer_kit": ""} | modules).__getitem__)
    text, names = joined([(sources.module(name), "last")], sources, {}, "all")
    return text, names[sources.module(name), "last"]


def value(**texts):
    text, last = in_one(**texts)
    namespace = {}
    exec(text, namespace)
    return namespace[last]


@pytest.mark.exhaustive
def test_a_learners_library_becomes_one_program(folder, capsys):
    """Their helpers have the same name; the course lends the rest, and is not there when the file runs."""
    assert main(["export-library", "home.py"]) == 0
    path = folder.parent / "home.py"
    printed = capsys.readouterr().out
    assert "home.py: 2 of the functions were written by a learner" in printed
    assert "python home.py I like cats.\n  Me gustan los gatos." in printed
    assert "python home.py define moonberry\n  moonberry (noun): " in printed
    text = path.read_text(encoding="utf-8")
    assert text.index("The course has lent encode, ") < 600
    assert "only here" not in text
    assert "# the exponentials, and their shares\ndef softmax(" in text
    assert "return softmax(shifted_of_unit_08_decoding(logits, temperature))" in text
    assert "from transformer_kit" not in text
    code = f"import runpy, sys; sys.modules['scipy'] = None; runpy.run_path({str(path)!r}, None, '__main__')"
    done = run("-I", "-c", code, "The", "red", "car", "is", "new.")
    assert (done.stdout, done.returncode) == ("El coche rojo es nuevo.\n", 0), done.stderr
    asked = run(path, text="I like libary\nI like cats\n\n")
    assert "did you mean library?" in asked.stdout
    assert asked.stdout.endswith("> Me gustan los gatos.\n> ")
    assert main(["export-library", "home.py"]) == 0  # its own file is replaced


def test_a_wrong_function_is_not_taken_home(folder):
    """The course lends its own, and to the functions that call it as well."""
    path = folder / "unit_02_scaled_dot_product_attention.py"
    path.write_text(UNIT_02.replace("e / e.sum", "e * e.sum"), encoding="utf-8")
    library = import_library(folder, reference(), again=True)
    taken.substitute_failing(library, [find("softmax")])
    text, own, lent, *_ = taken.composed(library, "home.py")
    assert own == ["apply_temperature"]
    assert "softmax" in lent
    assert "e * e.sum" not in text


def test_what_cannot_be_copied_is_left_out(folder):
    path = folder / "unit_08_decoding.py"
    path.write_text(UNIT_08.replace("return softmax", "from transformer_kit import reference\n    return softmax"))
    library = import_library(folder, reference(), again=True)
    text, own, lent, left_out, _ = taken.composed(library, "home.py")
    assert own == ["softmax"]
    assert "apply_temperature" in lent
    assert next(iter(left_out)) == "your apply_temperature"
    assert "unit_08_decoding imports transformer_kit inside a function" in left_out["your apply_temperature"]
    assert "def apply_temperature(" in text


@pytest.fixture
def chat_package(tmp_path, monkeypatch):
    """A package with a small chat model, from which nothing is run."""
    package = tmp_path / "packages" / smollm.PACKAGE
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("1 / 0\n")
    path = package / smollm.FILE
    path.write_bytes(written(*small_model(np.random.default_rng(3), **SIZES)))
    monkeypatch.syspath_prepend(package.parent)
    return path


def said_by(path, turns):
    """Return what the small model says at the end of a conversation, on the course's functions."""
    decoder, pieces = smollm.model_from(path, reference().dequantised)
    prompt = pieces.encode(reference().chat_prompt(turns, smollm.SYSTEM), reference().byte_pair_merge)
    ids = reference().write(prompt, decoder, np.argmax, (pieces.marks[smollm.END],), chat.N_PIECES)
    return pieces.decode(ids)


def test_the_chat_comes_along_where_its_model_is(folder, chat_package):
    """And goes on: what was said before belongs to the next prompt."""
    library = import_library(folder, reference(), again=True)
    taken.substitute_failing(library, [find("softmax")])
    made = taken.composed(library, "home.py")
    assert [program.command for program in made.programs] == ["translate", "define", "chat"]
    assert "    python home.py chat Who are you?\n" in made.text[:600]
    path = folder.parent / "home.py"
    path.write_text(made.text.replace(smollm.SHA256, sha256(chat_package.read_bytes()).hexdigest()), encoding="utf-8")
    alone = "import runpy, sys; _, packages, *sys.argv = sys.argv; sys.path.insert(0, packages); "
    alone += "sys.modules |= dict.fromkeys(['transformer_kit', 'autograder']); "
    alone += "runpy.run_path(sys.argv[0], None, '__main__')"
    done = run("-I", "-c", alone, chat_package.parents[1], path, "chat", text="Hello there!\nAnd now?\n\n")
    assert done.stderr == ""
    first = said_by(chat_package, [("user", "Hello there!")])
    second = said_by(chat_package, [("user", "Hello there!"), ("assistant", first), ("user", "And now?")])
    assert 0 < len(first) != len(second) > 0
    assert done.stdout.partition("\n")[2] == f"> {first}\n> {second}\n> "


def test_without_its_model_the_chat_is_left_out(folder, monkeypatch):
    monkeypatch.setattr(chat, "NEEDS", ("no_such_package", "pip install it"))
    made = taken.composed(import_library(folder, reference(), again=True), "home.py")
    assert [program.command for program in made.programs] == ["translate", "define"]
    assert made.left_out["the program chat"] == "it needs a package that is not installed: pip install it"
    assert "dequantised" not in made.text


def test_a_program_without_its_functions_is_left_out(folder, chat_package, monkeypatch):
    """As in a learners' edition, which has nothing to lend, before unit 13."""
    real = Sources.function

    def function(sources, name):
        if name == "dequantised":
            raise CannotTakeHome("dequantised is not among your functions yet")
        return real(sources, name)

    monkeypatch.setattr(Sources, "function", function)
    made = taken.composed(import_library(folder, reference(), again=True), "home.py")
    assert made.left_out["the program chat"] == "dequantised is not among your functions yet"
    assert [program.command for program in made.programs] == ["translate", "define"]


def test_nothing_is_written_without_functions(tmp_path, capsys):
    assert main(["export-library", "--folder", str(tmp_path / "my_transformer")]) == 1
    assert "there are no functions in" in capsys.readouterr().err


def test_another_file_is_left_alone(folder, capsys):
    (folder.parent / "my_transformer.py").write_text("important = 1\n", encoding="utf-8")
    assert main(["export-library"]) == 1
    assert "my_transformer.py is something else" in capsys.readouterr().err
    assert (folder.parent / "my_transformer.py").read_text(encoding="utf-8") == "important = 1\n"


def test_a_program_that_stops_is_told(tmp_path):
    path = tmp_path / "home.py"
    path.write_text("from transformer_kit import reference\n", encoding="utf-8")
    with pytest.raises(CannotTakeHome, match=r"stops at 'I like cats\.': .*transformer_kit"):
        taken.tried(path, "I like cats.")
    path.write_text("import sys\nprint('no model is here', file=sys.stderr)\nraise SystemExit(1)\n", encoding="utf-8")
    with pytest.raises(CannotTakeHome, match=r"stops at 'chat Hello': no model is here"):
        taken.tried(path, "chat Hello")


def test_names_of_two_modules_do_not_meet():
    one = "SIZE = 3\ndef area(x):\n    return SIZE * x\n"
    two = "from transformer_kit.one import area\nSIZE = 5\ndef last(x, size=SIZE):\n    return area(x) + size + SIZE\n"
    assert value(one=one, two=two)(2) == 6 + 5 + 5


def test_a_parameter_keeps_the_name_of_a_constant():
    one = "rate = 3\ndef first(x):\n    return x * rate\n"
    two = "from transformer_kit.one import first\nrate = 7\ndef used(y):\n    return y + rate\n"
    three = "from transformer_kit.two import used, first\ndef last(rate):\n    return used(rate) + first(rate)\n"
    assert value(one=one, two=two, three=three)(rate=2) == 9 + 6


def test_a_name_both_local_and_global_is_refused():
    one = "rate = 7\ndef first(x):\n    inner = lambda rate: 2 * rate\n    return inner(x) + rate\n"
    two = "from transformer_kit.one import first\nrate = 3\ndef last():\n    return first(rate)\n"
    with pytest.raises(CannotTakeHome, match=r"transformer_kit.one has 'rate' as a local and as a global name"):
        in_one(one=one, two=two)


def test_what_runs_comes_after_what_it_needs():
    """A table, a decorator and a default, each made by functions that stand further down or elsewhere."""
    one = (
        "def rows(text):\n    return [cell(row) for row in text.split()]\n"
        "def cell(row):\n    return BASE + int(row)\nBASE = 10\n"
    )
    two = (
        "from functools import cache\nfrom transformer_kit.one import rows\n"
        "def twice(f):\n    return lambda *given: 2 * f(*given)\n"
        "@twice\ndef last(i=0):\n    return TABLE[i]\nTABLE = rows('1 2 3')\n"
    )
    assert value(one=one, two=two)(2) == 2 * 13


def test_imports_are_shared_and_kept_apart():
    one = "from math import floor\nimport os.path\ndef down(x):\n    return floor(x), os.path.basename('a/b')\n"
    two = (
        "from numpy import floor\nimport numpy as np\nfrom transformer_kit.one import down\n"
        "def last(x):\n    return down(x), floor(np.array([x]))\n"
    )
    low, array = value(one=one, two=two)(2.5)
    assert low == (2, "b")
    assert isinstance(low[0], int)
    assert array.tolist() == [2.0]


def test_a_missing_package_spoils_its_functions_only():
    text, _ = in_one(one="import nowhere.part as part\ndef last():\n    return part\n")
    assert "try:\n    import nowhere.part as part\nexcept ImportError:\n    part = None" in text
    assert value(one="import nowhere.part as part\ndef last():\n    return part\n")() is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def last():\n    return unknown\n", "uses 'unknown', which is defined nowhere"),
        ("from transformer_kit import one\ndef last():\n    return one\n", "it needs transformer_kit.one as a whole"),
        ("import transformer_kit\ndef last():\n    return transformer_kit\n", "imports transformer_kit as a whole"),
        ("def last():\n    from autograder import check\n", "imports autograder inside a function"),
        ("from transformer_kit.gone import x\ndef last():\n    return x\n", "'x' of transformer_kit.gone cannot"),
    ],
)
def test_what_cannot_be_copied_is_said(text, why):
    with pytest.raises(CannotTakeHome, match=why):
        in_one(one=text)


def test_text_around_a_new_name_stays():
    text = 'def f(x, size_of=2):\n    """size"""\n    return x.size + size * len("é") + size\n'
    module = Module("m", f'é = "size"  # size\nsize = 1\n{text}')
    assert module.binders["f"][0].renamed({"size": "width"}) == (
        'def f(x, size_of=2):\n    """size"""\n    return x.size + width * len("é") + width\n'
    )


def test_numbers_come_back_from_the_comments(tmp_path):
    data = bytes(range(256)) * 3
    text = "from transformer_kit.take_home import embedded\n" + as_comments("a", data) + as_comments("b", b"")
    path = tmp_path / "home.py"
    path.write_text(taken._kit_text("transformer_kit.content") + "\n" + text, encoding="utf-8", newline="\r\n")
    namespace = {"__file__": str(path)}
    exec(path.read_text(encoding="utf-8"), namespace)
    assert (namespace["content"]("a"), namespace["content"]("b")) == (data, b"")
    with pytest.raises(ValueError, match=r"the end of home.py is gone"):
        namespace["content"]("c")
