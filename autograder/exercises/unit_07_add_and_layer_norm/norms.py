"""Mistakes that `post_norm` and `pre_norm` share: what the layer norm is given."""

from autograder.exercises.wrong import WrongAnswers

ARGUMENTS = "gamma, beta, eps)"  # as they stand in the reference


def take_other_norms(wrong: WrongAnswers) -> None:
    """Add the mistakes of a function that hands the layer norm something else than its own gamma, beta and eps."""
    wrong("eps-not-handed-on", {ARGUMENTS: "gamma, beta)"}, """
        eps is not passed on to the norm.
        Nothing fails when an argument is not used: the norm silently falls back on its default.""")

    wrong("gamma-and-beta-exchanged", {ARGUMENTS: "beta, gamma, eps)"}, """
        gamma and beta are passed on in the wrong order.
        The norm takes the scale first and the shift second.""")

    wrong("gamma-and-beta-replaced", {ARGUMENTS: "np.ones(X.shape[-1]), np.zeros(X.shape[-1]), eps)"}, """
        gamma and beta are replaced by 1 and 0.
        These are only the values at the start of training. Pass on the ones that you were given.""")
