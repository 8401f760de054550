"""The pages of the book: what is taken from which notebook, and where links lead."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools.course import ROOT
from tools.site.book.documents import as_page
from tools.site.book.pages import LOOK, Page
from tools.site.described import site_map, tags
from tools.site.folder import make_room


def cell(id, source, outputs=(), **tags):
    made = new_code_cell(source, id=id, outputs=list(outputs))
    made.metadata = {"nbgrader": tags} if tags else {}
    return made


def said(text):
    return new_output("stream", name="stdout", text=text)


def drawn(page):
    return new_output("display_data", {"text/html": page, "text/plain": "Picture"})


def shown(*cells, solved=()):
    """Return the cells of a page, from its title on, without the drawing that follows the title."""
    learners = new_notebook(cells=[new_markdown_cell("# 07 A unit\n\nIts text."), *cells])
    page = Page("07_unit", "07_unit/07_unit.ipynb", {"Binder": "https://example.org/?a=1&b=2"})
    title, drawing, text, *others = page.of(learners, new_notebook(cells=list(solved))).cells
    assert "unit 07 is about" in drawing.outputs[0].data["text/html"]
    assert (drawing.source, drawing.metadata["tags"]) == ("", ["remove-input"])
    assert text.source.strip() == "Its text."
    return [title, *others]


def test_a_link_to_the_notebook_follows_the_title():
    (title,) = shown()
    assert title.source.startswith("# 07 A unit\n\n<div")
    assert 'href="lab/?path=07_unit/07_unit.ipynb"' in title.source
    assert 'href="https://example.org/?a=1&amp;b=2">Binder' in title.source


def test_an_exercise_is_a_stub_with_an_invitation():
    stub = cell("softmax", "def softmax(x):\n    raise", grade_id="softmax", solution=True)
    check = cell("check-softmax", "check(softmax)", grade_id="check-softmax", grade=True, points=1)
    secret = cell("softmax", "def softmax(x):\n    return 7", [said("Kept.")], grade_id="softmax", solution=True)
    graded = cell("check-softmax", "check(softmax)", [said("1.0")], grade_id="check-softmax", grade=True, points=1)
    _, exercise, invitation = shown(stub, check, solved=[secret, graded])
    assert (exercise.source, exercise.outputs, exercise.metadata["tags"]) == (stub.source, [], [])
    assert invitation.cell_type == "markdown"
    assert "1 point:" in invitation.source
    assert "Write <code>softmax</code>" in invitation.source


def test_outputs_are_matched_by_cell_ids():
    plain, picture, prepared = cell("b", "print(5)"), cell("a", "draw()"), cell("c", "import numpy")
    run = [cell("a", "draw()", [drawn("<b>x</b>")]), cell("b", "print(5)", [said("5\n")]), cell("c", "import numpy")]
    _, first, second, third = shown(plain, picture, prepared, solved=run)
    assert (first.outputs[0].text, first.metadata["tags"]) == ("5\n", [])
    assert (second.outputs[0].data, second.metadata["tags"]) == ({"text/html": "<b>x</b>"}, ["hide-input"])
    assert (third.outputs, third.metadata["tags"]) == ([], ["hide-input"])


def test_answers_are_folded_up_to_the_next_heading():
    question = cell("answer-which", "answer = None", grade_id="answer-which", solution=True)
    run = [question, *(cell(id, "print()", [said(id)]) for id in "ab")]
    more, heading = new_markdown_cell("And *so*."), new_markdown_cell("Now.\n\n## Next")
    _, asked, a, _, _, b = shown(question, cell("a", "print()"), more, heading, cell("b", "print()"), solved=run)
    assert "answer = " not in asked.source
    assert a.metadata["tags"] == ["hide-output"]
    assert a.metadata["mystnb"]["code_prompt_show"] == LOOK
    assert b.metadata["tags"] == []


def test_an_answering_picture_is_one_fold():
    question = cell("answer-which", "answer = None", grade_id="answer-which", solution=True)
    run = [question, cell("a", "draw()", [drawn("<b>x</b>")])]
    *_, picture = shown(question, cell("a", "draw()"), solved=run)
    assert picture.metadata == {"tags": ["hide-cell"], "mystnb": {"code_prompt_show": LOOK}}


def test_output_on_a_learners_work_is_left_out():
    load = cell("a", 'from autograder import load\nload("softmax")')
    run = [cell("a", load.source, [said("Yours: none.")]), cell("b", 'progress("02")', [drawn("<table>")])]
    _, imports = shown(load, cell("b", 'progress("02")'), solved=run)
    assert imports.outputs == []


def test_links_between_notebooks_lead_to_pages():
    _, text = shown(new_markdown_cell("[a](../03_masking/03_masking.ipynb) [b](03_x/03_x.ipynb#here) [c](#d)"))
    assert text.source == "[a](03_masking.ipynb) [b](03_x.ipynb#here) [c](#d)"


@pytest.mark.parametrize(
    ("link", "repository", "expected"),
    [
        ("[x](proof.md#a)", "", "[x](../docs/proof.md#a)"),
        ("[x](../README.md#units)", "o/r", "[x](../contents.md)"),
        ("[x](../notebooks/START_HERE.ipynb)", "", "[x](../START_HERE.md)"),
        ("[x](../LICENSE)", "o/r", "[x](https://github.com/o/r/blob/main/LICENSE)"),
        ("[x](../LICENSE)", "", "x"),
        ("[x](#here) ![x](pictures/a.png) <https://OWNER/REPO>", "", None),
        ("[x](https://github.com/OWNER/REPO)", "o/r", "[x](https://github.com/o/r)"),
    ],
)
def test_links_lead_to_pages_or_the_repository(link, repository, expected):
    assert as_page(link, "docs/learners.md", repository) == (expected or link)


def test_a_page_says_what_it_is_and_where():
    text = tags("A & B", "It is “so”.", "https://example.org/a.html", "https://example.org/p.png")
    assert '<meta name="description" content="It is “so”.">' in text
    assert '<meta property="og:title" content="A &amp; B">' in text
    assert '<meta property="og:image" content="https://example.org/p.png">' in text
    assert "og:url" not in tags("A", "B", "", "p.png")
    assert "<loc>https://example.org/a.html</loc>" in site_map("https://example.org/", ["a.html"])


def test_another_folder_is_not_overwritten(tmp_path):
    (tmp_path / "letter.txt").write_text("Dear reader")
    with pytest.raises(FileExistsError, match="holds something else than a site"):
        make_room(tmp_path)
    assert (tmp_path / "letter.txt").exists()


def test_the_terms_of_the_glossary_are_explained_once():
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    terms = [line.removeprefix("### ") for line in text.splitlines() if line.startswith("### ")]
    assert len(terms) == len(set(terms)) > 30
