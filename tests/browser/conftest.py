"""What the browser tests share: one Chromium and one `course lab`; each test has a course as it was released."""

import shutil

import pytest

from tests.browser.lab import CHROMIUM, chromium, course_lab, end_kernels, fresh_course


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium. Not for the session: while Playwright runs, no other test could run an event loop."""
    if CHROMIUM is None:
        pytest.skip("needs Chromium: on Debian and Ubuntu, apt-get install chromium")
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
    from tests.browser.learner import Learner

    folder, address, settings, first = served
    fresh_course(folder)
    shutil.rmtree(settings)
    shutil.copytree(first, settings)
    context = browser.new_context(viewport={"width": 1300, "height": 900})
    yield Learner(context.new_page(), folder, address)
    context.close()
    end_kernels(address)
