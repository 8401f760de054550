"""A fresh copy of the course, served by `course lab`, and a Chromium that looks at it."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

from tools.course import ROOT

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
# Without a sandbox of its own, since it may run as root in a container, and without its calls to the network.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]
SECONDS = 60  # until a server answers


def fresh_course(folder):
    """Make a folder a course as it was released: the learner's notebooks, and what marks it as a course."""
    shutil.rmtree(folder / "notebooks", ignore_errors=True)
    unwanted = shutil.ignore_patterns("my_transformer", ".ipynb_checkpoints")
    shutil.copytree(ROOT / "notebooks", folder / "notebooks", ignore=unwanted)
    (folder / "solutions").mkdir(exist_ok=True)
    shutil.copy(ROOT / "solutions" / "start.py", folder / "solutions")


def end_kernels(address):
    """End all kernels of a server, and forget its sessions."""
    with urllib.request.urlopen(f"{address}api/sessions") as answer:
        sessions = json.load(answer)
    for session in sessions:
        request = urllib.request.Request(f"{address}api/sessions/{session['id']}", method="DELETE")
        urllib.request.urlopen(request).close()


@contextlib.contextmanager
def course_lab(folder):
    """Run `course lab` in a folder, with settings of its own, and yield the address of the start page."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "autograder.cli", "lab", "--no-browser", "--allow-root", f"--port={port}"]
    command += ["--ServerApp.port_retries=0", "--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True"]
    own = {f"JUPYTER_{name}_DIR": str(folder / ".jupyter" / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    environment = {name: value for name, value in os.environ.items() if name != "MY_TRANSFORMER"} | own
    log = folder / "jupyter.log"
    with log.open("w") as file:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=file, stderr=file)
    address = f"http://127.0.0.1:{port}/"
    try:
        wait_until_up(address, server, log)
        yield address
    finally:
        stop(server)


def stop(server):
    """End a server, by force where it does not listen, as one whose kernel is just starting."""
    server.terminate()
    try:
        server.wait(timeout=10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def wait_until_up(address, server, log):
    """Wait until a server answers; say what it printed when it does not."""
    for _ in range(4 * SECONDS):
        with contextlib.suppress(OSError):
            return urllib.request.urlopen(address).close()
        if server.poll() is not None:
            break
        time.sleep(0.25)
    raise TimeoutError(f"JupyterLab did not answer at {address}:\n{log.read_text()}")


@contextlib.contextmanager
def chromium():
    """Start a headless Chromium and yield it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
