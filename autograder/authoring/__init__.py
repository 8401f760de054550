"""Builds the notebooks and the stored hints from their text sources, and derives the learners' release."""
