"""What the browser tests share: one Chromium, and for each test a learner with a fresh copy of the course."""

import pytest

from tests.browser.lab import CHROMIUM, chromium, course_lab, fresh_course


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium."""
    pytest.importorskip("playwright", reason="needs Playwright for Python: `make browser` installs it")
    if CHROMIUM is None:
        pytest.skip("needs Chromium: on Debian and Ubuntu, apt-get install chromium")
    with chromium() as browser:
        yield browser


@pytest.fixture
def course(tmp_path):
    """A fresh copy of the course."""
    return fresh_course(tmp_path)


@pytest.fixture
def learner(browser, course):
    """A learner for whom `course lab` runs."""
    from tests.browser.learner import Learner

    with course_lab(course) as address:
        context = browser.new_context(viewport={"width": 1300, "height": 900})
        yield Learner(context.new_page(), course, address)
        context.close()
