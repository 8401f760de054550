"""Reading the answer: the reference, expected values and inputs, wherever a process may find them."""

from tests.attacks.attack import Attack

# Each defines `ways`, a function that yields candidates for the reference.
TRY = """
def softmax(x, axis=-1):
    print(log)
    for way in ways():
        if getattr(way, "__code__", None) is softmax.__code__:
            continue
        try:
            found = way(np.array(x), axis)
            if isinstance(found, np.ndarray) and found.shape == np.shape(x):
                return found
        except Exception:
            pass
    return np.full(np.shape(x), 0.123)
"""
SOFTMAX = {
    "import from the kit": """
def ways():
    names = ["", ".softmax", ".unit_02_scaled_dot_product_attention", ".unit_03_masking", ".floats"]
    others = ["transformer_kit", "transformer_kit.experiments.leaks"]
    for name in ["transformer_kit.reference" + name for name in names] + others:
        try:
            module = importlib.import_module(name)
        except Exception:
            continue
        for found in (getattr(module, "softmax", None), getattr(getattr(module, "reference", None), "softmax", None)):
            if found:
                yield found
""",
    "import of the specification": """
def ways():
    unit = "autograder.exercises.unit_02_scaled_dot_product_attention"
    engine = ("autograder.registry", "autograder.evaluation.patterns", "autograder.judge.view")
    for name in (*engine, unit, unit + ".softmax"):
        try:
            module = importlib.import_module(name)
        except Exception:
            continue
        if hasattr(module, "find"):
            yield module.find("softmax").reference
        yield getattr(getattr(module, "EXERCISE", None), "reference", None)
""",
    "everything that the collector knows": """
def ways():
    own = softmax.__code__
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType) and "softmax" in thing.__name__ and thing.__code__ is not own:
            if not (thing.__module__ or "").startswith("scipy"):
                yield thing
    for thing in gc.get_objects():
        if isinstance(thing, types.CodeType) and thing.co_name == "softmax" and thing is not own:
            yield types.FunctionType(thing, {"np": np})
""",
    "every module that is loaded": """
def ways():
    for name, module in list(sys.modules.items()):
        if name.startswith(("transformer_kit", "autograder")) and module is not None:
            for attribute in dir(module):
                thing = getattr(module, attribute, None)
                if "softmax" in attribute and callable(thing):
                    yield thing
                yield getattr(thing, "softmax", None)
""",
    "the closures of the kit's own helpers": """
def ways():
    for module in list(sys.modules.values()):
        if not getattr(module, "__name__", "").startswith(("transformer_kit", "autograder")):
            continue
        for thing in list(vars(module).values()):
            code = getattr(thing, "__globals__", {})
            yield code.get("softmax")
            for cell in getattr(thing, "__closure__", None) or ():
                try:
                    yield cell.cell_contents
                except ValueError:
                    pass
""",
    "files of the folders on the path": """
def ways():
    import site
    folders = [*sys.path, os.getcwd(), os.environ.get("HOME", "."), STAGE["course"], sys.prefix]
    folders += [*site.getsitepackages(), os.path.join(STAGE["course"], "shared")]
    for folder in folders:
        for inside in ("", "transformer_kit/reference", "shared/transformer_kit/reference", "..", "../view"):
            place = os.path.join(folder, inside, "unit_02_scaled_dot_product_attention.py")
            try:
                with open(place) as file:
                    source = file.read()
            except OSError:
                continue
            if "def softmax" not in source:  # a stand-in
                continue
            breach("the reference's source")
            space = {}
            exec(source, space)
            yield space["softmax"]
""",
    "notebooks and specifications of the course": """
def ways():
    unit = "02_scaled_dot_product_attention"
    solutions = (f"solutions/{unit}.py", f"solutions/{unit}/{unit}.ipynb")
    for place in (*solutions, "autograder/evaluation/evaluate.py", ".git/HEAD"):
        try:
            with open(os.path.join(STAGE["course"], place)) as file:
                breach(place + file.read()[:20])
        except OSError as error:
            log.append(type(error).__name__)
    return ()
""",
    "compiled files": """
def ways():
    import marshal
    for folder in [*sys.path, STAGE["course"]]:
        for root, _, files in os.walk(folder):
            if root.count(os.sep) - folder.count(os.sep) > 4 or "numpy" in root or "scipy" in root:
                continue
            for name in files:
                if name.startswith("unit_02") and name.endswith(".pyc"):
                    with open(os.path.join(root, name), "rb") as file:
                        space = {}
                        exec(marshal.loads(file.read()[16:]), space)
                    yield space.get("softmax")
""",
    "the lines that the traceback module keeps": """
def ways():
    import inspect, linecache
    for name, entry in list(linecache.cache.items()):
        text = "".join(entry[2]) if len(entry) == 4 else ""
        if "def softmax" in text and "<cell" not in name:
            log.append(name)
            space = {"np": np}
            exec(text, space)
            yield space.get("softmax")
    for module in list(sys.modules.values()):
        try:
            if "def softmax(x, axis" in inspect.getsource(module) and "scipy" not in module.__name__:
                breach("source of " + module.__name__)
        except Exception:
            pass
""",
    # The texts of the reference and of the specification are written so that this code does not hold them.
    "its own memory": """
def ways():
    import re
    needles = [rb"the largest exponent is [0]: no", rb"exponentials / [e]xponentials", rb"numbers of size [1]000"]
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            area, rights, _, _, _, *path = line.split()
            start, end = (int(n, 16) for n in area.split("-"))
            if "r" not in rights or path[:1] and path[0].startswith(("[v", "/")) or end - start > 1 << 28:
                continue
            try:
                memory.seek(start)
                content = memory.read(end - start)
            except (OSError, ValueError, OverflowError):
                continue
            for needle in needles:
                if re.search(needle, content):
                    breach("memory holds " + needle.decode())
    return ()
""",
    "its own memory, by address": """
def ways():
    import re
    needles = [rb"the largest exponent is [0]: no", rb"exponentials / [e]xponentials", rb"numbers of size [1]000"]
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    page, state, seen = 4096, ctypes.create_string_buffer(4096), set()
    gc.unfreeze()
    for thing in gc.get_objects():
        block = id(thing) >> 20 << 20
        if block in seen or len(seen) > 400:
            continue
        seen.add(block)
        for start in range(block, block + (1 << 20), page):
            if libc.mincore(start, page, state) == 0 and state[0] != bytes(1):
                content = ctypes.string_at(start, page)
                for needle in needles:
                    if re.search(needle, content):
                        breach("memory holds " + needle.decode())
    log.append(str(len(seen)))
    return ()
""",
    "the caller's frames": """
def ways():
    frame = sys._getframe()
    while frame:
        for scope in (frame.f_locals, frame.f_globals):
            for name, value in list(scope.items()):
                if name in ("reference", "expected", "exercise", "claim", "claims", "seed", "secret"):
                    log.append(name)
                    yield getattr(value, "softmax", None)
                    yield getattr(value, "reference", None)
        frame = frame.f_back
""",
    "an array in memory that sums to 1": """
def ways():
    def known(x, axis):
        arrays = [a for a in gc.get_objects() if isinstance(a, np.ndarray) and a.shape == x.shape]
        for thing in gc.get_objects():
            if isinstance(thing, (tuple, list)):
                arrays += [a for a in thing if type(a) is np.ndarray and a.shape == x.shape]
        return next(a for a in arrays if a.dtype.kind == "f" and np.allclose(a.sum(axis), 1))
    yield known
""",
    "the seed of the visible check": """
def ways():
    import zlib
    table = {}
    for seed in (zlib.crc32(b"softmax"), 0, 1):
        for claim in range(5):
            rng = np.random.default_rng([seed, claim])
            for shape in ((2, 3, 5), (3, 5)):
                drawn = rng.standard_normal(shape)
                table[drawn.tobytes()] = drawn
    def known(x, axis):
        drawn = table[np.ascontiguousarray(x).tobytes()]
        e = np.exp(drawn - drawn.max(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)
    yield known
""",
    "functions in the memory of the kit's figures": """
def ways():
    import pkgutil, transformer_kit
    for module in pkgutil.walk_packages(transformer_kit.__path__, "transformer_kit."):
        try:
            loaded = importlib.import_module(module.name)
        except Exception:
            continue
        for name, thing in list(vars(loaded).items()):
            if isinstance(thing, types.FunctionType) and ("softmax" in name or "weights" in name):
                yield thing
""",
}

ATTACKS = {
    name: Attack(code + TRY, slow=name == "compiled files", family="reference") for name, code in SOFTMAX.items()
}
