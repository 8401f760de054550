"""Grades a class: submissions become verdict records, a gradebook, pages for learners and a class report.

commands.py                         what `course grade` and its siblings do
  summary.py                        what it tells when it is done, and the exit status
  intake/                           finds submissions in folders, zips and damaged notebooks, and repairs them
  run.py                            grades what has no verdict yet, and commits what is not committed yet
    attempts.py                     which of several attempts counts, where times do not tell; moved.py: a new owner
    executors.py, verdicts/task.py  one pure step per submission, in any executor: code in, verdicts out
    isolation/                      does it in a fork of a clean process (verdicts/judging.py); reads notebooks apart
    verdicts/record.py, store.py    what was decided, keyed by everything that decides it (verdicts/fingerprint.py)
    commit.py                       a single process writes: gradebook.py, autograded.py, pages/page.py
  agreement.py, stale.py, crossed.py    whether records, gradebook (rows.py), pages and ids say the same
  pages/class_report.py             the class at a glance
steps.py, sanitize.py               nbgrader's own commands, grading by the same judge
single.py                           `course judge`: notebooks without the folder of a class
recipes/                            `course recipe`: the course in a workflow, on Gradescope, in a container
"""

from autograder.registry import judge_here

judge_here()
