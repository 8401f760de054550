"""Finds the submissions in a folder of any shape.

pipeline.py: find            the stages, one after the other; each returns one record
  folders.py: list_files     1. the files, of each person as far as there is room (quotas.py), also in zips (zips.py)
  assign_units.py            2. the notebooks with their units
  assign_senders.py          3. whose folder, zip or file each lies in (senders.py), and when it came (times.py)
    written_names.py         names that people have written, with their unit in short (short_forms.py)
    missing.py               who has a place in the folder and no notebook in it
  assign_students.py         4. the ids of the senders, and what bears another student's name
  choose_attempts.py         5. which attempt of each student counts
  leftovers.py               what lies beside all that
problems.py: Problems        what the stages tell the instructor

roster.py: People            who can have handed in: the ids of the class (register.py), which nobody can take from
                             anybody, and the roster, as a file has it (roster_table.py, ilias.py)
platforms.py                 the table of learning platforms: how each names what it exports (and moodle_groups.py)
names.py                     the student, the unit and the version in any other name, and how names are compared
item.py, wording.py          a file, and how its name stands in a sentence
"""
