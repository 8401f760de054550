"""The inner layers of the sandbox: what a forked child gives up before a learner's code runs in it.

This package needs the standard library only, because it is copied into the folder that a worker sees. The outer layer
tells it through one environment variable what may be read and how many processes there may be.

The layers are system calls made with ctypes. pyseccomp wants libseccomp as a shared library on every machine, which a
conda environment and many containers do not have, and the packages for Landlock are previews; both would have to be
shown to the worker and would build a filter anew in every child. What is needed of them is two tables of numbers and
some forty lines, takes about a millisecond, and is tested from inside at each start.
"""

import json
import os

from autograder.judge.sandbox.confine import landlock, limits, seccomp

SETTINGS = "WORKER_SANDBOX"  # the environment variable; a backend writes it


def shield() -> None:
    """Close this process's memory to other processes of its user, even where there is no Landlock.

    Called by the warm server before it forks, so that no child can change it.
    """
    limits.set_process(limits.SET_DUMPABLE, 0)


def expose() -> None:
    """Open a forked child to the warm server again, which looks at what files it holds open."""
    limits.set_process(limits.SET_DUMPABLE, 1)


def confine(work: str) -> tuple[str, ...]:
    """Limit this process, for good: rlimits, then Landlock, then seccomp, as far as the machine has them.

    Called in a child that was just forked and has one thread. It becomes unable to write outside a folder, to read
    anything but Python and the packages, to start processes or programs, to signal others and to use a network.

    Parameters
    ----------
    work : path
        The folder that the child may write to; becomes its working directory.

    Returns
    -------
    tuple of str
        The layers that are in force from now on.

    Raises
    ------
    RuntimeError
        When the process was not started by a backend of the sandbox.
    OSError
        When the kernel has a layer and refuses it: the child must end then.
    """
    text = os.environ.pop(SETTINGS, None)
    if text is None:
        raise RuntimeError(f"{SETTINGS} is not set: start the worker with the launch of a sandbox backend")
    settings = json.loads(text)
    os.chdir(work)
    limits.apply(settings["processes"])
    layers = ["limits"]
    if settings["inner"]:
        version = landlock.restrict(settings["list"], settings["read"], work)
        if version > 0:
            layers.append(f"Landlock {version}")
        has_filter = seccomp.install()
        if has_filter:
            layers.append("seccomp")
    return tuple(layers)
