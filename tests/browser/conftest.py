"""What the browser tests share: Chromium, a `course lab` with a fresh course for each test, and pages for pictures."""

import shutil

import pytest

from tests.support import needs
from tests.support.pictures import THEMES
from tools.browser.lab import CHROMIUM, chromium, course_lab, end_kernels, fresh_course

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Pictures</title>
<body style="{}"><main><h1>Pictures</h1>{}</main>"""


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium. Not for the session: while Playwright runs, no other test could run an event loop."""
    pytest.importorskip("playwright.sync_api", reason=needs.BROWSER)
    if CHROMIUM is None:
        pytest.skip(needs.BROWSER)
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The folder of a course, the address under which `course lab` serves it, and its first settings."""
    folder = tmp_path_factory.mktemp("course")
    fresh_course(folder)
    with course_lab(folder) as address:
        settings, first = folder / ".jupyter" / "CONFIG", folder / "first"
        shutil.copytree(settings, first)
        yield folder, address, settings, first


@pytest.fixture
def learner(browser, served):
    """A learner who has just run `course lab` in a fresh copy of the course."""
    from tools.browser.learner import Learner

    folder, address, settings, first = served
    fresh_course(folder)
    shutil.rmtree(settings)
    shutil.copytree(first, settings)
    context = browser.new_context(viewport={"width": 1300, "height": 900})
    yield Learner(context.new_page(), folder, address)
    context.close()
    end_kernels(address)


@pytest.fixture
def shown(browser):
    """Return a function that shows a picture, and takes the options of a page."""
    contexts = []

    def show(picture, theme="light", **options):
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.set_content(PAGE.format(f"margin:8px;font:14px sans-serif;{THEMES[theme]}", picture.html))
        return page

    yield show
    for context in contexts:
        context.close()
