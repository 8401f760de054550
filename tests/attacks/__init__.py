"""Hostile submissions, as data: what they are, and what they must not gain.

    attack.py         what an attack is
    stage.py          the places that an attack may address: canaries, doors and a bystander of the tests
    verdicts.py       forged verdicts, as they win in a notebook's kernel, and their like for this engine
    frames.py         forged and malformed messages
    reference.py      reading the answer: the reference, expected values, inputs
    lent.py           the same, out of the functions of earlier exercises
    results.py        values that are traps
    texts.py          words that look like something else
    callbacks.py      functions that the claims hand over, and are called strangely
    memory.py         the claim about memory
    files.py          files and the network
    processes.py      other processes
    kernel.py         calls of the kernel
    resources.py      memory, disk, time, and the end of the process
    poison.py         what is left for the next exercise and the next learner
    notebooks.py      hostile files: metadata, outputs, sources and names of students
    trial.py          tries an attack, and measures

`ATTACKS` has all of them by name. `attack.cells(stage)` is what to hand in, `attack.control(stage)` the same function
without the attack: both must earn exactly the same points.
"""

from tests.attacks import (
    callbacks,
    files,
    frames,
    kernel,
    lent,
    memory,
    poison,
    processes,
    reference,
    resources,
    results,
    texts,
    verdicts,
)
from tests.attacks.attack import WRONG, Attack

FAMILIES = (
    *(verdicts, frames, reference, lent, results, texts, callbacks, memory),
    *(files, processes, kernel, resources, poison),
)
ATTACKS = {name: attack for family in FAMILIES for name, attack in family.ATTACKS.items()}

__all__ = ["ATTACKS", "WRONG", "Attack"]
