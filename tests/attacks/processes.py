"""Side effects on other processes. What succeeds that must not is noted as a breach."""

from tests.attacks.attack import Attack

PROCESSES = {
    "a program is started": """
import subprocess
attempt(lambda: subprocess.run(["/bin/sh", "-c", "echo started"], capture_output=True, timeout=2).stdout)
attempt(os.system, "echo started")
attempt(os.posix_spawn, "/bin/sh", ["sh", "-c", ":"], {})
""",
    "orphans": """
if attempt(os.fork) == 0:
    os.setsid()
    if os.fork() == 0:
        try:
            os.execv("/bin/sh", [STAGE["mark"] + "-orphan", "-c", "sleep 3; :"])
        except OSError:
            time.sleep(3)
    os._exit(0)
time.sleep(0.1)
""",
    "an orphan that writes later": """
if attempt(os.fork) == 0:
    os.setsid()
    if os.fork() == 0:
        for _ in range(60):
            time.sleep(0.05)
            attempt(lambda: open("late", "a").write("late"))
            attempt(lambda: open(os.path.join(STAGE["outside"], "late"), "a").write("late"))
    os._exit(0)
""",
    "many forks": """
children, end = [], time.monotonic() + 2
try:
    for _ in range(150):
        child = os.fork()
        if child == 0:
            time.sleep(max(0, end - time.monotonic()))
            os._exit(0)
        children.append(child)
except OSError as error:
    log.append(repr(error))
if len(children) > 100:
    breach(f"{len(children)} forks")
log.append(str(len(children)))
""",
    "many threads that go on": """
threads = []
def go_on():
    end = time.monotonic() + 3
    while time.monotonic() < end:
        time.sleep(0.05)
try:
    for _ in range(150):
        threads.append(threading.Thread(target=go_on, daemon=True))
        threads[-1].start()
except RuntimeError as error:
    log.append(repr(error))
""",
    "the server is killed": """
server = os.getppid()
def softmax(x, axis=-1):
    attempt(os.kill, server, signal.SIGKILL)
    attempt(os.kill, server, signal.SIGSTOP)
    print(log)
    return np.full(np.shape(x), 0.123)
""",
    "the server is disturbed": """
server = os.getppid()
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGCHLD, signal.SIGPIPE, signal.SIGALRM):
    attempt(os.kill, server, number)
    attempt(os.killpg, attempt(os.getpgid, server), number)
attempt(resource.prlimit, server, resource.RLIMIT_CPU, (0, 0))
attempt(resource.prlimit, server, resource.RLIMIT_NOFILE, (0, 0))
attempt(os.setpriority, os.PRIO_PROCESS, server, 19)
attempt(os.sched_setaffinity, server, {0})
""",
    "its group is killed": """
def softmax(x, axis=-1):
    attempt(os.kill, 0, signal.SIGKILL)
    print(log)
    return np.full(np.shape(x), 0.123)
""",
    "a bystander is killed": """
attempt(os.kill, STAGE["bystander"], signal.SIGKILL)
attempt(os.kill, -STAGE["bystander"], signal.SIGKILL)
attempt(lambda: signal.pidfd_send_signal(os.pidfd_open(STAGE["bystander"]), signal.SIGKILL))
if succeeded(attempt(os.kill, -1, 0)):
    log.append("somebody else can be signalled")
""",
    "it lives on when its parent dies": """
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(1, 0, 0, 0, 0)
libc.prctl(36, 1, 0, 0, 0)
for number in range(1, 32):
    if number not in (9, 19):
        attempt(signal.signal, number, signal.SIG_IGN)
def softmax(x, axis=-1):
    while True:
        try:
            time.sleep(10)
        except BaseException:
            pass
""",
    "it stops itself": """
def softmax(x, axis=-1):
    os.kill(os.getpid(), signal.SIGSTOP)
""",
    "it aborts with a core": """
attempt(resource.setrlimit, resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
def softmax(x, axis=-1):
    os.abort()
""",
    "it faults": """
def softmax(x, axis=-1):
    ctypes.string_at(0)
""",
}

SLOW = {"it lives on when its parent dies", "it stops itself", "many forks"}
SPOILS = {"many threads that go on", "it lives on when its parent dies"}

ATTACKS = {
    name: Attack(code, spoils=name in SPOILS, slow=name in SLOW, pure=name == "it stops itself", family="processes")
    for name, code in PROCESSES.items()
}
