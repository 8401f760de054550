"""seccomp: a filter that takes system calls away from a process which no function of a learner needs.

It closes what Landlock leaves open: processes, programs, sockets, signals, and changes of a file's mode, owner and
times. Most calls then fail with EPERM, so that Python raises PermissionError; calls that no honest code makes end the
process. Source: the kernel's documentation, userspace-api/seccomp_filter, and its tables of system calls.
"""

import ctypes
import errno
import os
import struct

from autograder.judge.sandbox.confine.limits import NO_NEW_PRIVILEGES, check, libc, set_process

ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column of the tables, number of the kernel's
ABSENT = None
# Raise PermissionError: (x86_64, aarch64).
REFUSED = {
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201),
    "accept": (43, 202), "accept4": (288, 242),
    "fork": (57, ABSENT), "vfork": (58, ABSENT), "execve": (59, 221), "execveat": (322, 281),
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424),
    "chmod": (90, ABSENT), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, ABSENT), "fchown": (93, 55), "lchown": (94, ABSENT), "fchownat": (260, 54),
    "utime": (132, ABSENT), "utimes": (235, ABSENT), "futimesat": (261, ABSENT), "utimensat": (280, 88),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16), "removexattrat": (466, 466),
    "file_setattr": (469, 469), "truncate": (76, 45), "mknod": (133, ABSENT), "mknodat": (259, 33),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "shmat": (30, 196),
    "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180), "mq_unlink": (241, 181),
    "setpriority": (141, 140), "ioprio_set": (251, 30), "sched_setaffinity": (203, 122), "sched_setattr": (314, 274),
    "sched_setscheduler": (144, 119), "sched_setparam": (142, 118), "personality": (135, 92), "syslog": (103, 116),
}  # fmt: skip
# End the process.
DEADLY = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "pidfd_getfd": (438, 438),
    "migrate_pages": (256, 238), "move_pages": (279, 239),
    "unshare": (272, 97), "setns": (308, 268), "chroot": (161, 51), "pivot_root": (155, 41), "mount": (165, 40),
    "umount2": (166, 39), "open_tree": (428, 428), "open_tree_attr": (467, 467), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "open_by_handle_at": (304, 265), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225),
    "acct": (163, 89), "quotactl": (179, 60), "quotactl_fd": (443, 443),
    "modify_ldt": (154, ABSENT), "iopl": (172, ABSENT), "ioperm": (173, ABSENT),
}  # fmt: skip
MISSING = {"clone3": (435, 435), "openat2": (437, 437)}  # hide their arguments in memory; the C library has others
FIRST_UNKNOWN = 470  # calls that are younger than these tables do not exist, either

CLONE_FILES, CLONE_THREAD, EVERY_BIT = 0x400, 0x10000, 0xFFFFFFFF
EMPTY, ACCESS = 0o1000, 3  # O_TRUNC and O_ACCMODE, which is 0 for reading
OWN = 0o700  # the rights of an owner
OWN_PROCESS = object()
# Calls that depend on an argument: which one, the bits of it that matter, their values, and whether only these values
# are allowed (else refused).
CONDITIONS = (
    # Threads, no processes; and with the files of the process, in which what it holds open is counted.
    ("clone", (56, 220), 0, CLONE_THREAD | CLONE_FILES, (CLONE_THREAD | CLONE_FILES,), True),
    ("kill", (62, 129), 0, EVERY_BIT, (OWN_PROCESS,), True),
    ("tgkill", (234, 131), 0, EVERY_BIT, (OWN_PROCESS,), True),
    ("prlimit64", (302, 261), 0, EVERY_BIT, (0, OWN_PROCESS), True),
    ("prctl", (157, 167), 0, EVERY_BIT, (1, 4), False),  # to live on when the parent dies; to hide from the warm server
    ("mkdir", (83, ABSENT), 1, OWN, (OWN,), True),  # a folder that its owner cannot look into
    ("mkdirat", (258, 34), 2, OWN, (OWN,), True),
    ("umask", (95, 166), 0, OWN, (0,), True),
    ("fcntl", (72, 25), 1, EVERY_BIT, (8, 10, 15), False),  # signals to the owner of a file, and who that is
    ("ioctl", (16, 29), 1, EVERY_BIT, (0x8901, 0x8902, 0x5412, 0x541C), False),  # the same; typing into a terminal
    ("open", (2, ABSENT), 1, EMPTY | ACCESS, (EMPTY,), False),  # empties a file that it may only read
    ("openat", (257, 56), 2, EMPTY | ACCESS, (EMPTY,), False),
)

LOAD, AND, EQUAL, AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06  # instructions
ALLOW, KILL, FAIL = 0x7FFF0000, 0x80000000, 0x50000  # what a filter answers
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # where things lie in what a filter gets, in bytes
GET_SECCOMP, SET_SECCOMP, FILTER = 21, 22, 2  # of prctl


class Program(ctypes.Structure):
    """The kernel's struct sock_fprog."""

    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def install() -> bool:
    """Put the filter into force for this process.

    Returns
    -------
    bool
        False where the machine has no seccomp, or where there is no table for its architecture.
    """
    machine = os.uname().machine
    if machine not in ARCHITECTURES or struct.calcsize("P") != 8 or libc.prctl(GET_SECCOMP, 0, 0, 0, 0) < 0:
        return False
    code = program(machine, os.getpid())
    filtered = ctypes.byref(Program(len(code) // 8, code))
    set_process(NO_NEW_PRIVILEGES, 1)
    check(libc.prctl(SET_SECCOMP, FILTER, filtered, 0, 0), "seccomp")
    return True


def program(machine: str, process: int) -> bytes:
    """Return the filter for an architecture and a process, as bytes."""
    column, architecture = ARCHITECTURES[machine]
    code = [_step(LOAD, ARCHITECTURE), _step(EQUAL, architecture, 1, 0), _step(RETURN, KILL), _step(LOAD, NUMBER)]
    code += [_step(AT_LEAST, FIRST_UNKNOWN, 0, 1), _step(RETURN, FAIL | errno.ENOSYS)]
    for _, numbers, argument, bits, values, only in CONDITIONS:
        wanted = [process if value is OWN_PROCESS else value for value in values]
        code += _when(numbers[column], _compare(argument, bits, wanted, only))
    for calls, answer in ((MISSING, FAIL | errno.ENOSYS), (REFUSED, FAIL | errno.EPERM), (DEADLY, KILL)):
        for pair in calls.values():
            code += _when(pair[column], [_step(RETURN, answer)])
    return b"".join([*code, _step(RETURN, ALLOW)])


def _when(number, block):
    """Return the steps that take a block, which returns, for one system call."""
    return [] if number is ABSENT else [_step(EQUAL, number, 0, len(block)), *block]


def _compare(argument, bits, values, only):
    """Return the steps that decide by an argument (its lower 32 bits, which lie first on both architectures)."""
    if_equal, otherwise = (ALLOW, FAIL | errno.EPERM) if only else (FAIL | errno.EPERM, ALLOW)
    block = [_step(LOAD, ARGUMENTS + 8 * argument), _step(AND, bits)]
    for value in values:
        block += [_step(EQUAL, value, 0, 1), _step(RETURN, if_equal)]
    return [*block, _step(RETURN, otherwise)]


def _step(code, value, if_true=0, if_false=0):
    """Return an instruction: the kernel's struct sock_filter."""
    return struct.pack("HBBI", code, if_true, if_false, value)
