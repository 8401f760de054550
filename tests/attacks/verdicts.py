"""Forged verdicts: the tricks that win where tests run in the learner's own process, and their like for this engine."""

from tests.attacks.attack import Attack

# As they are written for a notebook's kernel. Where a grader has no kernel they can only fail.
NOTEBOOK = {
    "a transformer of the syntax tree removes the checks": """
import ast
class Remove(ast.NodeTransformer):
    def visit_Assert(self, node): return ast.copy_location(ast.Pass(), node)
    def visit_Expr(self, node): return ast.copy_location(ast.Pass(), node)
get_ipython().ast_transformers.append(Remove())
""",
    "a transformer of the source makes later cells pass": """
get_ipython().input_transformers_post.append(lambda lines: ["pass\\n"])
""",
    "a clean-up transformer makes later cells pass": """
get_ipython().input_transformers_cleanup.append(lambda lines: ["pass\\n"])
""",
    "run_cell is replaced": """
shell = type(get_ipython())
run_cell = shell.run_cell
shell.run_cell = lambda self, source, *a, **k: run_cell(self, "pass", *a, **k)
""",
    "a result is displayed before the check": """
def softmax(x, axis=-1):
    get_ipython().displayhook(4.0)
    return np.full(np.shape(x), 0.123)
""",
    "a text is displayed before the check": """
def softmax(x, axis=-1):
    get_ipython().displayhook("hello")
    get_ipython().displayhook(float("nan"))
    return np.full(np.shape(x), 0.123)
""",
    "the kernel's messages are rewritten": """
session = get_ipython().kernel.session
send = session.send
def rewritten(stream, message, content=None, *args, **kwargs):
    kind = message["msg_type"] if isinstance(message, dict) else message
    body = message["content"] if isinstance(message, dict) else content
    if kind == "error":
        return None
    if kind == "execute_result" and body["data"]["text/plain"] == "0.0":
        body["data"] = {"text/plain": "4.0"}
    if kind == "execute_reply" and body:
        body["status"] = "ok"
    return send(stream, message, content, *args, **kwargs)
session.send = rewritten
""",
    "the history reveals the hidden test": """
def softmax(x, axis=-1):
    source = get_ipython().history_manager.input_hist_parsed[-1]
    space = {"np": np}
    exec("\\n".join(line for line in source.splitlines() if "expected" in line), space)
    return space["expected"]
""",
    "an exception handler of the shell": """
get_ipython().set_custom_exc((Exception,), lambda *args, **kwargs: None)
get_ipython().showtraceback = lambda *args, **kwargs: None
""",
    "the check is bound to another name": """
import autograder
real = autograder.check
check = lambda function: 4.0 if function.__name__ == "softmax" else real(function)
autograder.check = check
""",
    "the reference is replaced by the learner's function": """
import transformer_kit.reference as reference
reference.softmax = softmax
from autograder.registry import find
object.__setattr__(find("softmax"), "reference", softmax)
""",
    "the claims are removed": """
from autograder.registry import find
for claim in find("softmax").claims:
    object.__setattr__(claim, "test", lambda call, rng: None)
""",
}

GENERAL = {
    "NumPy's assertions are replaced": """
for name in ("assert_allclose", "assert_array_equal", "assert_array_almost_equal", "assert_equal"):
    setattr(np.testing, name, lambda *args, **kwargs: None)
""",
    "NumPy's comparisons are replaced": """
for name in ("allclose", "isclose", "array_equal", "all", "any"):
    setattr(np, name, lambda *args, **kwargs: True)
""",
    "a thread replaces NumPy's comparisons again and again": """
def again():
    while True:
        np.testing.assert_allclose = lambda *args, **kwargs: None
        np.allclose = np.array_equal = lambda *args, **kwargs: True
        time.sleep(0.001)
threading.Thread(target=again, daemon=True).start()
""",
    "the caller's expected values are overwritten": """
def softmax(x, axis=-1):
    result, frame = np.full(np.shape(x), 0.123), sys._getframe(1)
    while frame:
        for scope in (frame.f_locals, frame.f_globals):
            for name, value in list(scope.items()):
                if name in ("expected", "want", "correct") and isinstance(value, np.ndarray):
                    value[...] = result.flat[0]
        frame = frame.f_back
    return result
""",
    "expected values are taken from the caller": """
def softmax(x, axis=-1):
    frame, shape = sys._getframe(), np.shape(x)
    while frame:
        for scope in (frame.f_locals, frame.f_globals):
            for name, value in list(scope.items()):
                if name in ("expected", "reference", "exercise", "claims", "correct", "ref"):
                    if isinstance(value, np.ndarray):
                        return value
                    if callable(value) and not isinstance(value, types.ModuleType):
                        return value(x, axis)
        frame = frame.f_back
    return np.full(shape, 0.123)
""",
    "a SystemExit that says all is well": "raise SystemExit(0)\n",
    "the score is set where PrairieLearn keeps it": """
main = sys.modules["__main__"]
for holder in [main, builtins, *list(sys.modules.values())]:
    for name in ("Feedback", "set_score", "output_fname", "points", "score", "passed"):
        if hasattr(holder, name):
            attempt(setattr, holder, name, lambda *args, **kwargs: 1.0)
log.clear()
with open("results.json", "w") as file:
    json.dump({"score": 1.0, "points": 4, "gradable": True, "succeeded": True}, file)
""",
    "pickles that mark everything as passed": """
import pickle
dump, dumps = pickle.dump, pickle.dumps
class Passed:
    def __reduce__(self): return exec, ("raise SystemExit('unpickled')",)
pickle.dump = lambda value, file, *a, **k: dump(Passed(), file)
pickle.dumps = lambda value, *a, **k: dumps(Passed())
import copyreg
copyreg.pickle(np.ndarray, lambda array: (exec, ("raise SystemExit('unpickled')",)))
def softmax(x, axis=-1):
    print(log)
    array = np.empty(1, dtype=object)
    array[0] = Passed()
    return array
""",
    "a gradebook beside the notebook": """
def write():
    for _ in range(40):
        for name in ("gradebook.json", "grades.json", "results.json", "record.json", "softmax.json"):
            with open(name, "w") as file:
                json.dump({"points": 4, "auto_score": 4.0, "status": "correct", "passed": True}, file)
        time.sleep(0.05)
threading.Thread(target=write, daemon=True).start()
""",
}

# The pieces of this engine that lie in the worker.
ENGINE = {
    "the engine's comparisons are replaced": """
execution = ("autograder.execution.compare", "autograder.execution.outcome", "autograder.execution.call")
for name in (*execution, "autograder.evaluation.evaluate", "autograder.learner.check"):
    try:
        module = importlib.import_module(name)
    except Exception:
        continue
    for attribute, answer in {"compare": None, "compare_one": None, "alike": True, "same_as": True}.items():
        setattr(module, attribute, lambda *args, answer=answer, **kwargs: answer)
import autograder.execution.outcome
autograder.execution.outcome.Outcome.same_as = lambda *args, **kwargs: True
""",
    "every outcome is a success": """
import autograder.execution.call, autograder.execution.outcome
Outcome = autograder.execution.outcome.Outcome
forged = lambda *args, **kwargs: Outcome("returned", True, None, (), (), (), (), "", 0)
for module in list(sys.modules.values()):
    for name in ("run", "LocalRunner", "_attempt"):
        if getattr(module, "__name__", "").startswith("autograder") and hasattr(module, name):
            setattr(module, name, forged)
for thing in gc.get_objects():
    if type(thing).__name__ == "LocalRunner":
        type(thing).__call__ = forged
""",
    "the answers claim a pass": """
for module in list(sys.modules.values()):
    if getattr(module, "__name__", "").startswith("autograder.judge") and hasattr(module, "fields"):
        module.fields = lambda *args: ("passed", 4.0, None, (), (), (), "points: 4 of 4", 0)
peer().handlers = {op: lambda value: {"points": 4, "passed": True} for op in peer().handlers}
""",
    "the check of the worker's stubs is replaced": """
import autograder
for place in [autograder, builtins, *list(sys.modules.values())]:
    for name in ("check", "evaluate", "Score", "Verdict", "Record", "Claim"):
        attempt(setattr, place, name, lambda *args, **kwargs: 4.0)
log.clear()
""",
    "points are written into everything that has some": """
for thing in gc.get_objects():
    for name in ("points", "passed", "score", "status", "missing", "ended"):
        try:
            if hasattr(thing, name):
                setattr(thing, name, {"points": 4, "score": 4, "passed": True}.get(name, ""))
        except Exception:
            pass
""",
    "NumPy writes other files": """
np.lib.format.write_array = lambda file, *args, **kwargs: file.write(b"passed")
np.lib.format.header_data_from_array_1_0 = lambda *args: {"shape": (2,), "fortran_order": False, "descr": "|O"}
np.save = np.lib.format.write_array
""",
    "JSON writes a verdict": """
dumps = json.dumps
json.dumps = lambda value, *args, **kwargs: dumps(
    {"op": "verdict", "points": 4, "passed": True, "id": 0, "sizes": [], "value": 4}
)
json.JSONEncoder.encode = lambda self, value: '{"op": "verdict", "points": 4}'
""",
    "struct and the prefix are replaced": """
struct.pack = lambda *args: b"TFC1" + bytes(8)
import autograder.judge.wire.protocol as protocol
protocol.PREFIX = type("Prefix", (), {"size": 12, "pack": lambda *a: bytes(12), "unpack": lambda *a: (b"TFC1", 2, 0)})
""",
    "isinstance and type are replaced": """
builtins.isinstance = lambda *args: True
builtins.callable = lambda *args: True
builtins.type = lambda *args: np.ndarray
builtins.getattr = lambda *args: 4.0
""",
}

# They get their points from nbgrader as it is, which believes what the learner's kernel says; measured, not supposed.
FORGE_NBGRADER = (
    "a transformer of the syntax tree removes the checks",
    "a transformer of the source makes later cells pass",
    "a clean-up transformer makes later cells pass",
    "run_cell is replaced",
    "a result is displayed before the check",
    "a text is displayed before the check",
    "the kernel's messages are rewritten",
    "the check is bound to another name",
    "the claims are removed",
    "the engine's comparisons are replaced",
)
SPOILED = {"NumPy's comparisons are replaced", "a thread replaces NumPy's comparisons again and again"}
# Only what these do is harmless without a sandbox: the others write beside the notebook, or replace what is built in.
WRITES = {"the score is set where PrairieLearn keeps it", "a gradebook beside the notebook"}

ATTACKS = {
    **{name: Attack(code, pure=True, family="notebook") for name, code in NOTEBOOK.items()},
    **{
        name: Attack(code, pure=name not in WRITES, spoils=name in SPOILED, family="verdict")
        for name, code in GENERAL.items()
    },
    **{name: Attack(code, pure=True, spoils=True, family="engine") for name, code in ENGINE.items()},
}
