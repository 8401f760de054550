"""Side effects on files and by the network. What succeeds that must not is noted as a breach."""

from tests.attacks.attack import Attack

FILES = {
    "the gradebook is read and changed": """
import sqlite3
found = attempt(lambda: sqlite3.connect(STAGE["gradebook"]).execute("SELECT * FROM grade").fetchall())
def change():
    with sqlite3.connect(STAGE["gradebook"]) as database:
        database.execute("UPDATE grade SET manual_score = 4")
attempt(change)
for above in range(1, 7):
    path = "../" * above
    attempt(lambda: [breach(path + name) for name in os.listdir(path) if name in ("gradebook.db", "classroom")])
""",
    "the secret is read": """
found = attempt(lambda: open(STAGE["secret"]).read())
for above in range(1, 7):
    attempt(lambda: breach(open("../" * above + "classroom/secret").read()))
    attempt(lambda: breach(open("../" * above + "secret").read()))
""",
    "other submissions are read and changed": """
attempt(lambda: open(STAGE["other"]).read())
attempt(lambda: open(STAGE["other"], "w").write("forged"))
attempt(lambda: [breach(name) for name in os.listdir(os.path.dirname(STAGE["other"]))])
""",
    "the home folder is read and gets a start-up file": """
attempt(lambda: open(os.path.join(STAGE["home"], ".ssh", "id")).read())
for home in (STAGE["home"], os.path.expanduser("~")):
    folder = os.path.join(home, ".ipython", "profile_default", "startup")
    attempt(os.makedirs, folder, exist_ok=True)
    attempt(lambda: open(os.path.join(folder, "00.py"), "w").write("raise SystemExit"))
""",
    "files outside are written, removed and renamed": """
outside = STAGE["outside"]
attempt(lambda: open(os.path.join(outside, "new"), "w").write("x"))
attempt(lambda: open(os.path.join(outside, "canary"), "a").write("x"))
attempt(os.truncate, os.path.join(outside, "canary"), 0)
attempt(os.remove, os.path.join(outside, "canary"))
attempt(os.rename, os.path.join(outside, "canary"), os.path.join(outside, "renamed"))
attempt(os.chmod, outside, 0o777)
attempt(os.utime, os.path.join(outside, "canary"), (0, 0))
attempt(os.mkdir, os.path.join(outside, "folder"))
attempt(os.symlink, "/", os.path.join(outside, "link"))
attempt(os.open, os.path.join(outside, "canary"), os.O_RDONLY | os.O_TRUNC)
attempt(os.setxattr, os.path.join(outside, "canary"), "user.x", b"x")
""",
    "links out of the working folder": """
for name, target in {"one": STAGE["secret"], "two": STAGE["outside"], "three": STAGE["other"]}.items():
    attempt(os.symlink, target, name)
    attempt(os.link, target, name + "-hard")
    attempt(lambda: open(name).read())
    attempt(lambda: open(name + "-hard").read())
attempt(lambda: open("two/canary", "a").write("x"))
""",
    "users of the machine": """
import hashlib
for path in ("/etc/passwd", "/etc/shadow", "/etc/group", "/etc/hostname", "/etc/machine-id", "/proc/cmdline"):
    try:
        with open(path, "rb") as file:
            if hashlib.sha256(file.read()).hexdigest() in STAGE["hashes"]:
                breach(path)
    except OSError:
        pass
""",
    "the environment of other processes": """
for pid in filter(str.isdigit, attempt(os.listdir, "/proc") if succeeded(attempt(os.listdir, "/proc")) else ()):
    for name in ("environ", "cmdline"):
        attempt(lambda: open(f"/proc/{pid}/{name}", "rb").read().find(TOKEN.encode()) >= 0 and breach(pid))
log[:] = [text for text in log if TOKEN in text]
attempt(lambda: [breach(key) for key, value in os.environ.items() if TOKEN in value])
""",
    "the working folders of others": """
here = os.getcwd()
for folder in {os.path.dirname(here), os.path.dirname(os.path.dirname(here)), STAGE["temporary"]}:
    for name in (os.listdir(folder) if succeeded(attempt(os.listdir, folder)) else ()):
        path = os.path.join(folder, name)
        if not here.startswith(path) and succeeded(attempt(os.listdir, path)):
            breach(path)
""",
    "the kit and Python are writable": """
import transformer_kit, autograder
for place in (transformer_kit.__file__, autograder.__file__, np.__file__, os.__file__, sys.executable):
    for path in (place, os.path.join(os.path.dirname(place), "planted.py")):
        flags = os.O_WRONLY | (0 if path == place else os.O_CREAT)
        found = attempt(os.open, path, flags) if path == place or "transformer_kit" in path else None
        if isinstance(found, int):
            breach(path)
""",
    "shadow modules beside the notebook": """
for name in ("numpy", "json", "struct", "sitecustomize", "usercustomize", "autograder", "transformer_kit", "scipy"):
    for folder in (".", os.environ.get("HOME", "."), os.environ.get("TMPDIR", ".")):
        for path in (os.path.join(folder, name + ".py"), os.path.join(folder, name, "__init__.py")):
            attempt(os.makedirs, os.path.dirname(path), exist_ok=True)
            attempt(lambda: open(path, "w").write("raise SystemExit"))
sys.path.insert(0, os.getcwd())
sys.modules["json"] = sys.modules["numpy"] = types.ModuleType("shadow")
""",
    "settings of matplotlib and IPython beside the notebook": """
for name in ("matplotlibrc", "fontlist-v390.json", ".matplotlib/matplotlibrc", ".config/matplotlib/matplotlibrc"):
    attempt(os.makedirs, os.path.dirname(name) or ".", exist_ok=True)
    attempt(lambda: open(name, "w").write("backend: module://planted"))
    attempt(lambda: open("planted.py", "w").write("raise SystemExit"))
""",
    "descriptors that were left open": """
for fd in range(3, 4096):
    target = attempt(os.readlink, f"/proc/self/fd/{fd}")
    try:
        os.fstat(fd)
    except OSError:
        continue
    try:
        socket.socket(fileno=os.dup(fd)).getsockopt(socket.SOL_SOCKET, socket.SO_TYPE)
    except OSError:
        breach(f"descriptor {fd} is a file: {target}")
log[:] = [text for text in log if TOKEN in text]
""",
}

NETWORK = {
    "a connection out": """
attempt(lambda: socket.create_connection(("127.0.0.1", STAGE["port"]), 1).sendall(b"leak"))
attempt(lambda: socket.create_connection(("::1", STAGE["port"]), 1).sendall(b"leak"))
attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"leak", ("127.0.0.1", STAGE["port"])))
""",
    "a request by the standard library": """
import urllib.request
attempt(lambda: urllib.request.urlopen(f"http://127.0.0.1:{STAGE['port']}/leak", timeout=1).read())
""",
    "sockets of the file system and without a name": """
for address in (STAGE["unix"], "\\0" + STAGE["abstract"]):
    def send():
        with socket.socket(socket.AF_UNIX) as unix:
            unix.connect(address)
            unix.sendall(b"leak")
    attempt(send)
    attempt(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"leak", address))
""",
    "a socket pair that is connected elsewhere": """
attempt(lambda: os.dup(connection()))
def send():
    with socket.socket(fileno=os.dup(connection())) as reused:
        reused.connect("\\0" + STAGE["abstract"])
attempt(send)
""",
    "a door for others": """
def listen():
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen()
attempt(listen)
attempt(lambda: socket.gethostbyname("localhost.invalid"))
""",
}

SPOILS = {"shadow modules beside the notebook", "descriptors that were left open"}

ATTACKS = {
    **{name: Attack(code, spoils=name in SPOILS, family="files") for name, code in FILES.items()},
    **{name: Attack(code, family="network") for name, code in NETWORK.items()},
}
