"""Time a first check without an installation: from the click on *Run this unit* in the book to full points.

`python -m tools.benchmark_first_check` wants a built site (`make site`), Chromium, openssl and Playwright. This machine
plays the CDN, so downloads take no time. On a machine with other work to do, believe the processor time, of all of
Chromium's processes together.
"""

import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import psutil
from playwright.sync_api import sync_playwright

from tools.browser.lab import CHROMIUM, FLAGS
from tools.browser.learner import run_cell
from tools.browser.loopback import internet, site_server
from tools.browser.pyodide_parts import distribution
from tools.course import ROOT, notebook
from tools.site.lab.build import CDN, PYODIDE

UNIT, EXERCISE = "02_scaled_dot_product_attention", "Exercise 2.1: softmax"
CACHE = ROOT / ".pytest_cache" / "d" / "pyodide"  # where the tests keep it
PLACE = f"{CDN.removeprefix('https://')}/pyodide/v{PYODIDE}/full/"
REPEATS = 3
MILLISECONDS = 600_000


def measure(site, cdn):
    """Yield a name, the seconds and the processor seconds of every stage, all counted from the click.

    Parameters
    ----------
    site, cdn : Path
        The built site, and Pyodide's distribution.
    """
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        world = stack.enter_context(internet({PLACE: cdn}, scratch))
        address = stack.enter_context(site_server(site))
        everybody = f"--host-resolver-rules=MAP * 127.0.0.1:{world.server_port}, EXCLUDE 127.0.0.1"
        chromium = stack.enter_context(sync_playwright()).chromium
        browser = chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, "--ignore-certificate-errors", everybody])
        stack.callback(browser.close)
        page = browser.new_page(viewport={"width": 1300, "height": 900})
        page.set_default_timeout(MILLISECONDS)
        page.goto(f"{address}{UNIT}.html", wait_until="networkidle")
        clicked, used = time.perf_counter(), _processor_seconds()
        for stage in _stages(page):
            yield stage, time.perf_counter() - clicked, _processor_seconds() - used


def _stages(page):
    """Do what a visitor does, and yield the name of each stage when it is over."""
    page.get_by_role("link", name="Run this unit").click()
    page.get_by_text("Python is starting.").wait_for()
    yield "a message"
    page.locator(".jp-NotebookPanel").wait_for()
    yield "the notebook"
    page.wait_for_function("document.documentElement.dataset.python == 'ready'")
    yield "Python is ready"
    run_cell(page, "import numpy as np").get_by_text("[1]:").wait_for()
    yield "the imports"
    page.locator(".jp-TableOfContents-content").get_by_text(EXERCISE).click()
    run_cell(page, "def softmax(", next(cell.source for cell in notebook(UNIT).cells if cell.id == "softmax"))
    run_cell(page, "check(softmax)").get_by_text("softmax: 4 of 4 points").wait_for()
    yield "the first check"


def _processor_seconds():
    """Return what Chromium has used so far."""
    processes = [each for each in psutil.Process().children(recursive=True) if "chrom" in each.name()]
    return sum(each.cpu_times().user + each.cpu_times().system for each in processes)


def main():
    """Print a table for every visit."""
    CACHE.mkdir(parents=True, exist_ok=True)
    cdn = distribution(CACHE)
    print(f"{'seconds since the click':24} {'on the clock':>12} {'of processor':>12}")
    for _ in range(REPEATS):
        for stage, passed, used in measure(ROOT / "site", cdn):
            print(f"{stage:24} {passed:12.1f} {used:12.1f}")
        print()


if __name__ == "__main__":
    main()
