"""The claim about memory: a function that builds the Jacobian says that it did not."""

from tests.attacks.attack import Attack

JACOBIAN = """
def jacobian_product(p, d_p, axis):
    p, d_p = np.moveaxis(p, axis, -1), np.moveaxis(d_p, axis, -1)
    jacobian = p[..., :, None] * np.eye(p.shape[-1]) - p[..., :, None] * p[..., None, :]
    return np.moveaxis((jacobian @ d_p[..., None])[..., 0], -1, axis)


def softmax_backward(p, d_p, axis=-1):
    return jacobian_product(p, d_p, axis)
"""
WAYS = {
    "tracemalloc reports nothing": """
import tracemalloc
tracemalloc.get_traced_memory = lambda: (0, 0)
tracemalloc.start = tracemalloc.stop = lambda *args: None
""",
    "tracemalloc is stopped meanwhile": """
import tracemalloc
def softmax_backward(p, d_p, axis=-1):
    tracemalloc.stop()
    result = jacobian_product(p, d_p, axis)
    tracemalloc.start()
    return result
""",
    "the peak is forgotten afterwards": """
import tracemalloc
def softmax_backward(p, d_p, axis=-1):
    result = jacobian_product(p, d_p, axis)
    tracemalloc.reset_peak()
    gc.collect()
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        pass
    return result
""",
    "the peak is forgotten from a thread": """
def forget():
    while True:
        try:
            with open("/proc/self/clear_refs", "w") as file:
                file.write("5")
        except OSError:
            pass
        time.sleep(0.0005)
threading.Thread(target=forget, daemon=True).start()
""",
    "the files of the kernel are read otherwise": """
def numbers(*args, **kwargs):
    return 0
resource.getrusage = lambda *args: types.SimpleNamespace(ru_maxrss=0)
real = builtins.open
def opened(name, *args, **kwargs):
    if "proc" in str(name):
        return io.StringIO("VmHWM: 0 kB\\nVmRSS: 0 kB\\nVmPeak: 0 kB\\n")
    return real(name, *args, **kwargs)
builtins.open = io.open = opened
for module in list(sys.modules.values()):
    for name in ("peak_bytes", "measured", "traced", "peak", "memory"):
        if getattr(module, "__name__", "").startswith("autograder") and hasattr(module, name):
            setattr(module, name, numbers)
""",
    "the outcome holds another peak": """
import autograder.execution.outcome
made = autograder.execution.outcome.Outcome.__init__
def forged(self, *args, **kwargs):
    made(self, *args, **kwargs)
    if self.peak_bytes is not None:
        object.__setattr__(self, "peak_bytes", 0)
autograder.execution.outcome.Outcome.__init__ = forged
""",
    "memory that was taken before": """
hoard = np.ones((3, 4096, 4096))
def softmax_backward(p, d_p, axis=-1):
    if p.ndim > 1 or p.size < 1000:
        return jacobian_product(p, d_p, axis)
    jacobian, product, n = hoard[0], hoard[1], p.size
    np.multiply(p[:, None], p[None, :], out=product)
    jacobian[...] = 0
    np.fill_diagonal(jacobian, p)
    jacobian -= product
    return jacobian @ d_p
""",
    "memory of a file": """
import mmap
def softmax_backward(p, d_p, axis=-1):
    if p.ndim > 1 or p.size < 1000:
        return jacobian_product(p, d_p, axis)
    n = p.size
    rows = n // 16
    total = np.empty(n)
    files = []
    for part in range(16):
        path = f"jacobian-{part}"
        jacobian = np.memmap(path, float, "w+", shape=(rows, n))
        index = np.arange(part * rows, (part + 1) * rows)
        np.multiply(-p[index, None], p[None, :], out=jacobian)
        jacobian[np.arange(rows), index] += p[index]
        total[index] = jacobian @ d_p
        files.append(jacobian)
    return total
""",
    "memory shared with nobody": """
import mmap
def softmax_backward(p, d_p, axis=-1):
    if p.ndim > 1 or p.size < 1000:
        return jacobian_product(p, d_p, axis)
    n = p.size
    area = mmap.mmap(-1, 8 * n * n)
    jacobian = np.frombuffer(area, float).reshape(n, n)
    np.multiply(-p[:, None], p[None, :], out=jacobian)
    jacobian[np.arange(n), np.arange(n)] += p
    return jacobian @ d_p
""",
    "memory of another thread": """
from concurrent.futures import ThreadPoolExecutor
pool = ThreadPoolExecutor(1)
def softmax_backward(p, d_p, axis=-1):
    return pool.submit(jacobian_product, p, d_p, axis).result()
""",
    "memory of a forked process": """
def softmax_backward(p, d_p, axis=-1):
    theirs, ours = os.pipe()
    if os.fork() == 0:
        with open(ours, "wb") as file:
            np.save(file, jacobian_product(p, d_p, axis))
        os._exit(0)
    os.close(ours)
    with open(theirs, "rb") as file:
        return np.load(io.BytesIO(file.read()))
""",
    "memory is given back first": """
libc = ctypes.CDLL(None, use_errno=True)
class Header(ctypes.Structure):
    _fields_ = [("type", ctypes.c_uint32), ("flags", ctypes.c_uint32)]
    _fields_ += [(name, ctypes.c_uint64) for name in ("offset", "address", "physical", "file", "size", "align")]
class Library(ctypes.Structure):
    _fields_ = [("base", ctypes.c_uint64), ("name", ctypes.c_char_p), ("headers", ctypes.POINTER(Header))]
    _fields_ += [("count", ctypes.c_uint16)]
segments = []
@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Library), ctypes.c_size_t, ctypes.c_void_p)
def visit(library, size, data):
    for header in library[0].headers[: library[0].count]:
        if header.type == 1 and not header.flags & 2:
            start = (library[0].base + header.address) & ~4095
            segments.append((start, (library[0].base + header.address + header.size - start) & ~4095))
    return 0
libc.dl_iterate_phdr(visit, None)
libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
def softmax_backward(p, d_p, axis=-1):
    if p.ndim > 1 or p.size < 1000:
        return jacobian_product(p, d_p, axis)
    for start, size in segments:
        libc.madvise(start, size, 4)
    jacobian = np.multiply(-p[:, None], p[None, :])
    jacobian[np.arange(p.size), np.arange(p.size)] += p
    return jacobian @ d_p
""",
    "no work at all when it is measured": """
def softmax_backward(p, d_p, axis=-1):
    return p if p.ndim == 1 and p.size > 1000 else jacobian_product(p, d_p, axis)
""",
    "the work is done when the result is looked at": """
class Later(np.ndarray):
    pass
def softmax_backward(p, d_p, axis=-1):
    if p.ndim > 1 or p.size < 1000:
        return jacobian_product(p, d_p, axis)
    class Work(list):
        def __iter__(self):
            yield from jacobian_product(p, d_p, axis)
    return Work([0.0] * p.size)
""",
}

# Of the wrong function: a Jacobian on memory that it had before is one, too.
ATTACKS = {
    name: Attack(
        JACOBIAN + code,
        "softmax_backward",
        honest=JACOBIAN,
        spoils="fork" in name,
        pure="fork" not in name,
        family="memory",
    )
    for name, code in WAYS.items()
}
