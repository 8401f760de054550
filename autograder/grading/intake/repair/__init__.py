"""Puts what a student wrote into the released notebook.

notebook.py: repair    the released notebook, with the student's sources where a student may write
  match.py             which handed-in cell belongs to which released one
  clean.py             texts and outputs, harmless in a page
  needed.py: code_of   the statements that the student's functions need, which is all that a worker runs
  notes.py             what had to be repaired, in sentences
"""
