"""Begin an exercise: the skeleton in all its places, and what is still open in them (`make exercise`)."""
