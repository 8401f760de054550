"""The training that unit 10 shows: the learner's own step learns the task, and deceptions please the loss only."""

from types import SimpleNamespace

import numpy as np
import pytest

from tools.course import ROOT, learners_functions, notebook
from transformer_kit import corpus, reference
from transformer_kit.corpus.vocabulary import BOS, EOS
from transformer_kit.experiments.floor import best_loss
from transformer_kit.experiments.whole_model.evaluation import share_right
from transformer_kit.parameters import Sizes, TrainingState, init_model
from transformer_kit.parameters.tree import flatten, named_arrays, unflatten, with_arrays
from transformer_kit.training import live, loss_and_gradients, make_batch
from transformer_kit.training.loop import SETTINGS
from transformer_kit.training.run import N_PAIRS

OTHER_PROCESSOR = 0.05  # by which shares of 200 sentences differ where float32 is rounded otherwise
PAIRS = [([4, 7, 5], [5, 6, 8, EOS]), ([6, 4], [7, EOS])]


def small_model():
    vocabularies = ({f"e{i}": i for i in range(9)}, {f"s{i}": i for i in range(10)})
    return init_model(np.random.default_rng(3), *vocabularies, Sizes(d_model=8, n_heads=2, d_ff=12, n_layers=1))


def test_the_small_task():
    """Nothing that is to be translated later is among what is trained on."""
    pairs, others, model = live.small_task(300, 10)
    assert len(pairs) == 300
    assert 0 < len(others) <= 10
    assert len(model.encoder) == len(model.decoder) == 1
    assert {tuple(source) for source, _ in pairs}.isdisjoint(tuple(source) for source, _ in others)
    assert np.array_equal(flatten(live.small_task(300, 10)[2]), flatten(model))


def test_statements_on_training_the_large_model_are_true():
    text = (ROOT / "solutions" / "10_training.py").read_text(encoding="utf-8")
    assert f"{SETTINGS.steps:,} steps on {N_PAIRS:,} pairs" in text
    assert (SETTINGS.dropout, SETTINGS.cooldown) == (0.1, 0.4)
    assert "a tenth of the numbers" in text
    assert "the last 40 percent of the steps" in text


def test_a_trainee_passes_on_what_the_network_computes():
    """Loss and gradients are those of `loss_and_gradients`, also where `backward` has to go forward once more."""
    model = small_model()
    trainee, batch = live.Trainee(model), live.sentence_pairs(PAIRS)
    loss, gradients = loss_and_gradients(model, make_batch(PAIRS), 0.1)
    read = trainee.beginning.params, batch.source_ids, reference.shift_right(batch.target_ids, BOS)
    logits = trainee.forward(*read)
    wanted = reference.smooth_labels(batch.target_ids, logits.shape[-1], 0.1)
    assert reference.cross_entropy(logits, wanted, batch.is_token) == pytest.approx(loss)
    d_logits = reference.cross_entropy_backward(logits, wanted, batch.is_token)
    for again in (read, (read[0].copy(), *read[1:])):
        np.testing.assert_allclose(trainee.backward(d_logits, *again), flatten(gradients), atol=1e-12)
    assert trainee.settings.d_model == 8


def test_a_trainee_runs_on_given_functions():
    called = set()

    def noted(name):
        def function(*args, **kwargs):
            called.add(name)
            return getattr(reference, name)(*args, **kwargs)

        return function

    trainee = live.Trainee(small_model(), SimpleNamespace(**{name: noted(name) for name in live.FUNCTIONS}))
    batch = live.sentence_pairs(PAIRS)
    reference.train_step(trainee.beginning, batch, trainee.forward, trainee.backward, trainee.settings)
    assert called == set(live.FUNCTIONS)


def test_double_precision_does_not_change_the_model():
    """A learning rate that is a NumPy number is enough to make every update one in double precision."""
    model = small_model()
    model = unflatten(model, flatten(model, np.float32))
    trainee, batch = live.Trainee(model), live.sentence_pairs(PAIRS)
    state, _ = reference.train_step(trainee.beginning, batch, trainee.forward, trainee.backward, trainee.settings)
    double = state._replace(params=state.params.astype(np.float64))
    again, _ = reference.train_step(double, batch, trainee.forward, trainee.backward, trainee.settings)
    once, _ = reference.train_step(state, batch, trainee.forward, trainee.backward, trainee.settings)
    assert again.params.dtype == np.float64
    assert flatten(trainee.model_with(again.params)).dtype == np.float32
    np.testing.assert_allclose(again.params, once.params, atol=1e-5)


def test_a_decoder_that_sees_ahead_leaks_at_once():
    X = np.random.default_rng(4).standard_normal((5, 8))
    leaks = [reference.first_leak(live.Trainee(small_model(), ahead=ahead).decoder(), X) for ahead in (0, 1)]
    assert leaks == [None, 0]


def known(english):
    """Return the pair of a sentence and its likeliest translation, and a stand-in for a model that knows its words."""
    found = corpus.translations(english)
    words = sorted({word for spanish in found for word in spanish})
    source = {word: number for number, word in enumerate(english)}
    target = ("<pad>", "<unk>", "<bos>", "<eos>", *words)
    spanish = [target.index(word) for word in next(iter(found))]
    return ([*source.values()], [*spanish, EOS]), SimpleNamespace(source_vocabulary=source, target_words=target), found


def test_the_best_loss_follows_from_the_sentences_probability():
    pair, model, found = known(("do", "they", "see", "the", "dog", "?"))
    assert len(found) > 1
    likeliest = next(iter(found.values()))
    assert best_loss([pair], model, 0.0) == pytest.approx(-np.log(likeliest) / len(pair[1]))


@pytest.mark.parametrize("english", ["the dog is big .", "i like cats .", "do they see the dog ?"])
def test_smoothing_raises_the_best_loss_to_the_entropy(english):
    pair, model, found = known(tuple(english.split()))
    even = reference.smooth_labels(np.array([0]), len(model.target_words), 0.1)
    entropy = reference.cross_entropy(np.log(even), even)
    best = best_loss([pair], model, 0.1)
    assert best == pytest.approx(entropy) if len(found) == 1 else best > entropy + 0.01


def colleagues_step(functions):
    """Return the wrong step that the notebook shows."""
    (source,) = [cell.source for cell in notebook("10_training").cells if cell.source.startswith("def colleagues_step")]
    space = dict(vars(functions), TrainingState=TrainingState)
    exec(source.partition("\nif ready:")[0], space)
    return space["colleagues_step"]


@pytest.mark.exhaustive
def test_what_a_model_without_english_can_reach():
    """Its losses on the unseen pairs if all words are alike, if their frequencies are known, and what follows which."""
    pairs, others, untrained = live.small_task()
    unseen, n_words = live.sentence_pairs(others), len(untrained.target_words)
    wanted = reference.smooth_labels(unseen.target_ids, n_words, 0.1)
    read = reference.shift_right(unseen.target_ids, BOS)
    follows = np.full((n_words, n_words), 0.05)
    for _, target in pairs:
        np.add.at(follows, ([BOS, *target[:-1]], target), 1)

    def loss(counts):
        shares = counts / counts.sum(axis=-1, keepdims=True)
        logits = np.log(0.9 * shares + 0.1 / n_words)
        return reference.cross_entropy(np.broadcast_to(logits, wanted.shape), wanted, unseen.is_token)

    found = [loss(np.ones(n_words)), loss(follows.sum(axis=0)), loss(follows[read])]
    assert found == pytest.approx([np.log(n_words), 4.3, 2.7], abs=0.05)


@pytest.fixture(scope="module")
def run_of():
    """Return a function that trains as the unit does: the model, its losses, those on unseen pairs, early models."""
    mine = learners_functions("10")
    pairs, others, untrained = live.small_task()
    unseen = live.sentence_pairs(others)
    exchanged = np.random.default_rng(0).permutation(unseen.source_ids)

    def run(step_of_training, n_steps, ahead=0):
        early = []
        trainee, losses = live.Trainee(untrained, mine, ahead), []
        state = trainee.beginning
        for _, batch in live.batches(pairs, n_steps):
            state, loss = step_of_training(state, batch, trainee.forward, trainee.backward, trainee.settings)
            losses.append(loss)
            if len(losses) == 150:
                early.append(trainee.model_with(state.params))
        read = mine.shift_right(unseen.target_ids, BOS)
        logits = [trainee.forward(state.params, source, read) for source in (unseen.source_ids, exchanged)]
        wanted = mine.smooth_labels(unseen.target_ids, logits[0].shape[-1], 0.1)
        unseen_losses = [mine.cross_entropy(each, wanted, unseen.is_token) for each in logits]
        return trainee.model_with(state.params), losses, unseen_losses, early

    return run


@pytest.fixture(scope="module")
def honest_run(run_of):
    return run_of(learners_functions("10").train_step, 1000)


@pytest.mark.exhaustive(minutes=1)
def test_what_unit_10_says_of_its_three_runs(run_of, honest_run):
    mine = learners_functions("10")
    _, others, untrained = live.small_task()
    unseen = live.sentence_pairs(others)
    honest, honest_losses, (right, wrong), early = honest_run
    assert honest_losses[0] == pytest.approx(np.log(158), abs=1)
    assert share_right(honest, "new", 200) >= 0.8
    way = honest_losses[0] - best_loss(others, untrained, 0.1)
    assert 0.6 < (honest_losses[0] - np.mean(honest_losses[130:150])) / way < 0.75
    read = flatten(early[0]), unseen.source_ids, mine.shift_right(unseen.target_ids, BOS)
    logits = live.Trainee(early[0]).forward(*read)
    assert 0.5 < (logits.argmax(axis=-1) == unseen.target_ids)[unseen.is_token].mean() < 0.7
    assert share_right(early[0], "new", 200) < 0.1
    assert share_right(honest, "held-out", 200) < share_right(honest, "new", 200)
    assert 0.9 < right < 1.2
    assert 4.8 < wrong < 5.2

    floor = best_loss(others, untrained, 0.1)
    cheater, _, (seen, not_hers), _ = run_of(mine.train_step, 400, ahead=1)
    assert seen < floor < right
    assert not_hers < seen + 0.15
    assert share_right(cheater, "new", 200) == 0

    copying, losses, *_ = run_of(colleagues_step(mine), 400)
    assert np.mean(losses[-50:]) < np.mean(honest_losses[-50:])
    assert share_right(copying, "new", 200) == 0


def trained_shares(pairs, untrained, frozen=lambda name: False):
    """Train for 1,000 steps; return the mean loss of the last 50, and the shares of right translations."""
    arrays = named_arrays(untrained)
    learns = flatten(with_arrays(untrained, [np.full_like(a, not frozen(name)) for name, a in arrays.items()]))
    trainee, losses = live.Trainee(untrained), []
    state = trainee.beginning
    for _, batch in live.batches(pairs, 1000):
        state, loss = reference.train_step(
            state, batch, trainee.forward, lambda *read: trainee.backward(*read) * learns, trainee.settings
        )
        losses.append(loss)
    assert np.array_equal(state.params[learns == 0], trainee.beginning.params[learns == 0])
    model = trainee.model_with(state.params)
    return np.mean(losses[-50:]), *(share_right(model, split, 200) for split in ("new", "held-out"))


@pytest.mark.exhaustive(minutes=1)
@pytest.mark.hours
def test_attention_that_stays_random_is_no_worse(honest_run):
    pairs, _, untrained = live.small_task()
    whole = share_right(honest_run[0], "new", 200)
    _, random, _ = trained_shares(pairs, untrained, lambda name: name.endswith(("W_Q", "W_K")))
    _, without_encoder, _ = trained_shares(pairs, untrained, lambda name: name.startswith("encoder"))
    assert (whole, random, without_encoder) == pytest.approx((0.84, 0.90, 0.88), abs=OTHER_PROCESSOR)


@pytest.mark.hours
@pytest.mark.exhaustive(minutes=1)
@pytest.mark.hours
def test_nor_is_it_with_another_beginning():
    pairs, _, untrained = live.small_task(seed=1)
    _, whole, _ = trained_shares(pairs, untrained)
    _, random, _ = trained_shares(pairs, untrained, lambda name: name.endswith(("W_Q", "W_K")))
    assert (whole, random) == pytest.approx((0.89, 0.90), abs=OTHER_PROCESSOR)


@pytest.mark.exhaustive(minutes=1)
@pytest.mark.hours
def test_three_wrong_pairs_in_ten_do_little_harm():
    pairs, _, untrained = live.small_task()
    rng, mixed = np.random.default_rng(0), list(pairs)
    chosen = rng.choice(len(pairs), 3 * len(pairs) // 10, replace=False)
    for i, other in zip(chosen, rng.permutation(chosen), strict=True):
        mixed[i] = pairs[other][0], pairs[i][1]
    assert np.mean([new != old for new, old in zip(mixed, pairs, strict=True)]) > 0.28
    assert trained_shares(mixed, untrained) == pytest.approx((1.51, 0.78, 0.47), abs=0.025)
