"""Make the README's pictures from real pages: `make pictures` (needs Chromium; see maintainers.md)."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import nbformat
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
UNIT = "02_scaled_dot_product_attention"
WRONG = '''def attention_scores(Q, K):
    """Return the scaled dot product of every query with every key."""
    d_model = 512
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_model)'''


def prepare(folder):
    """Write the cells that the picture needs into a folder: imports, a wrong function, its check."""
    notebook = nbformat.read(ROOT / "notebooks" / UNIT / f"{UNIT}.ipynb", as_version=4)
    cells = {cell.id: cell for cell in notebook.cells}
    cells["attention_scores"].source = WRONG
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    notebook.cells = [first, cells["attention_scores"], cells["check-attention_scores"]]
    nbformat.write(notebook, folder / f"{UNIT}.ipynb")


@contextlib.contextmanager
def jupyter_lab(folder):
    """Serve a folder on a free port and yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}"]
    command += ["--IdentityProvider.token=", f"--ServerApp.root_dir={folder}", "--LabApp.news_url="]
    settings = os.environ | {"JUPYTERLAB_SETTINGS_DIR": str(folder / "settings")}  # the light theme, whoever runs this
    server = subprocess.Popen(command, env=settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/lab"
    try:
        wait_until_up(address)
        yield address
    finally:
        server.terminate()
        server.wait()


def wait_until_up(address, seconds=60):
    """Wait until a server answers."""
    for _ in range(4 * seconds):
        with contextlib.suppress(OSError):
            return urllib.request.urlopen(address)
        time.sleep(0.25)
    raise TimeoutError(f"JupyterLab did not answer at {address} within {seconds} seconds")


def picture_of_named_mistake(page, address):
    """Run the cells and photograph the function with its report."""
    page.goto(f"{address}/tree/{UNIT}.ipynb")
    page.get_by_text("def attention_scores").first.wait_for(timeout=60_000)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    page.get_by_text("Likely cause:").wait_for(timeout=60_000)
    boxes = [page.locator(".jp-CodeCell").nth(number).bounding_box() for number in (1, 2)]
    left, top = boxes[0]["x"], boxes[0]["y"]
    height = boxes[1]["y"] + boxes[1]["height"] - top
    clip = {"x": left, "y": top, "width": boxes[0]["width"], "height": height}
    page.screenshot(path=PICTURES / "named-mistake.png", clip=clip)


def main():
    """Make every picture."""
    if CHROMIUM is None:
        raise SystemExit("Chromium is needed: install it (on Debian: apt-get install chromium) and try again.")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        prepare(Path(folder))
        with jupyter_lab(Path(folder)) as address:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1200, "height": 1000}, device_scale_factor=1.5)
            picture_of_named_mistake(page, address)
            browser.close()


if __name__ == "__main__":
    main()
