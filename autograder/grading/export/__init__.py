"""The way back: points in the form that each platform imports, and feedback as the zip that it takes.

points.py      what stands in the columns: the points of units, or of exercises
people.py      who stands in the rows, with the ids that the platform knows
platforms.py   the forms of Canvas, Moodle, Brightspace, Blackboard and ILIAS, and a plain table
ilias.py       the folders and the status file of ILIAS
feedback.py    the pages, under the names that the platform gave
plugins.py     the same for `nbgrader export`
"""
