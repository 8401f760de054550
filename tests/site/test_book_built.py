"""The book as `make site` builds it: nothing in it is a secret, and every link leads somewhere."""

import re
from html.parser import HTMLParser
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

import pytest

from autograder.registry import units
from tests.support import needs
from tests.support.built_site import ADDRESS, REPOSITORY, built_site
from tests.support.secrets import secrets, words, words_of_page
from tools.course import notebook

pytestmark = pytest.mark.exhaustive


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return built_site(tmp_path_factory)


@pytest.fixture(scope="module")
def pages(site):
    """The text of every page of the book by its place."""
    found = [path for path in site.rglob("*.html") if not path.is_relative_to(site / "lab")]
    texts = {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in found}
    return {place: text for place, text in texts.items() if not place.startswith("_static/")}


class Links(HTMLParser):
    """Collects the addresses and the ids of a page."""

    def __init__(self, text):
        super().__init__()
        self.addresses, self.ids = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and (tag, ("rel", "canonical")) not in [(tag, pair) for pair in attributes]:
                self.addresses.append(value)
            elif name == "id":
                self.ids.append(value)


def leaks(text, told=None):
    """Return what of the secrets stands in a page."""
    page = words_of_page(text)
    return [what for secret, what in (told or secrets()).items() if secret in page]


def test_every_unit_is_a_page_with_its_pictures(pages):
    for unit in units():
        page = pages[f"{unit.id}.html"]
        assert f'href="lab/?path={unit.id}/{unit.id}.ipynb"' in page
        assert page.count('class="run-button"') == 1
        assert "data:image/svg" in page or unit.id == "12_models_you_know"
        for exercise in unit.exercises:
            assert words(f"def {exercise.name}(") in words_of_page(page)


def test_no_page_holds_a_solution_or_an_answer(pages):
    told = secrets()
    assert len(told) > 400
    assert {place: found for place, text in pages.items() if (found := leaks(text, told))} == {}


def test_a_planted_solution_is_found():
    softmax = next(cell.source for cell in notebook(units()[2].id).cells if cell.id == "softmax")
    line = next(line for line in softmax.splitlines() if "exponentials = " in line)
    assert leaks(f"<pre><span>{line.split('#')[0]}</span></pre>") == ["02_scaled_dot_product_attention: a solution"]


def test_neither_notebooks_nor_sources_lie_beside_the_pages(site):
    outside = [p.relative_to(site) for p in site.rglob("*") if p.is_file() and not p.is_relative_to(site / "lab")]
    assert {path.suffix for path in outside} & {".ipynb", ".py", ".rst", ".pickle", ".doctree"} == set()


def test_nothing_is_left_beside_the_site(site):
    """Sphinx's extension for notebooks keeps a copy of each in a folder beside the pages."""
    assert list(site.parent.glob("jupyter*")) == []


def test_every_link_inside_the_site_leads_somewhere(pages, site):
    assert broken_links(pages, lambda place: (site / place).exists()) == set()


def test_a_broken_link_is_found():
    links = '<a href="b.html#there"></a><a href="docs/c.html"></a><img src="d.png"><a href="https://example.org/e">'
    page, other = f"{links}<a href='#here'></a>", '<p id="there"></p>'
    found = broken_links({"a.html": page, "b.html": other}, lambda place: place == "d.png")
    assert found == {("a.html", "docs/c.html"), ("a.html", "#here")}


def broken_links(pages, exists):
    """Return the addresses that lead nowhere, each with the place of its page."""
    ids = {place: set(Links(text).ids) for place, text in pages.items()}
    broken = set()
    for place, text in pages.items():
        for address in Links(text).addresses:
            parts = urlsplit(address)
            if parts.scheme or address.startswith("//"):
                continue
            target = _joined(PurePosixPath(place), unquote(parts.path))
            if target in ids:
                if parts.fragment and unquote(parts.fragment) not in ids[target]:
                    broken.add((place, address))
            elif not exists(target):
                broken.add((place, address))
    return broken


def _joined(place, path):
    parts = list(place.parent.parts) if path else list(place.parts)
    for part in PurePosixPath(path).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def test_every_page_is_valid_html(pages):
    html5lib = pytest.importorskip("html5lib", reason=needs.BROWSER)
    for place, text in pages.items():
        parser = html5lib.HTMLParser()
        parser.parse(text)
        ids = Links(text).ids
        assert (place, parser.errors) == (place, [])
        assert (place, [id for id in set(ids) if ids.count(id) > 1]) == (place, [])
        assert (place, re.findall(r"<html[^>]* lang=\"en\"", text)) != (place, [])


def test_invalid_html_would_be_found():
    parser = pytest.importorskip("html5lib", reason=needs.BROWSER).HTMLParser()
    parser.parse("<!doctype html><html><p><div></p></b>")
    assert len(parser.errors) > 1


def test_nothing_is_loaded_from_elsewhere(pages, site):
    loading = re.compile(
        r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"https?:|<link\b[^>]*rel=\"(?!canonical)[^>]*https?:"
    )
    assert {place: found for place, text in pages.items() if (found := loading.findall(text))} == {}
    for style in (site / "_static").rglob("*.css"):
        assert not re.search(r"url\(['\"]?https?:", style.read_text(encoding="utf-8"))


def test_next_leads_through_all_units(pages):
    place, read = "START_HERE.html", []
    while following := re.search(r'<a class="right-next"\s+href="([^"/]*)"', pages[place]):
        read.append(place := following[1])
        before = re.search(r'<a class="left-prev"\s+href="([^"]*)"', pages[place])
        assert before[1] == (["START_HERE.html", *read])[-2]
    assert read == [f"{unit.id}.html" for unit in units()]


def test_terms_link_to_the_glossary_once(pages):
    for unit in units():
        led = re.findall(r'<a class="term[^"]*" href="([^"]*)"', pages[f"{unit.id}.html"])
        assert led, unit.id
        assert len(led) == len(set(led)), unit.id
        assert {address.split("#")[0] for address in led} == {"docs/glossary.html"}


def test_the_map_names_every_page(pages, site):
    listed = set(re.findall(f"<loc>{re.escape(ADDRESS)}(.*?)</loc>", (site / "sitemap.xml").read_text()))
    assert listed - {""} == set(pages) - {"genindex.html", "search.html", "index.html"}


def test_every_page_says_what_it_is(pages):
    without = {"genindex.html", "search.html"}
    for place, text in pages.items():
        if place not in without:
            (description,) = re.findall(r'<meta name="description" content="([^"]*)">', text)
            assert 30 <= len(description) <= 210, place
            assert f'content="{ADDRESS}{"" if place == "index.html" else place}"' in text, place


def test_the_links_to_other_services_name_the_repository(pages):
    page = pages["02_scaled_dot_product_attention.html"]
    assert all(f"{host}/{REPOSITORY}" in page for host in ("gh", "codespaces.new", "research.google.com/github"))
