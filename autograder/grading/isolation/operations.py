"""What can be asked of a clean process.

Each operation is a module with ``prepare(*terms)``, which learns nothing of a submission; ``perform(value)``, which
returns the answer, and whether what it found prepared can be used again; and ``close()``, which is called when that is
not so. Where `FORKS` is true, `perform` runs in a fork.
"""

OPERATIONS = {"judge": "autograder.grading.verdicts.judging", "read": "autograder.grading.intake.isolated_operation"}
