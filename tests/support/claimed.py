"""Claims by the names of their tests, for whoever wants to quote neither their sentences nor their points."""

from autograder.registry import find


def claim_of(name, test):
    """Return the claim of an exercise whose test has this name."""
    (found,) = [claim for claim in find(name).claims if claim.test.__name__ == test]
    return found
