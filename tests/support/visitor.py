"""Somebody who visits the built site in Chromium: this machine plays the CDN, and nobody else answers."""

import shutil
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace

import pytest

from tests.support import needs
from tests.support.built_site import built_site
from tools.browser.lab import CHROMIUM, FLAGS
from tools.browser.loopback import internet, site_server
from tools.browser.pyodide_parts import distribution
from tools.site.lab.build import CDN, PYODIDE

HOST = CDN.removeprefix("https://")
CHROMIUMS_OWN = ("google.com", "googleapis.com", "gstatic.com", "gvt1.com")  # asked whatever the page


@contextmanager
def visited(pytestconfig, tmp_path_factory):
    """Build and serve the site, and start a browser.

    Yields
    ------
    visitor
        With `browser`, `site` (the folder), `address`, and `asked`: host and path of what the world was asked for.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason=needs.BROWSER)
    if CHROMIUM is None:
        pytest.skip(needs.BROWSER)
    if not shutil.which("openssl"):
        pytest.skip(needs.OPENSSL)
    with needs.pyodide():
        cdn = {f"{HOST}/pyodide/v{PYODIDE}/full/": distribution(pytestconfig.cache.mkdir("pyodide"))}
    site = built_site(tmp_path_factory)
    with ExitStack() as stack:
        world = stack.enter_context(internet(cdn, tmp_path_factory.mktemp("internet")))
        address = stack.enter_context(site_server(site))
        everybody = f"--host-resolver-rules=MAP * 127.0.0.1:{world.server_port}, EXCLUDE 127.0.0.1"
        chromium = stack.enter_context(playwright.sync_playwright()).chromium
        browser = chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, "--ignore-certificate-errors", everybody])
        stack.callback(browser.close)
        yield SimpleNamespace(browser=browser, site=site, address=address, asked=world.asked)
