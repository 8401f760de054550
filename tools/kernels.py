"""How to reach a kernel on this machine, so that no other program can come between."""

import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def connection():
    """Yield the settings of a `KernelManager`: sockets that are files, where there are such.

    A port that was free when it was chosen may be taken before the kernel binds it, by another kernel or a browser.
    """
    if sys.platform == "win32":
        yield {}
        return
    with tempfile.TemporaryDirectory() as folder:
        yield {"transport": "ipc", "ip": str(Path(folder, "kernel"))}
