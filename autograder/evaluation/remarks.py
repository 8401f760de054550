"""What a learner should know about a function although it costs nothing."""

from collections.abc import Sequence

from autograder.evaluation.trials import Trial
from autograder.specification import Exercise


def remarks(exercise: Exercise, trials: Sequence[Trial], inputs: bool = True) -> tuple[str, ...]:
    """Return what the learner should know although it costs nothing; `inputs`: also about touched arguments."""
    outcomes = [trial.outcome for trial in trials]
    texts = []
    if any(outcome.printed for outcome in outcomes):
        line = next(o.printed for o in outcomes if o.printed).strip().splitlines() or [""]
        texts.append(f'Your function prints (first: "{line[0][:60]}"). A function that others call should be quiet.')
    warned = [text for outcome in outcomes for text in outcome.warnings]
    if warned:
        texts.append(f'Your function warns ("{warned[0][:80]}"). Look where the warning comes from.')
    changed = sorted({name for outcome in outcomes for name in outcome.changed})
    if changed and inputs:
        texts.append(f"Your function changes its argument {', '.join(changed)}. Work on a new array instead.")
    shared = sorted({name for outcome in outcomes for name in outcome.shares})
    if shared and inputs and not exercise.may_be_view:
        texts.append(f"Your result shares its memory with the argument {', '.join(shared)}. Return a new array.")
    if inputs and any(outcome.earlier for outcome in outcomes):
        texts.append("Your function returns an array or a list again, or changes one, that it had returned.")
    return tuple(texts)
