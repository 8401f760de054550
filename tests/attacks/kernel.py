"""Calls of the kernel that no function of a learner needs. What succeeds that must not is noted as a breach."""

from tests.attacks.attack import Attack

# On x86_64; a call that succeeds is a breach.
CALLS = """
if platform.machine() != "x86_64":
    raise SystemExit
libc, server = ctypes.CDLL(None, use_errno=True), os.getppid()
buffer = ctypes.create_string_buffer(4096)
def call(name, number, *args):
    ctypes.set_errno(0)
    found = libc.syscall(ctypes.c_long(number), *(ctypes.c_long(a) if isinstance(a, int) else a for a in args))
    log.append(f"{name} {found} {ctypes.get_errno()}")
    return found
def must_fail(name, number, *args):
    if call(name, number, *args) >= 0:
        breach(name)
"""
KERNEL = {
    "reading the server's memory": """
class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
here, there = Piece(ctypes.addressof(buffer), 64), Piece(ctypes.addressof(buffer), 64)
must_fail("process_vm_readv", 310, server, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
""",
    "writing the server's memory": """
class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
# The server's memory was copied from the same addresses: a real success would change its constant.
array = np.arange(8.0)
here, there = Piece(array.ctypes.data, 64), Piece(array.ctypes.data, 64)
must_fail("process_vm_writev", 311, server, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
""",
    "the server's files in proc": """
for pid in {server, 1, STAGE["bystander"]}:
    for name in ("mem", "environ", "fd", "root", "cwd", "maps", "auxv", "stack", "syscall", "io"):
        path = f"/proc/{pid}/{name}"
        for mode in (os.O_RDONLY, os.O_WRONLY, os.O_RDWR):
            found = attempt(os.open, path, mode)
            if isinstance(found, int) and name in ("mem", "fd", "root", "cwd"):
                try:
                    if name == "mem":
                        os.pread(found, 8, id(None))
                    else:
                        os.listdir(found)
                    breach(path)
                except OSError:
                    pass
    for fd in range(64):
        if isinstance(attempt(os.open, f"/proc/{pid}/fd/{fd}", os.O_RDWR), int):
            breach(f"{pid} {fd}")
log[:] = [text for text in log if TOKEN in text]
""",
    "the server's descriptors": """
for pid in (server, 1):
    fd = call("pidfd_open", 434, pid, 0)
    if fd >= 0:
        for number in range(64):
            must_fail("pidfd_getfd", 438, fd, number, 0)
log[:] = [text for text in log if TOKEN in text]
""",
    "signals by other calls": """
must_fail("tkill", 200, server, 9)
must_fail("tgkill", 234, server, server, 9)
info = ctypes.create_string_buffer(128)
must_fail("rt_sigqueueinfo", 129, server, 9, info)
fd = call("pidfd_open", 434, server, 0)
must_fail("pidfd_send_signal", 424, fd, 9, 0, 0)
""",
    "signals by the owner of a descriptor": """
import fcntl
theirs, ours = os.pipe()
attempt(fcntl.fcntl, theirs, 8, server)
attempt(fcntl.fcntl, theirs, 10, signal.SIGKILL)
attempt(fcntl.fcntl, theirs, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
attempt(os.write, ours, b"x")
fd = connection()
attempt(fcntl.fcntl, fd, 8, server)
attempt(fcntl.fcntl, fd, 10, signal.SIGKILL)
attempt(fcntl.fcntl, fd, fcntl.F_SETFL, os.O_ASYNC)
""",
    "a process by other calls": """
class Arguments(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in "abcdefghijk"]
pid = call("clone3", 435, ctypes.byref(Arguments(0, 0, 0, 0, 17)), ctypes.sizeof(Arguments))
if pid == 0:
    os._exit(0)
pid = call("clone", 56, 17, 0, 0, 0, 0)
if pid == 0:
    os._exit(0)
pid = call("vfork in the other table", 0x40000000 + 57)
if pid == 0:
    os._exit(0)
""",
    "other tables of system calls": """
must_fail("socket of x32", 0x40000000 + 41, 2, 1, 0)
must_fail("ptrace of x32", 0x40000000 + 521, 0x4206, server, 0, 0)
""",
    "interrupt 0x80": """
import mmap
area = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
# mov eax, 359 (socket); mov ebx, 2; mov ecx, 1; xor edx, edx; int 0x80; ret
area.write(bytes.fromhex("b867010000 bb02000000 b901000000 31d2 cd80 c3".replace(" ", "")))
address = ctypes.addressof(ctypes.c_char.from_buffer(area))
def softmax(x, axis=-1):
    # rbx belongs to the caller: push and pop around it
    area.seek(0)
    area.write(bytes.fromhex("53b867010000bb02000000b90100000031d2cd805bc3"))
    found = ctypes.CFUNCTYPE(ctypes.c_int)(address)()
    if found >= 0:
        breach("a socket by interrupt 0x80")
    print(log, found)
    return np.full(np.shape(x), 0.123)
""",
    "the filter is taken off": """
must_fail("prctl no_new_privs 0", 157, 38, 0, 0, 0, 0)
must_fail("prctl seccomp disabled", 157, 22, 0, 0, 0, 0)
must_fail("seccomp strict off", 317, 0, 1, 0)
attempt(socket.socket)
""",
    "other users": """
must_fail("setuid 0", 105, 0) if os.getuid() else log.append("root")
must_fail("setresuid", 117, 0, 0, 0) if os.getuid() else breach("it is root")
for name in ("CapEff", "CapPrm", "CapBnd"):
    for line in open("/proc/self/status") if succeeded(attempt(open, "/proc/self/status")) else ():
        if line.startswith("CapEff") and int(line.split()[1], 16):
            breach(line)
""",
    "limits are raised": """
for name in ("AS", "CPU", "FSIZE", "NOFILE", "NPROC", "CORE"):
    kind = getattr(resource, "RLIMIT_" + name)
    soft, hard = resource.getrlimit(kind)
    log.append(f"{name} {hard}")
    if hard == resource.RLIM_INFINITY and name in ("AS", "FSIZE", "CORE"):
        breach(f"{name} is not limited")
    elif hard != resource.RLIM_INFINITY and succeeded(attempt(resource.setrlimit, kind, (hard, hard + 1))):
        breach(f"{name} can be raised")
    if succeeded(attempt(resource.prlimit, 0, kind, (soft, resource.RLIM_INFINITY))) and hard >= 0:
        breach(f"{name} can be raised by prlimit")
""",
    "typing into a terminal": """
import fcntl
for fd in range(4):
    if succeeded(attempt(fcntl.ioctl, fd, 0x5412, b"x")):
        breach("a terminal")
attempt(os.open, "/dev/tty", os.O_RDWR)
""",
}

# One by one, because the first that is forbidden may end the process.
SINGLE = {
    "ptrace of the server": "101, 0x4206, server, 0, 0",
    "ptrace of the bystander": '101, 16, STAGE["bystander"], 0, 0',
    "kcmp with the server": "312, os.getpid(), server, 0, 3, 3",
    "a user namespace": "272, 0x10000000",
    "a mount namespace": "272, 0x20000",
    "a network namespace": "272, 0x40000000",
    "a mount": '165, b"none", b"/", b"tmpfs", 0, 0',
    "another root": '161, b"/"',
    "bpf": "321, 5, buffer, 72",
    "perf_event_open": "298, buffer, 0, -1, -1, 0",
    "userfaultfd": "323, 1",
    "io_uring": "425, 4, buffer",
    "open_by_handle_at": "304, -100, buffer, 0",
    "a kernel module": '175, buffer, 8, b""',
    "a key": '248, b"user", b"name", b"value", 5, -3',
    "shared memory": '29, STAGE["key"], 4096, 0o1666',
    "a file in memory": '319, b"name", 0',
    "an inode of its own": '133, b"device", 0o20666, 0x103',
}

ATTACKS = {
    **{name: Attack(CALLS + code, spoils=True, family="kernel") for name, code in KERNEL.items()},
    **{
        name: Attack(f"{CALLS}must_fail('', {arguments})", spoils=True, family="kernel")
        for name, arguments in SINGLE.items()
    },
}
