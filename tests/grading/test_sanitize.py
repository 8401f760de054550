"""What a learner hands in is shown in the instructor's browser, and does nothing there."""

import pytest
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output, new_raw_cell
from nbgrader.server_extensions.formgrader import handlers
from traitlets.config import Config

from autograder.grading.autograded import graded
from autograder.nbgrader_config import configure
from autograder.registry import find_unit
from tests.support.classroom import judged, mistaken, submission
from tools.course import fill, notebook, tags

UNIT = find_unit("05_cross_attention")
SCRIPT = "<script>pwned()</script>"
MARKDOWN = [
    SCRIPT,
    "<img src=x onerror=pwned()>",
    "text <b onmouseover='pwned()'>bold</b>",
    "<details ontoggle=pwned() open>",
    "<details>\n<script>pwned()</script>\n</details>",
    "<!-- --><svg/onload=pwned()>",
    "[a](javascript:pwned()) and [b](data:text/html;base64,pwned)",
    "<javascript:pwned()>",
    "[b]: javascript:pwned()\n\n[b]",
    "# heading <script>pwned()</script>",
    f"```mermaid\n</pre>{SCRIPT}\n```",
    f"```html onload=pwned()\n{SCRIPT}\n```",
    r"$\href{javascript:pwned()}{x}$",
    f"$$a {SCRIPT}$$",
    "&lt;script&gt;pwned()&lt;/script&gt;",
    "![x](attachment:pwned.png)",
    "![x](data:text/html;base64,pwned)",
    "[x](java&#x73;cript:pwned()) [y](java\tscript:pwned()) [z](JaVaScRiPt:pwned()) [w](&#1;javascript:pwned())",
    "[" * 3000 + "](" * 3000,
    "> " * 500 + "pwned",
    f"a | b\n--|--\n{SCRIPT} | c",
]
OUTPUTS = [
    new_output("display_data", data={"text/html": SCRIPT, "text/plain": SCRIPT}),
    new_output("display_data", data={"application/javascript": "pwned()"}),
    new_output("display_data", data={"text/javascript": "pwned()"}),
    new_output("display_data", data={"text/markdown": SCRIPT}),
    new_output("display_data", data={"text/latex": r"$\href{javascript:pwned()}{x}$"}),
    new_output("display_data", data={"image/svg+xml": f"<svg>{SCRIPT}</svg>"}),
    new_output("display_data", data={"image/png": f'">{SCRIPT}'}),
    new_output("display_data", data={"image/png": "aaaa"}, metadata={"image/png": {"width": f'1">{SCRIPT}'}}),
    new_output("display_data", data={"text/html": SCRIPT}, metadata={"text/html": {"isolated": True}}),
    new_output("display_data", data={"application/vnd.jupyter.widget-view+json": {"model_id": f"{SCRIPT}"}}),
    new_output("stream", text=f"\x1b[31m{SCRIPT}"),
    new_output("error", ename=SCRIPT, evalue=SCRIPT, traceback=[SCRIPT]),
]


@pytest.fixture(scope="module")
def exporter(tmp_path_factory):
    """What formgrader shows a submission with."""
    config = Config()
    configure(config, tmp_path_factory.mktemp("course"))
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    return HTMLExporter(config=config)


@pytest.fixture(scope="module")
def page(exporter):
    """Return a function that gives the page of a notebook."""

    def page(book):
        html, _ = exporter.from_notebook_node(book, resources={"base_url": "", "index": 0, "total": 1})
        return BeautifulSoup(html, "html.parser")

    return page


def book_with(*cells):
    book = notebook(UNIT.id, "notebooks")
    book.cells += cells
    return book


def active(page):
    """Return what would act in a browser: marked scripts, handlers and links."""
    scripts = [tag for tag in page.find_all("script") if "pwned" in str(tag)]
    handlers = [
        tag for tag in page.find_all(True) if any("pwned" in str(v) for k, v in tag.attrs.items() if k[:2] == "on")
    ]
    links = [str(tag.get(link, "")) for tag in page.find_all(True) for link in ("href", "src")]
    linked = [link for link in links if "pwned" in link and not link.startswith(("#", "data:image/"))]
    return scripts + handlers + linked


@pytest.mark.exhaustive
@pytest.mark.parametrize("text", MARKDOWN)
@pytest.mark.parametrize("new_cell", [new_markdown_cell, new_raw_cell])
def test_what_is_written_in_text_cells_does_nothing(page, text, new_cell):
    shown = page(book_with(new_cell(text)))
    assert active(shown) == []
    assert r"\href" not in str(shown)


@pytest.mark.exhaustive
@pytest.mark.parametrize("output", OUTPUTS, ids=lambda output: "-".join([output.output_type, *output.get("data", {})]))
def test_outputs_do_nothing(page, output):
    assert active(page(book_with(new_code_cell("x", outputs=[output])))) == []


def test_source_and_outputs_of_a_cell_do_nothing(page):
    code = new_code_cell(f'def f():\n    """{SCRIPT}"""', metadata={"tags": [f'">{SCRIPT}']})
    text = new_markdown_cell("![x](attachment:y)", metadata={"tags": [SCRIPT]})
    text.attachments = {"y": {f'">{SCRIPT}': f'">{SCRIPT}'}}
    assert active(page(book_with(code, text))) == []


def test_the_courses_text_and_pictures_are_shown(page):
    picture = new_output("display_data", data={"image/png": "iVBORw0KGgo=", "text/plain": "a figure"})
    shown = page(book_with(new_code_cell("plot()", outputs=[picture])))
    assert "data:image/png;base64,iVBORw0KGgo=" in {tag["src"] for tag in shown.find_all("img")}
    assert len(shown.find_all("details")) == sum(c.source.count("<details") for c in notebook(UNIT.id).cells)


def test_reports_keep_colours_and_escape_learners_words(page):
    made = submission(UNIT, "ada", fill(UNIT, mistaken(UNIT)))
    raising = f"def {UNIT.exercises[0].name}(*args, **kwargs):\n    raise ValueError('{SCRIPT}')"
    cell = next(c for c in made.notebook.cells if tags(c).get("grade_id") == UNIT.exercises[0].name)
    cell.source = raising
    shown = page(graded(made, judged(made, UNIT)))
    assert active(shown) == []
    assert SCRIPT in shown.get_text()
    assert shown.find_all("span", string="FAIL", style=True)


def test_feedback_pages_are_made_with_the_same_step(exporter):
    assert [type(step).__name__ for step in exporter._preprocessors].count("Sanitize") == 1
