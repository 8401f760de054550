"""Grading elsewhere: what an instructor needs for a workflow of a repository, for Gradescope, and for a container.

write.py         `course recipe`: writes the files of a recipe into a folder
packed.py        a copy of the course, which some recipes bring along
gradescope.py    makes what Gradescope reads of what `course judge` has written
templates/       the files
"""
