"""Experiments with a public chat model on the functions of the course: lines changed, heads silenced, tokens hidden."""
