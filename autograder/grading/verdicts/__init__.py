"""Verdicts: the task that reaches them, the records that keep them, and the key of everything that decides them."""
