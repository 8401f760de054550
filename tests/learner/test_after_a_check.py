"""After a check, however it ended, the learner's function can be profiled, traced and timed."""

import itertools
import subprocess
import sys
import time

import pytest
from jupyter_client.manager import start_new_kernel

AFTERWARDS = """
import _thread, cProfile, os, signal, sys, threading, timeit
import numpy as np
import autograder.execution.call
from autograder import check

end, way = sys.argv[1:]
signal.signal(signal.SIGINT, signal.default_int_handler)  # what is started in the background would ignore it
autograder.execution.call.SECONDS_PER_CALL = 1.0
autograder.execution.call.SECONDS_AFTER_TIMEOUT = 0.05
if way == "from a thread" and hasattr(signal, "SIGALRM"):
    signal.signal(signal.SIGALRM, print)  # somebody else's

def softmax(x, axis=-1):
    if end == "interrupted" and way == "in another thread":
        raise KeyboardInterrupt
    if end == "interrupted":
        _thread.interrupt_main()
    while end != "passed":
        pass
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

def work():
    try:
        reached.append("passed" if check(softmax).verdict.status == "passed" else "stopped")
    except KeyboardInterrupt:
        reached.append("interrupted")

reached = []
if way == "in another thread":
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
else:
    work()
assert reached == [end], reached

end, way = "passed", None
x = np.ones((3, 3))
cProfile.run("softmax(x)", os.devnull)
lines = []
def trace(frame, event, arg):
    lines.append(frame.f_lineno)
    return trace
sys.settrace(trace)
softmax(x)
sys.settrace(None)
assert lines
sys.setprofile(lambda *_: None)
softmax(x)
sys.setprofile(None)
assert timeit.timeit(lambda: softmax(x), number=100) < 1
print("done")
"""


WAYS, ENDS = ("by a signal", "from a thread", "in another thread"), ("passed", "stopped", "interrupted")
FAST = {("by a signal", "stopped"), ("from a thread", "interrupted"), ("in another thread", "passed")}


@pytest.mark.parametrize(
    ("way", "end"),
    [
        pytest.param(*pair, marks=() if pair in FAST else pytest.mark.exhaustive)
        for pair in itertools.product(WAYS, ENDS)
    ],
)
def test_in_a_process(end, way):
    """Of its own, since Python 3.11 can hang there; where there are no signals, the first way is the second."""
    done = subprocess.run([sys.executable, "-c", AFTERWARDS, end, way], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("done\n", "")


IN_A_KERNEL = """
import signal
from pathlib import Path
import autograder.execution.call
from autograder import check
from transformer_kit.time_limit import Alarm

assert Alarm.is_free() is hasattr(signal, "setitimer")
autograder.execution.call.SECONDS_PER_CALL = 60
def softmax(x, axis=-1):
    Path("begun").touch()
    while x is not None:
        pass
"""


@pytest.mark.exhaustive
def test_in_a_kernel(tmp_path):
    """After Kernel > Interrupt Kernel."""
    manager, kernel = start_new_kernel(cwd=tmp_path)
    try:
        assert kernel.execute_interactive(IN_A_KERNEL, timeout=60)["content"]["status"] == "ok"
        asked, until = kernel.execute("check(softmax)"), time.monotonic() + 60
        while not (tmp_path / "begun").exists() and time.monotonic() < until:
            time.sleep(0.05)
        manager.interrupt_kernel()
        while (reply := kernel.get_shell_msg(timeout=20))["parent_header"]["msg_id"] != asked:
            pass
        assert reply["content"]["ename"] == "KeyboardInterrupt"
        assert kernel.execute_interactive("%prun -q softmax(None)", timeout=20)["content"]["status"] == "ok"
    finally:
        kernel.stop_channels()
        manager.shutdown_kernel(now=True)
