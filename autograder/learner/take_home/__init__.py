"""All functions of a learner in one Python file that runs alone, with the course's programs on top of them.

statements.py   a module, statement by statement: what each binds and uses, and its text under other names
gather.py       which statements of which modules the file needs, and where every name comes from
one_file.py     their order and their names, and what stands around them
programs.py     which of the course's programs can run here
export.py       the command: whose functions, into which file, and whether it runs
"""
