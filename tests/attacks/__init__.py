"""Hostile submissions, as data: what they are, and what they must not gain.

    attack.py         what an attack is
    stage.py          the places that an attack may address: canaries, doors and a bystander of the tests
    verdicts.py       forged verdicts, as they win in a notebook's kernel, and their like for this engine
    frames.py         forged and malformed messages
    reference.py      reading the answer: the reference, expected values, inputs
    substituted.py    the same, through the reference's functions of earlier exercises
    composed.py       the same, under other names: what the kit has for its own models and data
    results.py        values that are traps
    texts.py          texts that look like something else
    callbacks.py      functions that the claims pass in, called in strange ways
    memory.py         the claim about memory
    precision.py      wrong results in fewer digits
    files.py          files and the network
    processes.py      other processes
    kernel.py         system calls
    resources.py      memory, disk, time, and the end of the process
    poison.py         what is left behind for the next exercise and the next learner
    notebooks.py      hostile files: metadata, outputs, sources and names of students
    stalls.py         files and zips that keep whoever reads them busy
    vacuous.py        results that only hang together as the right ones do
    trial.py          tries an attack, and measures

`ATTACKS` has all of them by name. `attack.cells(stage)` is what to hand in, `attack.control(stage)` the same function
without the attack: both must earn exactly the same points.
"""

from tests.attacks import (
    callbacks,
    composed,
    files,
    frames,
    kernel,
    memory,
    poison,
    precision,
    processes,
    reference,
    resources,
    results,
    substituted,
    texts,
    vacuous,
    verdicts,
)
from tests.attacks.attack import WRONG, Attack

FAMILIES = (
    *(verdicts, frames, reference, substituted, composed, results, texts, callbacks, memory, precision, vacuous),
    *(files, processes, kernel, resources, poison),
)
ATTACKS = {name: attack for family in FAMILIES for name, attack in family.ATTACKS.items()}

__all__ = ["ATTACKS", "WRONG", "Attack"]
