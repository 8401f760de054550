"""Finds what was handed in, in folders, zips and damaged notebooks, and puts it into the form of the released ones.

take_in.py: Intake            the way in: what a class has handed in, one notebook at a time
  find/pipeline.py: find      who handed in what for which unit, and what is refused
  select.py: select           what is wanted of it, and who is expected and has handed in nothing
  handed_in.py: HandedIn      one notebook as it was handed in, of which nothing has been read yet
isolated.py: submission_of    makes a submission of it, in another process, so that no notebook can stop the class
  isolated_operation.py       what that process does
    handed_in.py: take_in     reads, repairs and never fails
      read/cells.py: read     the cells that can be recovered from the bytes
      repair/notebook.py      puts them into the released notebook (skeleton.py)
      submission.py           what comes of it

`find` asks `isolated`, too, for the unit of a notebook whose name does not tell. `repair` imports `read`, and neither
of the two knows where a notebook was found.
"""
