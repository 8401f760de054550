"""What is left behind for the next exercise and the next learner, and a search for it."""

from tests.attacks.attack import Attack

LEFT = {
    "files in every folder that can be written": """
for folder in (".", os.environ.get("HOME", "."), os.environ.get("TMPDIR", "."), "/tmp", "/var/tmp", "/dev/shm"):
    for name in (STAGE["mark"], "softmax.npy", "." + STAGE["mark"]):
        attempt(lambda: open(os.path.join(folder, name), "w").write(TOKEN))
""",
    "memory that has a name": """
libc = ctypes.CDLL(None, use_errno=True)
libc.shmget.restype = libc.shmat.restype = ctypes.c_long
area = libc.shmget(STAGE["key"], 4096, 0o1666)
if area >= 0:
    address = libc.shmat(area, None, 0)
    attempt(ctypes.memmove, address, TOKEN.encode(), 30)
libc.msgget(STAGE["key"], 0o1666)
libc.semget(STAGE["key"], 1, 0o1666)
from multiprocessing import shared_memory
attempt(lambda: shared_memory.SharedMemory(STAGE["mark"], True, 64).buf.__setitem__(slice(0, 4), b"left"))
""",
    "a key in the kernel's ring": """
if platform.machine() == "x86_64":
    libc = ctypes.CDLL(None, use_errno=True)
    for ring in (-3, -4, -5):
        libc.syscall(248, b"user", STAGE["mark"].encode(), TOKEN.encode(), len(TOKEN), ring)
""",
    "the memory that is shared with the server": """
import mmap
for thing in gc.get_objects():
    if isinstance(thing, mmap.mmap):
        breach("a map")
for line in open("/proc/self/maps") if succeeded(attempt(open, "/proc/self/maps")) else ():
    if line.split()[1] == "rw-s":
        breach(line)
np.ones.__defaults__ and None
np.core = np.linalg = None
for name in ("full", "ones", "exp", "ndarray"):
    setattr(np, name, lambda *args, **kwargs: 4.0)
""",
    "constants and types are changed in place": """
one = ctypes.c_long.from_address(id(1000003) + 24)
for module in list(sys.modules.values()):
    if getattr(module, "__name__", "").startswith(("transformer_kit", "autograder", "scipy")):
        vars(module).clear()
import builtins
builtins.sum = builtins.len = builtins.print = lambda *args, **kwargs: 0
""",
    "arrays of the kit are overwritten": """
import transformer_kit
for module in list(sys.modules.values()):
    if getattr(module, "__name__", "").startswith("transformer_kit"):
        for value in list(vars(module).values()):
            for array in (value, *(value if isinstance(value, tuple) else ())):
                if isinstance(array, np.ndarray):
                    array.setflags(write=True) if succeeded(attempt(array.setflags, write=True)) else None
                    attempt(array.fill, 4)
""",
    "locks on the files of the packages": """
import fcntl
locked = [open(path, "rb") for path in (np.__file__, os.__file__)]
for file in locked:
    attempt(fcntl.flock, file, fcntl.LOCK_EX | fcntl.LOCK_NB)
""",
}
# A cell of the next learner that searches for all of that.
SEARCH = """
def left():
    found = []
    for folder in {".", os.environ.get("HOME", "."), os.environ.get("TMPDIR", "."), "/tmp", "/var/tmp", "/dev/shm"}:
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        found += [name for name in names if STAGE["mark"] in name or folder == "."]
    if os.path.exists("late"):
        found.append("late")
    libc = ctypes.CDLL(None, use_errno=True)
    for call in ("shmget", "msgget", "semget"):
        arguments = (STAGE["key"], 0) if call == "msgget" else (STAGE["key"], 0, 0)
        if getattr(libc, call)(*arguments) >= 0:
            found.append(call)
    return found


nothing_left = left()
if nothing_left:
    breach(repr(nothing_left))
"""
SPOILS = {"the memory that is shared with the server", "constants and types are changed in place"} | {
    "memory that has a name",
    "a key in the kernel's ring",
}

ATTACKS = {name: Attack(code, spoils=name in SPOILS, family="poison") for name, code in LEFT.items()}
