"""The questions of unit 10."""

QUESTIONS = ()
