"""Notebooks that have run: with a learner's library or without, what they complained of, and their points."""

import os

from tools.course import tags
from tools.kernels import execute, outputs
from transformer_kit import workbench

ALONE = {name: text for name, text in os.environ.items() if name != workbench.VARIABLE}


def noise(nb):
    """Return the ids of cells that end in an exception or write to stderr."""
    return [id for id, o in outputs(nb) if o.output_type == "error" or o.get("name") == "stderr"]


def scores(nb):
    """Return the plain-text result of every check cell, by exercise."""
    checks = [cell for cell in nb.cells if tags(cell).get("grade")]
    return {tags(c)["grade_id"].removeprefix("check-"): float(c.outputs[-1].data["text/plain"]) for c in checks}


def run(book, folder):
    """Run a notebook with the library that it finds from its folder."""
    return execute(book, folder, env=ALONE)
