"""Experiments on the trained Transformer as a whole; a submission that is being graded does not get them."""
