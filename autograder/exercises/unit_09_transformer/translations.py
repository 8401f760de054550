"""What `translate` has to translate in its claims: models and sentences that tell right searches from wrong ones."""

import functools
import json

import numpy as np

from autograder.exercises.unit_09_transformer.inputs import small_model, trained
from transformer_kit import reference
from transformer_kit.corpus.sentences import prepare_sentence, written_sentence
from transformer_kit.corpus.vocabulary import BOS, EOS, SPECIAL


def other_words(rng):
    """Return the trained model with its table of Spanish words in another order.

    It says what no grammar knows: who wants to know its words has to run it.
    """
    rows = trained().target_embedding
    order = [*range(len(SPECIAL)), *rng.permutation(np.arange(len(SPECIAL), len(rows)))]
    return trained()._replace(target_embedding=rows[order])


def _all_differ(text, rivals, sentence, model, options):
    texts = {text}
    for rival in rivals:
        with np.errstate(divide="ignore"):
            other = rival(sentence, model, **options)
        if other in texts:
            return False
        texts.add(other)
    return True


def varied(rng, *rivals, scale=1, **options):
    """Draw a small model and a sentence whose translation has several words; rivals make something else of it each.

    The logits are multiplied by `scale`. Where the logarithm of a softmax is minus infinity, the search must not need
    it: who takes it is right as well.
    """
    before = json.dumps(rng.bit_generator.state)
    *drawn, rng.bit_generator.state = _drawn(before, rivals, scale, tuple(options.items()))
    return drawn


@functools.lru_cache(maxsize=32)  # every known mistake asks for the same draws
def _drawn(state, rivals, scale, options):
    """Draw with a generator in some state; return the state after it as well."""
    rng, options = np.random.default_rng(), dict(options)
    rng.bit_generator.state = json.loads(state)
    while True:
        model = small_model(rng, n_layers=1, tied=False)
        model = model._replace(output_projection=scale * model.output_projection)
        sentence = " ".join(rng.choice(list("abcdefghi"), 5))
        text = reference.translate(sentence, model, **options)
        if len(set(text.lower().split())) < 2 or not _all_differ(text, rivals, sentence, model, options):
            continue
        if scale == 1 or by_softmax(sentence, model, **options) == text:
            return sentence, model, rng.bit_generator.state


def offers_more_to_a_beam(sentence):
    """Return whether a beam finds a likelier translation than greedy search: "they" has two genders in Spanish."""
    return sentence.english[0] == "they" and sentence.english[1] in ("like", "love")


def can_be_contracted(sentence):
    """Return whether there is something to contract."""
    return ("do", "not") in zip(sentence.english, sentence.english[1:], strict=False)


def greedily(sentence, model, **_):
    """Translate without a beam, whatever is asked for."""
    return reference.translate(sentence, model)


def without_penalty(sentence, model, beam_width, **_):
    """Translate with a beam, but without a length penalty."""
    return reference.translate(sentence, model, beam_width)


def by_softmax(sentence, model, beam_width):
    """Translate with the logarithm of a softmax, which is minus infinity for what is hopelessly unlikely."""

    def next_log_probs(prefixes):
        logits = reference.decode_target(prefixes, *(np.repeat(a, len(prefixes), axis=0) for a in source), model)[:, -1]
        with np.errstate(divide="ignore"):
            return np.log(reference.softmax(logits))

    token_ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]
    is_token = np.ones(token_ids.shape, dtype=bool)
    source = reference.encode_source(token_ids, is_token, model), is_token
    best = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len)[0]
    return written_sentence(best[1], model)
