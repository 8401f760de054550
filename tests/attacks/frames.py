"""Forged messages: what the judge reads comes from the learner's process, and the learner knows the protocol."""

from tests.attacks.attack import Attack

FORGED = """\
def frame(op="answer", number=0, value=None, blobs=()):
    header = json.dumps({"op": op, "id": number, "sizes": [len(blob) for blob in blobs], "value": value}).encode()
    body = b"".join(blobs)
    return struct.pack("!4sII", b"TFC1", len(header), len(body)) + header + body


def npy(array):
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=(1, 0), allow_pickle=False)
    return file.getvalue()


def reply(value, status="returned"):
    return {"tuple": [status, value, None, {"tuple": []}, {"tuple": []}, {"tuple": []}, ""]}


PASSED = reply(1.0)
VERDICT = {"list": ["passed", 4, "points", 4]}


def channel():
    import autograder.judge.wire.protocol as protocol
    return protocol.Channel
"""

ON_THE_WIRE = {
    "frames on every descriptor": """
for fd in range(256):
    try:
        os.set_blocking(fd, False)
        for number in range(8):
            os.write(fd, frame(number=number, value=PASSED) + frame("verdict", number, VERDICT))
    except OSError:
        pass
""",
    "orders to the server on every descriptor": """
for fd in range(256):
    for order in (b"R", b"-", b"+", b"K"):
        try:
            os.set_blocking(fd, False)
            os.write(fd, struct.pack("!cI", order, 0) * 100)
        except OSError:
            pass
""",
    "answers ahead of time": """
os.write(connection(), b"".join(frame(number=number, value=PASSED) for number in range(1, 50)))
""",
    "answers ahead of time with an array that suits nobody": """
blob = npy(np.full((2, 3, 5), 0.2))
os.write(connection(), b"".join(frame(number=n, value=reply({"array": 0}), blobs=[blob]) for n in range(1, 20)))
""",
    "verdicts ahead of time": """
for op in ("verdict", "points", "passed", "begin", "call", "score"):
    os.write(connection(), frame(op, 1, VERDICT))
""",
    "a thread that talks all the time": """
fd = connection()
def talk():
    while True:
        for number in range(1, 20):
            os.write(fd, frame(number=number, value=PASSED))
threading.Thread(target=talk, daemon=True).start()
""",
    "a thread that answers after the call": """
fd = connection()
def softmax(x, axis=-1):
    def later():
        for _ in range(100):
            time.sleep(0.003)
            os.write(fd, b"".join(frame(number=number, value=PASSED) for number in range(1, 30)))
    threading.Thread(target=later, daemon=True).start()
    return np.full(np.shape(x), 0.123)
""",
    "a forked child that answers after the call": """
fd = connection()
if attempt(os.fork) == 0:
    end = time.monotonic() + 2
    while time.monotonic() < end:
        try:
            os.write(fd, b"".join(frame(number=number, value=PASSED) for number in range(20)))
        except OSError:
            break
        time.sleep(0.02)
    os._exit(0)
""",
    "the child goes and its own child stays": """
fd = connection()
if attempt(os.fork):
    os._exit(0)
os.write(fd, frame(number=0, value="") + b"".join(frame(number=number, value=PASSED) for number in range(1, 4)))
""",
    "the child of a child in a session of its own": """
fd = connection()
if attempt(os.fork) == 0:
    os.setsid()
    if os.fork() == 0:
        end = time.monotonic() + 2
        while time.monotonic() < end:
            attempt(os.write, fd, frame(number=1, value=PASSED))
            time.sleep(0.02)
    os._exit(0)
""",
    "frames of the judge are sent back": """
receive = channel().receive
def replayed(self):
    op, number, tree, blobs = receive(self)
    for other in (number, number + 1):
        self.send("answer", other, tree, list(map(bytes, blobs)))
    return op, number, tree, blobs
channel().receive = replayed
""",
    "every answer is sent five times": """
send = channel().send
def again(self, op, number, tree, blobs):
    for other in (number, number, number + 1, number + 2, number - 1):
        send(self, op, other, tree, blobs)
channel().send = again
""",
    "the answers of an earlier call are sent for later ones": """
send, kept = channel().send, []
def old(self, op, number, tree, blobs):
    kept.append((tree, blobs))
    send(self, op, number, *kept[min(2, len(kept) - 1)])
channel().send = old
""",
    "questions of operations that nobody has": """
for op in ("evaluate", "reference", "expected", "seed", "claims", "fork", "exec", "__class__", "handlers"):
    os.write(connection(), frame(op, 0, {"tuple": [0, {"tuple": []}, {"tuple": []}]}))
""",
    "callbacks to functions that nobody gave": """
for number in range(40):
    value = {"tuple": [number, {"tuple": [[1.0]]}, {"tuple": []}]}
    os.write(connection(), frame("callback", number, value))
""",
    "a frame that never ends": """
os.write(connection(), struct.pack("!4sII", b"TFC1", 100, 60 << 20))
""",
    "a frame that trickles": """
fd, data = connection(), frame(number=0, value="")
def softmax(x, axis=-1):
    for byte in data:
        os.write(fd, bytes([byte]))
        time.sleep(0.2)
""",
    "no frame at all": """
os.write(connection(), b"HTTP/1.1 200 OK\\r\\n\\r\\n{'points': 4}" * 3)
""",
    "the connection is closed": """
os.close(connection())
""",
    "the connection is put on other descriptors": """
fd = connection()
for other in (0, 1, 2, 9):
    os.dup2(fd, other)
def softmax(x, axis=-1):
    print("points: 4 of 4", flush=True)
    os.write(1, frame(number=1, value=PASSED))
    os.write(2, b"4.0")
    return np.full(np.shape(x), 0.123)
""",
    "descriptors are sent along": """
other = socket.socket(fileno=os.dup(connection()))
pipe = os.pipe()
attempt(socket.send_fds, other, [frame(number=0, value="")], [pipe[0], pipe[1]] * 20)
""",
}

# What only a frame that no honest worker sends can hold; `header` and `blob` make one answer of it.
MALFORMED = {
    "a header that claims a terabyte": "blob = header('<f8', '(1000000000000,)') + bytes(64)",
    "a header that claims more than there is": "blob = header('<f8', '(2, 3, 500)') + bytes(64)",
    "a header with a negative size": "blob = header('<f8', '(-1, -8)') + bytes(64)",
    "a header with an empty giant": "blob = header('<f8', '(0, 67108864)')",
    "a header with an empty giant beyond all numbers": "blob = header('<f8', '(0, 2305843009213693952, 4)')",
    "a header with a giant of empties": "blob = header('<f8', '(4194304, 0)')",
    "a header with a thousand axes": "blob = header('<f8', '(' + '1,' * 300 + ')') + bytes(8)",
    "a header with true for a size": "blob = header('<f8', '(True, 3)') + bytes(24)",
    "objects in a blob": "blob = header('|O', '(1,)') + b'\\x80\\x04cbuiltins\\nexec\\n.'",
    "a structure in a blob": "blob = header([('points', '<f8'), ('passed', '?')], '(1,)') + bytes(9)",
    "a dtype with a subarray": "blob = header(('<f8', (1000000000,)), '(0,)')",
    "a dtype of a terabyte": "blob = header('|V1000000000000', '(0,)')",
    "dates in a blob": "blob = header('<M8[ns]', '(2,)') + bytes(16)",
    "complex numbers in a blob": "blob = header('<c16', '(2,)') + bytes(32)",
    "the other order of bytes": "blob = header('>f8', '(2,)') + bytes(16)",
    "the other order of axes": "blob = header('<f8', '(2, 3)', fortran='True') + bytes(48)",
    "a header that is a program": "blob = header('<f8', '(__import__(\"os\")._exit(0),)') + bytes(64)",
    "a header of brackets": "blob = header('<f8', '(' * 400 + ')' * 400) + bytes(64)",
    "a header of a number without end": "blob = header('<f8', '(' + '9' * 500 + ',)') + bytes(64)",
    "a truncated blob": "blob = b'\\x93NUMPY\\x01'",
    "a later version of the format": "blob = b'\\x93NUMPY\\x03\\x00' + bytes(200)",
    "a blob that is used twice": "tree, blob = {'list': [{'array': 0}, {'array': 0}]}, npy(np.ones(3))",
    "a blob that is not there": "tree, blob = {'array': 7}, npy(np.ones(3))",
    "a blob with a number that is none": "tree, blob = {'array': True}, npy(np.ones(3))",
    "a tree of two kinds": "tree = {'array': 0, 'tuple': [], 'named': 'x'}; blob = npy(np.ones(3))",
    "a tree of an unknown kind": "tree = {'pickle': 'gASVCAAAAAAAAACMBHBhc3OULg=='}",
    "a named tuple that nobody knows": "tree = {'named': 'Verdict', 'items': [4, 'passed']}",
    "a named tuple with too much": "tree = {'named': 'AttentionParams', 'items': [1] * 40}",
    "a tree that is deep": "tree = functools.reduce(lambda t, _: {'list': [t]}, range(300), 1)",
    "a list that is long": "tree = {'list': [1] * 400000}",
    "a foreign thing with a class of its own": "tree = {'foreign': 'x', 'kind': '__class__'}",
    "foreign things without end": "tree = {'list': [{'foreign': 'x', 'kind': 'K'}] * 19000}",
    "a function in an answer": "tree = {'callback': 0}",
    "half a character": "tree = '\\ud800' * 100",
    "an integer without end": "tree = 10 ** 4200",
    "a status of its own": "tree, changes = 1.0, {0: 'passed'}",
    "points in the place of a status": "tree, changes = 1.0, {0: 4}",
    "another number of fields": "tree = 1.0; fields += [4.0, 'passed']",
    "arguments that are none": "tree, changes = 1.0, {3: {'tuple': ['points']}}",
    "texts that are numbers": "tree, changes = 1.0, {6: 4.0}",
    "a text of a megabyte": "tree, changes = 1.0, {7: 'x' * 900000}",
    "warnings without end": "tree, changes = 1.0, {6: {'tuple': ['w'] * 5000}}",
    "half a character in an error": "tree, changes = None, {0: 'raised', 2: {'tuple': ['\\ud800', '\\ud800', 1, '']}}",
    "an error beside a result": "tree, changes = 1.0, {2: {'tuple': ['E', '', 1, '']}}",
}
FORM = """
import functools
def header(descr, shape, fortran="False"):
    text = ("{'descr': %r, 'fortran_order': %s, 'shape': %s, }" % (descr, fortran, shape)).encode() + b"\\n"
    return bytes([147]) + b"NUMPY" + bytes([1, 0]) + struct.pack("<H", len(text)) + text
def forged(self, op, number, honest, blobs=()):
    fields = honest.get("tuple", ()) if isinstance(honest, dict) else ()
    if op != "answer" or len(fields) < 5:
        return send(self, op, number, honest, blobs)
    tree, blob, changes = {"array": 0}, None, {}
    WHAT
    fields[0], fields[1] = "returned", tree
    for place, value in changes.items():
        fields[place] = value
    self.socket.sendall(frame(op, number, honest, [blob] if blob is not None else []))
send = channel().send
channel().send = forged
"""

SLOW = {"a frame that trickles", "a frame that never ends", "the connection is put on other descriptors"}
FORKS = {name for name in ON_THE_WIRE if "child" in name}

ATTACKS = {
    **{
        name: Attack(FORGED + code, spoils=True, slow=name in SLOW, pure=name not in FORKS, family="frames")
        for name, code in ON_THE_WIRE.items()
    },
    **{
        name: Attack(FORGED + FORM.replace("WHAT", what), spoils=True, pure=True, family="malformed")
        for name, what in MALFORMED.items()
    },
}
