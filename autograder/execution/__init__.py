"""Runs one call of a function and describes what came of it, in a notebook as in a sandboxed worker."""
