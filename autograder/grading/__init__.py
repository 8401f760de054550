"""Grades a class: what was handed in becomes verdict records, a gradebook, pages for learners and a report.

commands                      what `course grade` and its like do
  intake                      submissions, out of folders, zips and damaged notebooks
  run                         what has no verdict is asked, what is not committed is committed
    executors, task           one pure step for each submission: code in, verdicts out, in any executor
    record, store             what is decided, keyed by all that decides it (fingerprint)
    commit                    one process writes: gradebook, autograded, pages.page
  pages.report                the class at a glance
steps                         nbgrader's own commands grade by the same judge
"""
