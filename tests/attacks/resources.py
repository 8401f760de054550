"""Breaking the run: memory, disk, time, and the end of the process."""

from tests.attacks.attack import Attack

RESOURCES = {
    "memory": """
def softmax(x, axis=-1):
    hoard = []
    try:
        for _ in range(40):
            hoard.append(np.ones(10**7))
        breach("3.2 gigabytes")
    except MemoryError:
        pass
    print(log)
    return np.full(np.shape(x), 0.123)
""",
    "memory that is never given back": """
hoard = []
try:
    for _ in range(40):
        hoard.append(np.ones(10**7))
    breach("3.2 gigabytes")
except MemoryError:
    pass
""",
    "memory in many steps": """
def softmax(x, axis=-1):
    hoard = []
    for number in range(40_000_000):
        hoard.append([number])
    breach("forty million lists")
""",
    "the disk, one file": """
try:
    with open("large", "wb") as file:
        for _ in range(300):
            file.write(bytes(10**6))
    breach("300 MB in a file")
except OSError as error:
    log.append(repr(error))
""",
    "the disk, many files": """
written = 0
try:
    for number in range(60):
        with open(f"large-{number}", "wb") as file:
            for _ in range(10):
                written += file.write(bytes(10**6))
    breach(f"{written} bytes in files")
except OSError as error:
    log.append(f"{written} {error!r}")
""",
    "ten thousand files": """
try:
    for number in range(10_000):
        open(f"file-{number}", "w").close()
except OSError as error:
    log.append(f"{number} {error!r}")
""",
    "a deep tree of folders": """
here = os.getcwd()
try:
    for _ in range(3000):
        os.mkdir("d")
        os.chdir("d")
except OSError as error:
    log.append(repr(error))
os.chdir(here) if succeeded(attempt(os.chdir, here)) else None
""",
    "folders that nobody may enter": """
for name in ("shut", "shut/inside", "\\udcff\\n\\x1b[2J", "-rf", "*", "$(touch planted)"):
    attempt(os.mkdir, name)
    attempt(lambda: open(os.path.join(name, "file"), "w").close())
attempt(os.chmod, "shut", 0)
attempt(os.mkfifo, "pipe")
attempt(lambda: socket.socket(socket.AF_UNIX).bind("door"))
""",
    "the disk is full when the next process starts": """
try:
    for number in range(100):
        with open(f"full-{number}", "wb") as file:
            file.write(bytes(10**6))
except OSError as error:
    log.append(repr(error))
try:
    for number in range(100_000):
        os.mkdir(f"folder-{number}")
except OSError as error:
    log.append(repr(error))
""",
    "descriptors": """
hoard = []
try:
    for _ in range(5000):
        hoard.append(os.open("/dev/null", os.O_RDONLY))
    breach("5000 descriptors")
except OSError:
    pass
""",
    "the recursion limit": """
sys.setrecursionlimit(10**9)
threading.stack_size(512 << 20) if succeeded(attempt(threading.stack_size, 512 << 20)) else None
def deeper(n): return deeper(n + 1)
def softmax(x, axis=-1):
    return deeper(0)
""",
    "an alarm clock": """
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
def softmax(x, axis=-1):
    time.sleep(1)
    return np.full(np.shape(x), 0.123)
""",
}
TIME = {
    "a loop that swallows everything": """
def softmax(x, axis=-1):
    while True:
        try:
            while True: pass
        except BaseException:
            pass
""",
    "a loop in a cell that swallows everything": """
while True:
    try:
        while True: pass
    except BaseException:
        pass
""",
    "a loop in compiled code": """
def softmax(x, axis=-1):
    return sum(range(10**12))
""",
    "a regular expression without end": """
import re
def softmax(x, axis=-1):
    re.match("(a+)+$", "a" * 60 + "b")
""",
    "sleeping just below the limit in every call": """
def softmax(x, axis=-1):
    time.sleep(1.7)
    return np.full(np.shape(x), 0.123)
""",
    "a clock that stands still": """
time.monotonic = time.time = time.perf_counter = lambda: 0.0
threading.Event.wait = lambda *args: False
threading.Thread.start = lambda *args: None
ctypes.pythonapi.PyThreadState_SetAsyncExc = lambda *args: 0
def softmax(x, axis=-1):
    while True: pass
""",
}
EXITS = {
    "exit in a cell": "os._exit(0)\n",
    "exit in the function": "def softmax(x, axis=-1):\n    os._exit(0)\n",
    "exit when the third call comes": """
calls = []
def softmax(x, axis=-1):
    calls.append(1)
    return os._exit(0) if len(calls) == 3 else np.full(np.shape(x), 0.123)
""",
    "a hook for every exit": """
import atexit
for fd in range(3, 10):
    atexit.register(attempt, os.write, fd, b"passed")
sys.excepthook = threading.excepthook = sys.unraisablehook = lambda *args: os._exit(0)
sys.settrace(lambda *args: None)
sys.setprofile(lambda *args: None)
gc.callbacks.append(lambda *args: log.clear())
""",
    "the import system is broken": """
sys.meta_path.clear()
sys.path_hooks.clear()
builtins.__import__ = lambda *args, **kwargs: np
sys.modules.clear()
""",
}

# These take seconds, as long as it takes to notice them.
SLOW = {
    "memory",
    "memory that is never given back",
    "memory in many steps",
    "the disk, many files",
    "the disk is full when the next process starts",
    "a deep tree of folders",
    "the recursion limit",
    "an alarm clock",
    "a hook for every exit",
    *TIME,
}
SPOILS = {"memory that is never given back", "an alarm clock", "the recursion limit", "descriptors", *TIME, *EXITS}

ATTACKS = {
    name: Attack(code, spoils=name in SPOILS, slow=name in SLOW, pure=family in ("time", "exits"), family=family)
    for family, attacks in {"resources": RESOURCES, "time": TIME, "exits": EXITS}.items()
    for name, code in attacks.items()
}
