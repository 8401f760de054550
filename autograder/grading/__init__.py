"""Grades a class: what was handed in becomes verdict records, a gradebook, pages for learners and a report.

    find, read, repair          submissions, out of folders, zips and damaged notebooks
      task (judge, worker)      one pure step for each: code in, verdicts out; in any `concurrent.futures` executor
        record                  what is decided, keyed by all that decides it: what has its record is done
          commit                nbgrader's gradebook, autograded notebooks and pages, written by one process only
            report              the class at a glance
"""
