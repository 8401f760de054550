"""Memory as an attacker would like it: whatever is allocated next holds a pattern that no right number holds."""

import numpy as np

PATTERN, FREED = 0xA7, 0x58  # of memory that is taken, and of memory that was given back
# glibc does so itself with this in the environment, where the blocks are not NumPy's own
PERTURBED = {"GLIBC_TUNABLES": f"glibc.malloc.perturb={FREED}"}
SMALL = (*range(8, 1024, 8), 1024)  # NumPy keeps a few blocks of each of these sizes itself
LARGE = (1 << 11, 1 << 12, 3 << 12, 1 << 14, 1 << 15, 1 << 16, 1 << 17)
COPIES = 8


def refill(pattern=PATTERN):
    """Fill the memory that is free for arrays with a byte: take blocks of all sizes, write, and give them back."""
    blocks = [np.full(size, pattern, np.uint8) for size in SMALL for _ in range(COPIES)]
    blocks += [np.full(size, pattern, np.uint8) for size in LARGE]
    del blocks
