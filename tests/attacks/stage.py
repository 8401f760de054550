"""The stage of the attacks: what they may address, and which parts of it they have touched.

A synthetic course folder with a gradebook, a secret, other submissions and a home; sockets that listen; a process that
stands by. Everything lies in one temporary folder and belongs to the tests.
"""

import contextlib
import hashlib
import os
import secrets
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from tools.course import ROOT

MACHINE_FILES = ("/etc/passwd", "/etc/shadow", "/etc/group", "/etc/hostname", "/etc/machine-id", "/proc/cmdline")


class Stage:
    """Canaries, doors and a bystander; a context manager.

    Attributes
    ----------
    places : dict
        Plain values for the attacks: paths, ports and marks.
    token : str
        Stands in every file that nobody may read, and at the beginning of every breach that an attack notes.
    """

    def __init__(self):
        self.token = f"token-{secrets.token_hex(8)}"
        self.mark = f"mark-{secrets.token_hex(4)}"
        self.heard = []
        self.closing = contextlib.ExitStack()

    def __enter__(self):
        temporary = Path(self.closing.enter_context(tempfile.TemporaryDirectory(prefix="stage-")))
        temporary.chmod(0o755)
        self.root = temporary / "stage"
        files = {
            "secret": self.root / "classroom" / "secret",
            "other": self.root / "classroom" / "submitted" / "other" / "unit" / "unit.ipynb",
            "canary": self.root / "outside" / "canary",
            "key": self.root / "home" / ".ssh" / "id",
        }
        for file in files.values():
            file.parent.mkdir(parents=True)
            file.write_text(self.token)
        gradebook = self.root / "classroom" / "gradebook.db"
        with contextlib.closing(sqlite3.connect(gradebook)) as database:
            database.execute("CREATE TABLE grade (student TEXT, manual_score REAL)")
            database.execute("INSERT INTO grade VALUES (?, 0)", (self.token,))
            database.commit()
        self._open_all()  # for others, too: only the sandbox keeps an attack away from it
        port = self._listen()
        waiting = [sys.executable, "-c", "import sys; sys.stdin.read()", self.token]  # for as long as the tests take
        self.bystander = subprocess.Popen(waiting, stdin=subprocess.PIPE)
        self.closing.callback(self._end)
        self.places = {
            "token": self.token[::-1],  # so that no source holds it
            "mark": self.mark,
            "course": str(ROOT),
            "gradebook": str(gradebook),
            "secret": str(files["secret"]),
            "other": str(files["other"]),
            "home": str(self.root / "home"),
            "outside": str(self.root / "outside"),
            "temporary": tempfile.gettempdir(),
            "unix": str(self.root / "door"),
            "abstract": self.mark,
            "port": port,
            "bystander": self.bystander.pid,
            "key": int(self.mark[-6:], 16) + 1,
            "hashes": sorted(filter(None, map(_hash, MACHINE_FILES))),
        }
        self.forget()
        return self

    def __exit__(self, *_):
        self.closing.close()

    def _open_all(self):
        for folder, _, names in os.walk(self.root):
            os.chmod(folder, 0o777)
            for name in names:
                os.chmod(Path(folder) / name, 0o666)

    def _end(self):
        self.bystander.kill()
        self.bystander.communicate()

    def _listen(self):
        """Open doors on which nobody must knock; return the port."""
        door = socket.create_server(("127.0.0.1", 0))
        port = door.getsockname()[1]
        datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        datagrams.bind(("127.0.0.1", port))
        named, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        named.bind(str(self.root / "door"))
        os.chmod(self.root / "door", 0o777)
        abstract.bind(f"\0{self.mark}")
        for each in (named, abstract):
            each.listen()
        for each in (door, datagrams, named, abstract):
            self.closing.enter_context(each)
            threading.Thread(target=self._hear, args=(each,), daemon=True).start()
        return port

    def _hear(self, door):
        with contextlib.suppress(OSError):
            while True:
                if door.type == socket.SOCK_DGRAM:
                    self.heard.append(door.recv(100))
                else:
                    visitor, _ = door.accept()
                    visitor.close()
                    self.heard.append(door.family.name)

    def forget(self):
        """Take what there is now for untouched."""
        self.before = self.files()
        self.heard.clear()

    def files(self):
        """Return every path below the stage with its mode and a hash of its content."""
        found = {}
        for path in sorted(self.root.rglob("*")):
            content = _hash(path) if path.is_file() and not path.is_symlink() else ""
            found[path.relative_to(self.root).as_posix()] = (oct(path.lstat().st_mode), content)
        return found

    def touched(self):
        """Return what is not as it was, as sentences; empty when no attack had an effect."""
        after = self.files()
        other = sorted(path for path in {*self.before, *after} if self.before.get(path) != after.get(path))
        found = [f"{path} is not what it was" for path in other]
        found += [f"somebody knocked: {what}" for what in self.heard]
        if self.bystander.poll() is not None:
            found.append("the bystander is dead")
        found += [f"process {pid} is alive" for pid in marked_processes(self.mark)]
        return found


def marked_processes(mark):
    """Return the ids of the processes whose command line begins with a mark."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else ()):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:
            if file.read().startswith(mark.encode()):
                found.append(int(pid))
    return found


def _hash(path):
    """Return the SHA-256 of a file; None where there is none or it is empty."""
    with contextlib.suppress(OSError):
        content = Path(path).read_bytes()
        return hashlib.sha256(content).hexdigest() if content else None
    return None
