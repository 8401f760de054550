"""The arguments of the command `course`, one module for each group of its commands.

learners.py     progress, reset, export-library
founding.py     init, update, own, edition
deciding.py     set
grading.py      grade, report, sandbox
single.py       judge
afterwards.py   export, tick, show, forget, archive
recipes.py      recipe
options.py      options that several commands have

Each group has a function `add`, which adds the parsers of its commands in the order in which `course --help` lists
them. Nothing here imports what the commands do, so that a mistake in a command is told at once.
"""
