"""`make style` finds a text of each kind that breaks a rule, and says so; the course itself breaks none."""

from dataclasses import replace

import pytest

from autograder import registry
from autograder.registry import find
from tools.course import ROOT
from tools.style import __main__ as style
from tools.style import mistakes, phrases, units
from tools.style.sources import cells_of
from tools.style.told import Finding, Used, table

UNIT = "03_masking"
WORDS = "# %% [markdown]\n# # A unit\n#\n# " + "word " * 1100
CODE = "\n\n# %%\n{}\n"
ONE_LINE_EACH = CODE.format("x = 1") * 3
PICTURES = "\n\n# %%\nfrom transformer_kit.pictures import ribbons\n"


def told(source, unit=UNIT):
    return list(units.faults(unit, source))


@pytest.mark.exhaustive
def test_the_course_breaks_no_rule(capsys):
    assert style.main() == 0
    printed = capsys.readouterr().out
    assert printed.endswith("Nothing to mend.\n")
    assert len(printed.splitlines()) < 25


def test_every_unit_has_a_row():
    assert [row.name for row in units.used(ROOT)] == [unit.id for unit in registry.units()]


# Units


def test_too_many_words_are_counted():
    limit = units.OTHERS
    source = "# %% [markdown]\n# # A unit\n#\n# " + "word " * limit
    assert told(source) == [(1, f"{limit + 3:,} words of running text; the limit is {limit:,}, so 3 have to go")]
    assert told(source, "09_transformer") == []


def test_too_few_words_are_counted():
    assert told("# %% [markdown]\n# # Five words in all\n") == [
        (1, "5 words of running text; a unit has 1,000 or more")
    ]


def test_running_text_is_what_is_read_through():
    text = """# A title

Read $x$ this.

$$y = x$$

| a | table |
- **A** a choice
  and the rest of it
- **Bold** is no choice

<details><summary>Hint 1: what?</summary>

A hint.

</details>

End."""
    assert " ".join(units.running_text(text).split()) == "# A title Read this. - **Bold** is no choice End."


def test_a_long_code_cell_is_found():
    source = WORDS + ONE_LINE_EACH + CODE.format("x = 1\n" * 41)
    assert told(source) == [(18, "a code cell of 41 lines; the limit is 40")]


def test_half_of_the_cells_too_long_are_found():
    source = WORDS + CODE.format("x = 1") + CODE.format("x = 1\n" * 7) * 2
    assert told(source) == [(1, "half of the code cells have 7 lines or more; the limit is 6")]


def test_an_answer_counts_as_one_line():
    answer = "### BEGIN SOLUTION\n" + "x = 1\n" * 50 + "### END SOLUTION"
    (_, cell) = cells_of(WORDS + CODE.format(f"y = 2\n{answer}"))
    assert cell.released == "y = 2\n..."
    assert cell.source.count("x = 1") == 50


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("plots.heatmap(\n    x,\n    y,\n)", 4),
        ("display(ribbons(plots.colours(x),\n    x,\n    y,\n))", 4),
        ("for _ in range(2):\n    plots.bars(\n        x,\n    )\nplots.bars(x)", 4),
        ("plots.heatmap(\n    x,\n)", None),
        ("table(\n    x,\n    y,\n    z,\n)", None),
    ],
)
def test_a_picture_of_many_lines_is_found(code, lines):
    (line, what), *others = told(WORDS + PICTURES + CODE.format(code)) or [(None, "")]
    assert others == []
    assert what.startswith(f"a picture takes {lines} lines; the limit is 3: " if lines else "")
    assert line == (10 if lines else None)


# Phrases


@pytest.mark.parametrize(
    ("text", "line", "phrase", "instead"),
    [
        ("Read on. Given is a matrix.", 1, "Given is", "find, you are given"),
        ("# %% [markdown]\n# The places\n# behind it are padding.", 2, "places behind it", "after"),
        ('x = 1\nsay("hand "\n    "on what came")', 2, "hand on", "pass on, pass"),
        ("One line.\n\nWeigh every number by its share.", 3, "Weigh every", "multiply, weight"),
        ("as in notebooks 02 and 03", 1, "notebooks 02", "unit"),
        ("The empty\nrow is\ncared for.", 3, "cared for", "handled"),
    ],
)
def test_a_banned_phrase_is_found(text, line, phrase, instead):
    ((found, what),) = phrases.faults(text)
    assert found == line
    assert phrase in what
    assert what.endswith(f": say {instead!r}")


@pytest.mark.parametrize(
    "text",
    [
        "The widths that are given are whole numbers.",
        "What is asked for is said above.",
        "hands-on exercises on hand",
        "The column behind this.",
        "See notebook 1 of 3.",
    ],
)
def test_plain_english_passes(text):
    assert list(phrases.faults(text)) == []


def test_all_texts_of_the_course_are_read():
    paths = {path.relative_to(ROOT).as_posix() for path in phrases.paths(ROOT)}
    assert {"solutions/03_masking.py", "docs/errata.md", "README.md", "autograder/cli.py"} <= paths
    assert any("exercises/unit_" in path for path in paths)


# Mistakes


def test_too_many_words_of_a_mistake_are_counted():
    mistake = find("softmax").mistakes[0]
    long = replace(mistake, name="It does", why="word " * 61)
    assert list(mistakes.faults(long)) == ["63 words in name and reason; the limit is 60, so 3 have to go"]
    assert list(mistakes.faults(replace(long, why="word " * 58))) == []


def test_a_requirement_as_a_name_is_found():
    mistake = find("softmax").mistakes[0]
    (what,) = mistakes.faults(replace(mistake, name="The sum must be 1"))
    assert what.startswith("'must' in the name: say what the function does wrong")


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("f(\n" + "1,\n" * 11 + ")", "a call of 13 lines; the limit is 12"),
        (f"f({'x' * 114})", "a call with a line of 117 characters; the limit is 116"),
        ("f(1)", None),
    ],
)
def test_a_large_call_is_found(code, what):
    assert list(mistakes.faults_of_call(code)) == ([what] if what else [])


@pytest.mark.parametrize(
    ("name", "id", "file"),
    [("softmax", "in-place", "softmax.py"), ("encode_source", "two-layers-only", "families.py")],
)
def test_a_mistake_is_found_where_it_is_written(monkeypatch, name, id, file):
    known = find(name).mistakes
    place = next(index for index, mistake in enumerate(known) if mistake.id == id)
    changed = [*known[:place], replace(known[place], why="word " * 60), *known[place + 1 :]]
    monkeypatch.setattr(find(name), "mistakes", changed)
    (found,) = mistakes.findings(ROOT)
    assert found.path.endswith(file)
    begun = (ROOT / found.path).read_text(encoding="utf-8").splitlines()[found.line - 1]
    assert id in begun.replace("_", "-")
    assert found.what.startswith(f"{name}, {id}: ")


# What is printed


def test_a_finding_names_file_and_line():
    assert str(Finding("docs/x.md", 3, "too long")) == "docs/x.md:3: too long"


def test_what_is_fullest_stands_on_top():
    assert table("Words", [Used("one", 5, 1200), Used("other", 1100, 1200)]) == [
        "Words   used  limit   left",
        "other  1,100  1,200    100",
        "one        5  1,200  1,195",
    ]


def test_a_broken_rule_ends_in_an_error(monkeypatch, capsys):
    monkeypatch.setitem(units.WORDS, UNIT, 1999)
    assert style.main() == 1
    *_, found, last = capsys.readouterr().out.splitlines()
    assert found.startswith(f"solutions/{UNIT}.py:1: 2,")
    assert "the limit is 1,999" in found
    assert last.startswith("1 to mend.")
