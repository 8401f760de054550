"""The first thing that runs in the place of a worker: gives up privileges, then becomes the worker.

Backends hand the text of this file to Python with -c, because the file itself cannot be seen from inside:
`python -c TEXT SETTINGS COMMAND...`, the settings as JSON. It needs the standard library only.

    user      the user id to change to, or null
    connect   the path of a socket to fetch the worker's descriptors from, and their numbers: a container inherits none
    parent    the process that must be there, if it can be seen
"""

import ctypes
import fcntl
import json
import os
import signal
import socket
import sys

SET_DEATH_SIGNAL, DROP_BOUNDING, NO_NEW_PRIVILEGES = 1, 24, 38
CAPABILITIES_VERSION, HIGHEST_CAPABILITY = 0x20080522, 63


def main() -> None:
    """Do what the settings say, and run the command."""
    settings = json.loads(sys.argv[1])
    command = sys.argv[2:]
    if settings.get("connect"):
        fetch(*settings["connect"])
    if settings.get("user") is not None:
        drop(settings["user"])
    if 0 in os.getresuid():
        sys.exit("a worker must not run as root")
    libc = ctypes.CDLL(None)
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    libc.prctl(SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != settings.get("parent", os.getppid()):  # it died before the line above
        sys.exit("the judge is gone")
    try:
        os.execv(command[0], command)
    except PermissionError:
        sys.exit(
            f"{command[0]}: the Python of this environment lies in a folder that an unprivileged user cannot enter"
        )


def drop(user: int) -> None:
    """Change from root to a user without groups and capabilities."""
    libc = ctypes.CDLL(None)
    for capability in range(HIGHEST_CAPABILITY + 1):
        libc.prctl(DROP_BOUNDING, capability, 0, 0, 0)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    header = (ctypes.c_uint32 * 2)(CAPABILITIES_VERSION, 0)
    if libc.capset(header, (ctypes.c_uint32 * 6)()):
        sys.exit("the capabilities cannot be dropped")


def fetch(path: str, numbers: list[int]) -> None:
    """Take the worker's descriptors from a socket."""
    free = max(numbers) + 1
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        received = socket.recv_fds(connection, 1, len(numbers))[1]
        moved = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, free) for descriptor in received]
        for descriptor in received:
            os.close(descriptor)
    for descriptor, number in zip(moved, numbers, strict=True):  # now that these numbers are not in use
        os.dup2(descriptor, number)
        os.close(descriptor)


main()
