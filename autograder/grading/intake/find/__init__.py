"""Finds the submissions in a folder of any shape.

submissions.py: find     one candidate for each student and unit, and a sentence on everything that is refused
  folders.py, zips.py    the files, as item.py describes them, as far as one person's have room (room.py)
  senders.py: Places     whose they are: the names at the top decide
    whose.py, forms.py   names that people have written, with their unit in short
  students.py            the attempts of each student, and what bears another student's name
    latest.py            which of them counts, by times.py or by dates
  owners.py              the ids of the senders
    ids.py: Register     the ids of the class, which nobody can take from anybody
    roster.py: Roster    who is in the class, as roster_table.py reads it
  moodle.py              groups and numbers in Moodle's names
  nothing.py             who has a place in the folder and no notebook in it
names.py                 the student, the unit and the version in the name of a file, which all of these ask
"""
