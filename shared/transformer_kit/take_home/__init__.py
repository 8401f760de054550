"""Programs for the file that a learner takes home: it holds their functions, and runs alone.

The command `course export-library` (`autograder.learner.take_home`) puts the learner's functions in the place of the
reference, and puts everything that a program needs of this package into the same file. A program is a module here:

* a function without arguments that loads a model and returns another one: from the words that were typed to an answer.
  The first line of its docstring says what it does. It raises ValueError, with a sentence, where it cannot run;
* `EXAMPLE`, what to type after the name of the file;
* `FILES`, what it reads with `content`: paths below `transformer_kit`, which go into the file as they are;
* `NEEDS`, where it needs more than NumPy: the name of a package, and the line that installs it. Where the package is
  not installed, or a function is missing, the file is written without this program.

The course lists its programs (`Course.programs`).
"""
