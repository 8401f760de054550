"""Landlock: the kernel lets a process give up files, TCP and signals, without being root.

Source: the kernel's documentation, userspace-api/landlock. Since Linux 5.13; later versions restrict more.
"""

import ctypes
import errno
import os
import stat
import struct
from collections.abc import Iterable

from autograder.judge.sandbox.confine.limits import NO_NEW_PRIVILEGES, check, libc, set_process

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same numbers on every architecture
GET_VERSION, BENEATH = 1, 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
REMOVE_DIR, REMOVE_FILE, MAKE_DIR, MAKE_REG, MAKE_SYM = 1 << 4, 1 << 5, 1 << 7, 1 << 8, 1 << 12
REFER, TRUNCATE = 1 << 13, 1 << 14
WRITE = WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SYM | REFER | TRUNCATE
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE  # the rights that a file can have, not only a folder
# By version of the interface: how many rights on files there are.
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
TCP, SIGNALS_AND_SOCKETS = 3, 3


def version() -> int:
    """Return the version of Landlock that the kernel has; 0 without one."""
    result = libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), GET_VERSION)
    if result < 0 and ctypes.get_errno() not in (errno.ENOSYS, errno.EOPNOTSUPP):
        check(result, "Landlock, version")
    return max(result, 0)


def restrict(listed: Iterable[str], read: Iterable[str], work: str) -> int:
    """Allow this process nothing but to read some paths and to write below one folder.

    Parameters
    ----------
    listed : iterable of str
        Folders whose entries' names may be read.
    read : iterable of str
        Files and folders that may be read, with all that is in them.
    work : path
        The folder that may be written to.

    Returns
    -------
    int
        The version of Landlock; 0 where the kernel has none, and nothing is restricted.
    """
    has = version()
    if not has:
        return 0
    files = (1 << RIGHTS[min(has, max(RIGHTS))]) - 1
    network = TCP if has >= 4 else 0
    scopes = SIGNALS_AND_SOCKETS if has >= 6 else 0
    handled = struct.pack("QQQ", files, network, scopes)
    size = 8 if has < 4 else 16 if has < 6 else 24
    rules = check(libc.syscall(CREATE_RULESET, handled, ctypes.c_size_t(size), 0), "Landlock, create ruleset")
    try:
        for path in listed:
            _allow(rules, path, READ_DIR)
        for path in read:
            _allow(rules, path, READ_FILE | READ_DIR | EXECUTE)
        _allow(rules, os.devnull, READ_FILE | WRITE_FILE | TRUNCATE & files)
        _allow(rules, work, (READ_FILE | READ_DIR | WRITE) & files)
        set_process(NO_NEW_PRIVILEGES, 1)
        check(libc.syscall(RESTRICT_SELF, rules, 0), "Landlock, restrict")
    finally:
        os.close(rules)
    return has


def _allow(rules, path, rights):
    """Add a rule for a path; one that does not exist needs none."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= OF_FILES
        check(
            libc.syscall(ADD_RULE, rules, BENEATH, struct.pack("=Qi", rights, descriptor), 0), f"Landlock, allow {path}"
        )
    finally:
        os.close(descriptor)
