"""The smallest counter-example: it is true, small, can be copied, and never accuses a right function."""

import json
import re
import warnings
from collections import namedtuple
from dataclasses import replace
from inspect import signature

import numpy as np
import pytest

from autograder.evaluation import conduct, counterexample
from autograder.evaluation.attempts import Attempt, visible_seed
from autograder.evaluation.evaluate import evaluate
from autograder.evaluation.example import Example, Row, as_plain, from_plain, make_example
from autograder.evaluation.smaller import MAX_SIZE, lengths_to_try
from autograder.evaluation.trials import Call, Failed, Trial
from autograder.execution.call import LocalRunner
from autograder.execution.compare import compare
from autograder.execution.handed import handed_over
from autograder.execution.nested import leaves
from autograder.execution.outcome import LearnerError, Outcome
from autograder.execution.precision import FLOAT64_TOLERANCE, tolerance_for
from autograder.feedback.make_report import make_report
from autograder.feedback.text import as_text
from autograder.registry import find
from autograder.specification import Claim, Exercise, Output
from tests.support.by_exercise import by_exercise
from tools import proof
from tools.bank import right_styles
from transformer_kit import parameters, reference
from transformer_kit.parameters import Sizes, init_model


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
            found.append(Attempt(claim, tuple(call.trials), failure))
    return found


def example_of(exercise, function, run=None):
    """Return the example of a wrong function, or None."""
    with np.errstate(all="ignore"):
        return counterexample.find(exercise, run or runner(exercise, function), attempts(exercise, function))


def entries(rows):
    """Return the texts in the rows of a result."""
    return [row.entries for row in rows]


def doubling(*claims, mistakes=()):
    """Return an exercise that asks for the double of an array."""

    def double(x):
        return 2.0 * x

    return Exercise(double, "double x.", (Output("y"),), "Doubling", claims, mistakes)


def drawn(*shape):
    """Return a claim about one array of random numbers."""
    return Claim(f"agrees for {shape}", 1, lambda call, rng: call.agrees(rng.standard_normal(shape)))


def copied(exercise, code, function):
    """Run the code of an example in a cell; return what the function in it comes to, and the type of its error."""
    came = []

    def called(*args, **kwargs):
        args, kwargs = handed_over(args, kwargs, exercise.signature.parameters, exercise.hands)
        with np.errstate(all="ignore"):
            try:
                came.append((function(*args, **kwargs), ""))
            except Exception as error:
                came.append((None, type(error).__name__))

    names = {name: getattr(parameters, name) for name in dir(parameters)} | {"np": np, exercise.name: called}
    exec(code, names)
    return came[-1]


TOLD = re.compile(r"raises ValueError|says, for|(leaves|a new array|no warning)|(an? \w.* <- (raises|an?) \w)")


def assert_told(exercise, example, function, told, right, wrong):
    """Require what is told in words of two calls: their results, and the types of their errors."""
    yours = example.yours[0].entries[0]
    if told[3]:
        assert wrong[1] in yours
        assert example.expected[0].entries[0] in map(conduct.form, (right[0], *right[0], *leaves(right[0])))
    elif told[1]:
        run = runner(exercise, function)
        (outcome,) = (run(*args) for args in [given(exercise, example.call)])
        assert any(word in yours for word in (*outcome.changed, *outcome.shares, *outcome.warnings))
    else:
        assert right[1] == "ValueError"
        assert yours.startswith(("says", f"raises {wrong[1]}") if wrong[1] else "returns")


def given(exercise, code):
    """Return the arguments of a call that is written as code."""
    found = []
    names = {name: getattr(parameters, name) for name in dir(parameters)} | {"np": np}
    exec(code, names | {exercise.name: lambda *args, **kwargs: found.append((args, kwargs))})
    return found[-1]


@pytest.mark.exhaustive
@pytest.mark.one_in(3)
@by_exercise
def test_every_example_is_true_when_it_is_copied(exercise):
    """The call of an example gives what the tables say, for the mistake and for the reference, and it is small."""
    for mistake in exercise.mistakes:
        example = proof.verdict(exercise, mistake.function, visible_seed(exercise)).example
        if not example:
            continue
        expected, refused = copied(exercise, example.call, exercise.reference)
        came, error = copied(exercise, example.call, mistake.function)
        first = [rows[0].entries[0] if rows and rows[0].entries else "" for rows in (example.expected, example.yours)]
        if told := TOLD.match(" <- ".join(first)):
            assert_told(exercise, example, mistake.function, told, (expected, refused), (came, error))
            continue
        assert error == example.error
        assert error or compare(came, expected, exercise.returns)
        assert error or example.differs or example.kinds[0] != example.kinds[1]
        for row, column in example.differs:
            right = [entry for one in entries(example.expected)[row : row + 1] for entry in one[column : column + 1]]
            assert right != [entries(example.yours)[row][column]]
        numbers = re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", example.call)
        few = len(numbers) <= MAX_SIZE + 5  # shapes and widths of dtypes count here, too
        assert few or example.call in exercise.calls, example
        assert (
            max(sum(map(len, entries(rows))) for rows in (example.yours, example.expected)) <= MAX_SIZE
        )
        assert from_plain(json.loads(json.dumps(as_plain(example)))) == example


@pytest.mark.exhaustive
@pytest.mark.one_in(3)
@by_exercise
def test_no_right_function_is_accused(exercise, part_of):
    """On all inputs that are cut down for some mistake, the right styles give what the reference gives."""
    styles = right_styles(exercise.name)
    n_calls = 0
    for number, mistake in part_of(enumerate(exercise.mistakes), 9):
        style = styles[number % len(styles)]
        right, trials = runner(exercise, style), []

        def run(args, kwargs, right=right, trials=trials):
            trials.append(Trial(args, kwargs, right(args, kwargs)))
            return trials[-1].outcome

        example_of(exercise, mistake.function, run)
        for trial in trials:
            assert conduct.example_of(exercise, trial) is None, style.__name__
            try:
                with np.errstate(invalid="raise"):  # where the reference warns, nothing is asked for
                    expected = exercise.reference(*trial.args, **trial.kwargs)
            except ValueError:
                continue  # refused by both
            tolerance = tolerance_for(*trial.args)
            assert trial.outcome.error is None, f"{style.__name__}{trial.args}: {trial.outcome.error}"
            assert compare(trial.outcome.value, expected, exercise.returns, tolerance) is None, style.__name__
        n_calls += len(trials)
    assert n_calls or exercise.name not in ("masked_attention", "attention_backward", "layer_norm")


@by_exercise
def test_what_could_be_written_down_is_never_shown(exercise):
    """A claim forbids examples if all its calls are so short and so few, over many seeds, that they could be collected.

    What is cut out of longer calls does no harm: no claim ever asks for it.
    """

    def shown(trial):
        wrong = Trial(trial.args, trial.kwargs, Outcome("returned", "something else"))
        example = counterexample.find(exercise, None, [Attempt(drawn(), (wrong,), Failed("no"))], calls=0)
        return example and example.call

    for number, claim in enumerate(exercise.claims):
        known = set()
        for seed in range(30):
            with np.errstate(all="ignore"):
                trials = attempts(exercise, exercise.reference, seed, only=number)[0].trials
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

    assert example_of(exercise, lambda x: np.array([2.0, 3.0]) * x, run) == Example(
        "double(x=np.array([1.0, -0.5]))", "", [Row("", ["2", "-1.5"])], [Row("", ["2", "-1"])], [[0, 1]], ["", ""]
    )


def shown_of(returns, got, expected):
    """Return the rows of an example for results of these kinds."""
    trial = Trial((np.ones(2),), {}, Outcome("returned", got))
    difference = compare(got, expected, returns)
    example = make_example(replace(doubling(), returns=returns), trial, difference, FLOAT64_TOLERANCE)
    return example.yours, example.expected


def test_long_texts_begin_where_they_differ():
    one, other = (f"{'the same again, ' * 9}then {word}" for word in ("this", "that"))
    yours, expected = shown_of((Output("text"),), one, other)
    assert yours == [Row("", ["'...e again, then this' (str)"])]
    assert expected == [Row("", ["'...e again, then that' (str)"])]


def test_fields_have_their_own_names():
    """A field is not called like one of the results, of which there are as many."""
    fields = namedtuple("Fields", "K V")(np.ones(2), np.zeros(2))
    _, expected = shown_of((Output("logits"), Output("cache")), (1.0, (np.ones(2),)), (1.0, (fields,)))
    assert [row.label for row in expected] == ["K", "V"]


def test_arrays_without_axes_show_their_number():
    yours, _ = shown_of((Output("logits"),), np.array(3), np.ones(2))
    assert yours == [Row("", ["3"])]


def test_large_calls_are_cut_and_rounded():
    """Axes get as short as they may, numbers get two decimals."""
    call = example_of(doubling(drawn(7, 5, 9)), lambda x: 3.0 * x).call
    assert re.fullmatch(r"double\(x=np\.array\(\[\[\[(-?\d\.\d{1,2}[\[\], ]+){8}\)\)", call)


def far_from(number):
    return Claim("far", 1, lambda call, rng: call.agrees(number + 1e5 * rng.standard_normal((5, 7))))


def test_large_numbers_become_small_where_they_can():
    call = example_of(doubling(far_from(0)), lambda x: 3.0 * x).call
    assert re.fullmatch(r"double\(x=np\.array\(\[\[(-?\d\.\d{1,2}[\[\], ]+){4}\)\)", call)


def test_large_numbers_are_rounded_to_three_digits():
    """What distinguishes them counts: numbers far from 0 that differ little still do so."""
    call = example_of(doubling(far_from(0)), lambda x: np.where(np.abs(x) > 99, 3.0, 2.0) * x).call
    assert re.fullmatch(r"double\(x=np\.array\(\[\[(-?\d{1,3}000\.0[\[\], ]+){4}\)\)", call)
    far = example_of(doubling(far_from(2e10)), lambda x: 3.0 * x).call
    assert len(set(re.findall(r"\d{8,}", far))) == 4


def test_an_axis_keeps_what_the_mistake_needs():
    """A mistake that needs three columns is shown on three columns."""
    example = example_of(doubling(drawn(5, 9)), lambda x: 2.0 * x if x.shape[-1] < 3 else 3.0 * x)
    assert {len(row) for row in entries(example.yours)} == {3}


def test_another_failure_on_less_is_no_example():
    """A function that fails in another way on the smaller call is not shown with it."""

    def wrong(x):
        if x.size < 60:
            raise ValueError("too small for me")
        return 3.0 * x

    assert example_of(doubling(drawn(7, 9)), wrong) is None


def test_the_number_of_calls_is_limited():
    """All claims together add few calls, also where no example is found."""
    calls = []

    def run(args, kwargs):
        calls.append(args)
        return Outcome("returned", 2.0 * args[0])

    exercise = doubling(*(drawn(7, size, 11, 13) for size in (5, 8, 9)))
    assert example_of(exercise, lambda x: 3.0 * x, run) is None
    assert len(calls) == counterexample.MAX_CALLS


def test_a_function_that_hangs_is_not_called_again():
    """After one call without an end there is no example."""
    trials = [Trial((np.ones(2),), {}, Outcome("returned", np.ones(2))), Trial((np.ones(9),), {}, Outcome("timeout"))]
    assert counterexample.find(doubling(), None, [Attempt(drawn(2), trials, Failed("late"))]) is None
    assert counterexample.find(doubling(), None, [Attempt(drawn(2), trials[:1], Failed("late"))])


def test_a_hanging_function_is_not_called_again():
    """The first call without an end is the last one, for all claims."""
    calls = []

    def run(args, kwargs):
        calls.append(args)
        return Outcome("timeout")

    assert example_of(doubling(drawn(7, 9), drawn(5, 8)), lambda x: 3.0 * x, run) is None
    assert len(calls) == 1


def test_errors_are_shown_where_the_learner_raised_them():
    """An error with a line of its own is shown; one from outside the function, as of a missing one, is not."""

    def trials(line_number):
        return [Trial((np.ones(2),), {}, Outcome("raised", error=LearnerError("KeyError", "x", line_number)))]

    failing = [Attempt(drawn(2), trials(3), Failed("raised"))]
    example = counterexample.find(doubling(), None, failing)
    assert (example.error, example.yours, entries(example.expected)) == ("KeyError", [], [["2", "2"]])
    assert counterexample.find(doubling(), None, [Attempt(drawn(2), trials(None), Failed("raised"))]) is None


def test_a_claim_can_forbid_its_example():
    """What one claim forbids, the next one may show."""
    hidden = Claim("hidden", 1, lambda call, rng: call.agrees(np.array([1.0])), example=False)
    assert example_of(doubling(hidden), lambda x: 3.0 * x) is None
    exercise = doubling(hidden, drawn(2), drawn(3))
    verdict = evaluate(exercise, runner(exercise, lambda x: 3.0 * x))
    assert len(entries(verdict.example.yours)[0]) == 2
    assert as_text(make_report(verdict)).count("double(x=np.array(") == 1


def lies(x):
    return [x.tolist()]


@pytest.mark.parametrize(
    ("name", "function", "expected"),
    [
        ("one_hot", lambda token_ids, vocab_size: np.eye(vocab_size, dtype=int)[token_ids], "['int64', 'float64']"),
        ("relu", lambda x: None, "yours=[Row(label='', entries=['None'])]"),
        ("relu", lambda x: np.ma.masked_all(np.shape(x)), "a MaskedArray of shape"),
        ("relu", lambda x: "`<script>`", "''<script>''"),
        ("relu", lies, "kinds=['list', 'array, shape ("),
        ("additive_mask", lambda mask: np.where(mask, 0.0, np.inf), "'-inf'"),
        ("masked_softmax", lambda scores, mask=None, axis=-1: scores, "np.array([[True, "),
        ("combine_masks", lambda *masks: True, "combine_masks(\\n    np.array("),
        ("causal_mask", lambda n_queries, n_keys=None: 1 / 0, "error='ZeroDivisionError'"),
        ("top_k_filter", lambda logits, k: logits, "expected=[Row(label='', entries=['-inf', '3"),
        ("pad_batch", lambda sequences, pad_id=0: (1, 2), "Row(label='[2]', entries=['4', '0', '0', '0'])"),
        ("context_vector", lambda *args: (np.zeros(1), np.zeros(1)), "result='context'"),
    ],
)
def test_arguments_and_results_of_all_kinds(name, function, expected):
    """Booleans, infinities, several masks or results, results of another type: each in words that can be read."""
    text = str(example_of(find(name), function))
    assert expected in text
    assert "`" not in text
    assert len(text) < 1000


def test_entries_right_up_to_rounding_are_not_marked():
    exercise = doubling(Claim("by hand", 1, lambda call, rng: call.agrees(np.array([1.0, 2.0, 3.0]))))
    example = example_of(exercise, lambda x: 2.0 * x * np.array([1 + 1e-12, 1.00001, 1.0]))
    assert example.differs == [[0, 1]]
    assert entries(example.yours) == [["2", "4.00004", "6"]]


def test_a_result_of_mere_rounding_shows_nothing():
    """Of two features far from each other, layer norm makes 1 and -1 whatever they are: no gradient is left."""

    def layer_norm_backward(d_output, X, gamma, eps=1e-5):
        _, d_gamma, d_beta = reference.layer_norm_backward(d_output, X, gamma, eps)
        return d_output * gamma / np.sqrt(X.var(-1, keepdims=True) + eps), d_gamma, d_beta

    example = example_of(find("layer_norm_backward"), layer_norm_backward)
    shown = [abs(float(number)) for row in entries(example.expected) for number in row]
    assert len(shown) == 6
    assert min(shown) > 0.01


def test_precision_is_part_of_the_call():
    """A mistake that only float32 brings to light is shown in float32."""
    low = Claim("low", 1, lambda call, rng: call.agrees(rng.standard_normal((5, 9)).astype(np.float32)))
    example = example_of(doubling(low), lambda x: (3.0 if x.dtype == np.float32 else 2.0) * x)
    assert example.call.endswith(", dtype=np.float32))")


def test_weights_in_an_example_sum_to_1():
    """Cut and rounded, a distribution is still one."""
    exercise = find("alignment")
    text = example_of(
        exercise, lambda weights: (np.full(weights.shape[-3::2][:1], -1), 0 * weights.mean(-3)[..., 0])
    ).call
    weights = eval(re.search(r"np\.array\([^)]*\)", text)[0], {"np": np})
    np.testing.assert_allclose(weights.sum(-1), 1)
    claim = Claim("large", 1, lambda call, rng: call.agrees(rng.dirichlet(np.ones(9), (2, 5))))
    cut = example_of(doubling(claim), lambda x: 3.0 * x).call
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
    assert len(str(verdict.example)) < 500


def test_the_same_seed_gives_the_same_example():
    exercise = find("softmax")
    unstable = next(m.function for m in exercise.mistakes if m.id == "no-maximum-subtracted")
    one, two, other = (as_text(make_report(evaluate(exercise, runner(exercise, unstable), seed))) for seed in (1, 1, 2))
    assert one == two != other
    assert "  softmax(x=np.array([[" in one


def test_functions_among_the_arguments_have_no_text():
    """What a claim passes as a function cannot be copied."""
    assert example_of(find("greedy_decode"), lambda *args: ()) is None
    assert reference.greedy_decode is find("greedy_decode").reference


def test_a_whole_model_is_not_cut():
    """However short its arrays become, they are too many to be written out; trying all lengths would take minutes."""
    sizes = Sizes(d_model=12, n_heads=3, d_ff=20, n_layers=2)
    model = init_model(np.random.default_rng(5), {str(i): i for i in range(15)}, tuple("abcdefgh"), sizes)
    assert lengths_to_try(((np.zeros((2, 7), int), np.ones((2, 7), bool), model), {})) == []


def test_the_call_goes_wrong_as_the_mistake_does():
    """A call is shown in which the function gives what the likely mistake gives: here, a part of the first."""

    def function(x):
        return x + 2.0 if len(x) == 2 else 3.0 * x

    exercise = doubling(Claim("agrees", 1, lambda call, rng: call.agrees(np.array([1.0, 4.0]))))
    failing = attempts(exercise, function)
    run = runner(exercise, function)
    examples = [counterexample.find(exercise, run, failing, mistake=one) for one in (None, lambda x: 3.0 * x, np.cos)]
    assert [example.expected[0].entries for example in examples] == [["2", "8"], ["2"], ["2", "8"]]
