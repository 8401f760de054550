"""The smallest counter-example: it is true, small, can be copied, and never accuses a right function."""

import re
import warnings
from importlib import import_module
from inspect import signature

import numpy as np
import pytest

from autograder import example
from autograder.call import Call, Failed, Trial
from autograder.compare import compare, tolerance_for
from autograder.evaluate import evaluate
from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises import find, units
from autograder.feedback import as_text
from autograder.outcome import LearnerError, Outcome
from autograder.run import LocalRunner
from transformer_kit import parameters, reference
from transformer_kit.parameters import Sizes, init_model

SENTENCE = (
    r"`(?P<call>.*)` (gives (?P<name>[\w.]+ )?`(?P<got>.*)`|raises (?P<error>\w+)), expected `(?P<expected>.*)`\."
)
EXERCISES = [exercise for unit in units() for exercise in unit.exercises]
by_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)


def runner(exercise, function):
    """Return a runner without a time limit."""
    run = LocalRunner(function, signature(exercise.reference))
    run.seconds = None
    return run


def attempts(exercise, function, seed=5, only=None):
    """Try all claims on a function, or one of them, as `evaluate` does."""
    run, found = runner(exercise, function), []
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, claim in enumerate(exercise.claims):
            if only not in (None, number):
                continue
            call, failure = Call(exercise, run), None
            try:
                claim.test(call, np.random.default_rng([seed, number]))
            except Failed as failed:
                failure = failed
            except Exception as error:
                failure = Failed(str(error))
            found.append((claim, call.trials, failure))
    return found


def example_of(exercise, function, run=None):
    """Return the example of a wrong function, or ""."""
    with np.errstate(all="ignore"):
        found = example.find(exercise, run or runner(exercise, function), attempts(exercise, function))
    assert len(found) <= 1
    return next(iter(found.values()), "")


def doubling(*claims, mistakes=()):
    """Return an exercise that asks for the double of an array."""

    def double(x):
        return 2.0 * x

    return Exercise(double, "double x.", (Returned("y"),), claims, mistakes, "Doubling")


def drawn(*shape):
    """Return a claim about one array of random numbers."""
    return Claim(f"agrees for {shape}", 1, lambda call, rng: call.agrees(rng.standard_normal(shape)))


@by_exercise
def test_every_example_is_true_when_it_is_copied(exercise):
    """The call of an example gives what is told, for the mistake and for the reference, and it is small."""
    for mistake in exercise.mistakes:
        text = example_of(exercise, mistake.function)
        if not text:
            continue
        told = re.fullmatch(SENTENCE, text)
        assert told, text
        names = {name: getattr(parameters, name) for name in dir(parameters)} | {"np": np}
        expected = eval(told["call"], names | {exercise.name: exercise.reference})
        with np.errstate(all="ignore"):
            try:
                came, error = eval(told["call"], names | {exercise.name: mistake.function}), None
            except Exception as raised:
                came, error = None, type(raised).__name__
        assert error == told["error"]
        assert error or compare(came, expected, exercise.returns)
        assert told["got"] != told["expected"]
        numbers = re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", told["call"])
        assert len(numbers) <= example.LARGEST + 5, text  # shapes and widths of dtypes count here, too


@by_exercise
def test_no_right_function_is_accused(exercise):
    """On all inputs that are cut down for some mistake, the right styles give what the reference gives."""
    unit = next(unit for unit in units() if exercise in unit.exercises)
    styles = import_module(f"tests.styles.unit_{unit.id[:2]}").STYLES[exercise.name]
    asked = 0
    for number, mistake in enumerate(exercise.mistakes):
        style = styles[number % len(styles)]
        right, trials = runner(exercise, style), []

        def run(args, kwargs, right=right, trials=trials):
            trials.append(Trial(args, kwargs, right(args, kwargs)))
            return trials[-1].outcome

        example_of(exercise, mistake.function, run)
        for trial in trials:
            with np.errstate(invalid="raise"):  # where the reference warns, nothing is asked for
                expected = exercise.reference(*trial.args, **trial.kwargs)
            tolerance = tolerance_for(*trial.args)
            assert trial.outcome.error is None, f"{style.__name__}{trial.args}: {trial.outcome.error}"
            assert compare(trial.outcome.value, expected, exercise.returns, tolerance) is None, style.__name__
        asked += len(trials)
    assert asked or exercise.name not in ("masked_attention", "attention_backward", "layer_norm")


@by_exercise
def test_what_could_be_written_down_is_never_shown(exercise):
    """A claim forbids examples if all its calls are so short and so few, over many seeds, that they could be collected.

    What is cut out of longer calls does no harm: no claim ever asks for it.
    """

    def shown(trial):
        wrong = Trial(trial.args, trial.kwargs, Outcome("returned", "something else"))
        return example.find(exercise, None, [(drawn(), [wrong], Failed("no"))], calls=0).get(drawn().name)

    for number, claim in enumerate(exercise.claims):
        known = set()
        for seed in range(30):
            trials = attempts(exercise, exercise.reference, seed, only=number)[0][1]
            known |= {shown(trial) for trial in trials if trial.outcome.status == "returned"}
            if None in known or len(known) >= 10:
                break
        else:
            assert not claim.example, f"{claim.name}: {known}"


def test_the_claims_own_small_call_comes_first():
    """Nothing is called again where the claim has made a call that is small and easy to read."""
    by_hand = Claim("by hand", 1, lambda call, rng: call.agrees(np.array([1.0, -0.5])))
    exercise = doubling(by_hand)

    def run(args, kwargs):
        raise AssertionError("called again")

    assert example_of(exercise, lambda x: 3.0 * x, run) == (
        "`double(x=np.array([1.0, -0.5]))` gives `[3, -1.5]`, expected `[2, -1]`."
    )


def test_large_calls_are_cut_and_rounded():
    """Axes get as short as they may, numbers get two decimals."""
    call = re.fullmatch(SENTENCE, example_of(doubling(drawn(7, 5, 9)), lambda x: 3.0 * x))["call"]
    assert re.fullmatch(r"double\(x=np\.array\(\[\[\[(-?\d\.\d{1,2}[\[\], ]+){8}\)\)", call)


def test_an_axis_shrinks_no_further_than_the_mistake_shows():
    """A mistake that needs three columns is shown on three columns."""
    text = example_of(doubling(drawn(5, 9)), lambda x: 2.0 * x if x.shape[-1] < 3 else 3.0 * x)
    got = re.fullmatch(SENTENCE, text)["got"]
    assert np.array(eval(got)).shape[-1] == 3


def test_another_failure_on_less_is_no_example():
    """A function that fails in another way on the smaller call is not shown with it."""

    def wrong(x):
        if x.size < 60:
            raise ValueError("too small for me")
        return 3.0 * x

    assert example_of(doubling(drawn(7, 9)), wrong) == ""


def test_the_number_of_calls_is_limited():
    """All claims together add few calls, also where no example is found."""
    calls = []

    def run(args, kwargs):
        calls.append(args)
        return Outcome("returned", 2.0 * args[0])

    exercise = doubling(*(drawn(7, size, 11, 13) for size in (5, 8, 9)))
    assert example_of(exercise, lambda x: 3.0 * x, run) == ""
    assert len(calls) == example.CALLS


def test_a_function_that_hangs_is_not_called_again():
    """After one call without an end there is no example."""
    trials = [Trial((np.ones(2),), {}, Outcome("returned", np.ones(2))), Trial((np.ones(9),), {}, Outcome("timeout"))]
    assert example.find(doubling(), None, [(drawn(2), trials, Failed("late"))]) == {}
    assert example.find(doubling(), None, [(drawn(2), trials[:1], Failed("late"))]) != {}


def test_a_function_that_hangs_on_less_is_not_called_again():
    """The first call without an end is the last one, for all claims."""
    calls = []

    def run(args, kwargs):
        calls.append(args)
        return Outcome("timeout")

    assert example_of(doubling(drawn(7, 9), drawn(5, 8)), lambda x: 3.0 * x, run) == ""
    assert len(calls) == 1


def test_errors_are_shown_where_the_learners_own_line_raised_them():
    """An error of a line is told; one from outside the function, such as a missing function's, is none of its own."""

    def trials(line_number):
        return [Trial((np.ones(2),), {}, Outcome("raised", error=LearnerError("KeyError", "x", line_number)))]

    failing = [(drawn(2), trials(3), Failed("raised"))]
    assert "raises KeyError, expected `[2, 2]`" in example.find(doubling(), None, failing)[drawn(2).name]
    assert example.find(doubling(), None, [(drawn(2), trials(None), Failed("raised"))]) == {}


def test_a_claim_can_forbid_its_example():
    """What one claim forbids, the next one may show."""
    hidden = Claim("hidden", 1, lambda call, rng: call.agrees(np.array([1.0])), example=False)
    assert example_of(doubling(hidden), lambda x: 3.0 * x) == ""
    exercise = doubling(hidden, drawn(2), drawn(3))
    verdict = evaluate(exercise, runner(exercise, lambda x: 3.0 * x))
    assert [bool(result.example) for result in verdict.results] == [False, True, False]
    assert as_text(verdict).count("Example:") == 1


def test_the_example_is_told_below_a_message_that_was_told_before():
    """The claim that has the example may fail with the same words as one that has none."""
    hidden = Claim("hidden", 1, lambda call, rng: call.holds(call(np.ones(2)) is None, "wrong"), example=False)
    shown = Claim("shown", 1, lambda call, rng: call.holds(call(np.ones(3)) is None, "wrong"))
    exercise = doubling(hidden, shown)
    report = as_text(evaluate(exercise, runner(exercise, lambda x: 3.0 * x)))
    assert report.index("the same as above") < report.index("Example: `double(x=np.array([1.0, 1.0, 1.0]))`")


def lies(x):
    return [x.tolist()]


@pytest.mark.parametrize(
    ("name", "function", "told"),
    [
        ("one_hot", lambda token_ids, vocab_size: np.eye(vocab_size, dtype=int)[token_ids], "(int64)`, expected"),
        ("relu", lambda x: None, "`None`"),
        ("relu", lambda x: np.ma.masked_all(np.shape(x)), "a MaskedArray of shape"),
        ("relu", lambda x: "`<script>`", "'<script>'"),
        ("relu", lies, "`[["),
        ("additive_mask", lambda mask: np.where(mask, 0.0, np.inf), "-inf"),
        ("masked_softmax", lambda scores, mask=None, axis=-1: scores, "np.array([[True, "),
        ("combine_masks", lambda *masks: True, "combine_masks(np.array("),
        ("causal_mask", lambda n_queries, n_keys=None: 1 / 0, "raises ZeroDivisionError"),
        ("top_k_filter", lambda logits, k: logits, "expected `[-inf, 3"),
    ],
)
def test_arguments_and_results_of_all_kinds(name, function, told):
    """Booleans, infinities, several masks, results of another type: each in words that can be read."""
    text = example_of(find(name), function)
    assert told in text
    assert text.count("`") in (2, 4, 6)
    assert len(text) < 600


def test_precision_is_part_of_the_call():
    """A mistake that only float32 brings to light is shown in float32."""
    low = Claim("low", 1, lambda call, rng: call.agrees(rng.standard_normal((5, 9)).astype(np.float32)))
    text = example_of(doubling(low), lambda x: (3.0 if x.dtype == np.float32 else 2.0) * x)
    assert ", dtype=np.float32))` gives" in text


def test_weights_that_sum_to_1_do_so_in_an_example():
    """Cut and rounded, a distribution is still one."""
    exercise = find("alignment")
    text = example_of(exercise, lambda weights: (np.full(weights.shape[-3::2][:1], -1), 0 * weights.mean(-3)[..., 0]))
    weights = eval(re.search(r"np\.array\([^)]*\)", text)[0], {"np": np})
    np.testing.assert_allclose(weights.sum(-1), 1)
    claim = Claim("large", 1, lambda call, rng: call.agrees(rng.dirichlet(np.ones(9), (2, 5))))
    cut = example_of(doubling(claim), lambda x: 3.0 * x)
    np.testing.assert_allclose(eval(re.search(r"np\.array\([^)]*\)", cut)[0], {"np": np}).sum(-1), 1)


class Unreadable:
    """Raises whatever is asked of it."""

    def __getattribute__(self, name):
        raise RuntimeError("no")


def endless():
    result = []
    result.append(result)
    return result


@pytest.mark.parametrize(
    "strange",
    [
        lambda x: Unreadable(),
        lambda x: endless(),
        lambda x: np.array([print], dtype=object),
        lambda x: 10**5000,
        lambda x: {"a": 1},
        lambda x: (1, [2, {3}]),
    ],
)
def test_strange_results_break_nothing(strange):
    """The evaluation ends in a verdict, with a short example or with none."""
    exercise = doubling(drawn(3))
    verdict = evaluate(exercise, runner(exercise, strange))
    assert verdict.points == 0
    assert len(verdict.results[0].example) < 400


def test_the_same_seed_gives_the_same_example():
    exercise = find("softmax")
    unstable = next(m.function for m in exercise.mistakes if m.id == "no-maximum-subtracted")
    one, two, other = (as_text(evaluate(exercise, runner(exercise, unstable), seed)) for seed in (1, 1, 2))
    assert one == two != other
    assert "Example: `softmax(x=np.array([[" in one


def test_functions_among_the_arguments_have_no_text():
    """What a claim passes as a function cannot be copied."""
    assert example_of(find("greedy_decode"), lambda *args: ()) == ""
    assert reference.greedy_decode is find("greedy_decode").reference


def test_a_whole_model_is_not_cut():
    """However short its arrays become, they are too many to be written out; trying all lengths would take minutes."""
    sizes = Sizes(d_model=12, n_heads=3, d_ff=20, n_layers=2)
    model = init_model(np.random.default_rng(5), {str(i): i for i in range(15)}, tuple("abcdefgh"), sizes)
    assert example._lengths(((np.zeros((2, 7), int), np.ones((2, 7), bool), model), {})) == []
