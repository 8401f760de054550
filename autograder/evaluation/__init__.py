"""Judges a function, wherever it runs: tries its claims, names its mistake, finds a counterexample."""
