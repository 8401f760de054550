"""Specification of `translate`."""

import numpy as np

from autograder.exercises.unit_09_transformer import calls
from autograder.exercises.unit_09_transformer.inputs import sentences, small_model, trained
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.corpus import english_text
from transformer_kit.corpus.sentences import written_sentence
from transformer_kit.corpus.vocabulary import EOS, SPECIAL, words_of

WORDS = "From text to numbers and back"
DECODING = "The model as a function of prefixes"

BEAM = {"beam_width": 3, "alpha": 2.0}  # a penalty so strong that it matters

CONSONANTS = list("bcdfghjklmnpqrstvwxz")

EXERCISE = Exercise(
    reference=reference.translate,
    asks="the Spanish translation of an English sentence, by greedy search or with a beam.",
    returns=(Output("translation"),),
    where=DECODING,
    calls=calls.TRANSLATE,
    may_go_wrong_inside=False,
)


def _greedily(sentence, model, **_):
    return reference.translate(sentence, model)


def _other_words(rng):
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


def _varied(rng, *rivals, scale=1, **options):
    """Draw a small model and a sentence whose translation has several words; rivals make something else of it each.

    The logits are multiplied by `scale`.
    """
    while True:
        model = small_model(rng, n_layers=1, tied=False)
        model = model._replace(output_projection=scale * model.output_projection)
        sentence = " ".join(rng.choice(list("abcdefghi"), 5))
        text = reference.translate(sentence, model, **options)
        if len(set(text.lower().split())) > 1 and _all_differ(text, rivals, sentence, model, options):
            return sentence, model


@EXERCISE.claim(2.5)
def greedy(call, rng):
    """greedy: translates sentences as the trained model does"""
    for sentence in sentences(rng, 5):
        call.agrees(english_text(sentence.english), trained())
    call.agrees(english_text(sentence.english), _other_words(rng))


@EXERCISE.claim(1)
def small(call, rng):
    """greedy: says what small random models say"""
    for _ in range(2):
        call.agrees(*_varied(rng))


@EXERCISE.claim(0.5)
def longest(call, rng):
    """writes at most model.max_len tokens"""
    sentence = english_text(sentences(rng, 1)[0].english)
    for model, max_len in zip((trained(), _other_words(rng)), rng.permutation([2, 3, 4]), strict=False):
        call.agrees(sentence, model._replace(max_len=int(max_len)))


def _likes(sentence):
    """Return whether a beam finds a likelier translation than greedy search: "they" has two genders in Spanish."""
    return sentence.english[0] == "they" and sentence.english[1] in ("like", "love")


@EXERCISE.claim(1.5)
def beam(call, rng):
    """with a beam: finds the likelier translation"""
    for sentence, width in zip(sentences(rng, 2, _likes), (2, 4), strict=True):
        call.agrees(english_text(sentence.english), trained(), width)
    call.agrees(*_varied(rng, _greedily, beam_width=3), beam_width=3)


def _mistaken(id):
    """Return the function of a known mistake, whose results the inputs have to tell from right ones."""
    return next(mistake.function for mistake in EXERCISE.mistakes if mistake.id == id)


def _without_penalty(sentence, model, beam_width, **_):
    return reference.translate(sentence, model, beam_width)


@EXERCISE.claim(1)
def alpha(call, rng):
    """the length penalty alpha reaches the beam search"""
    others = _mistaken("worst-of-the-beam"), _mistaken("raw-logits"), _greedily  # these look alike at times
    call.agrees(*_varied(rng, *others, **BEAM), **BEAM)
    call.agrees(*_varied(rng, _without_penalty, **BEAM), **BEAM)


def _denies(sentence):
    """Return whether there is something to contract."""
    return ("do", "not") in zip(sentence.english, sentence.english[1:], strict=False)


@EXERCISE.claim(1)
def spelling(call, rng):
    """takes sentences as people type them"""
    negated, other = sentences(rng, 1, _denies)[0], sentences(rng, 1)[0]
    call.agrees(english_text(negated.english).replace(" do not", " don't").rstrip("."), trained())
    call.agrees(f"  {english_text(other.english).upper()} ", _other_words(rng))


@EXERCISE.claim(1, side=True)
def refuses(call, rng):
    """refuses an unknown word, a sentence that is too long, and one without words"""
    known = english_text(sentences(rng, 1)[0].english)
    unknown = "".join(rng.choice(CONSONANTS, 7))
    n_words = trained().longest_source + int(rng.integers(1, 9))
    call.refuses(f"I like {unknown}.", trained(), mentions=(unknown,))
    call.refuses(f"I like {'big ' * (n_words - 4)}cats.", trained(), mentions=(n_words,))
    for empty in ("", "  ..."):
        call.refuses(empty, trained(), mentions=())
    call.agrees(known, _other_words(rng))


@EXERCISE.claim(0.5)
def large_logits(call, rng):
    """logits in the thousands do no harm"""
    call.agrees(*_varied(rng, _mistaken("maximum-of-all-rows"), scale=1000, beam_width=3), beam_width=3)


wrong = WrongAnswers(EXERCISE, globals())


def _with_end(token_ids, model):
    text = written_sentence(token_ids, model)
    return f"{text} <eos>" if EOS in token_ids else text


wrong.at(WORDS)
wrong("end-kept", {"written_sentence(token_ids, model)": "_with_end(token_ids, model)"}, """
    The end symbol stands in the translation.
    It marks the end of the sentence and is not one of its words. `written_sentence` leaves it out.""")


def _joined(token_ids, model):
    return " ".join(word for word in words_of(token_ids, model.target_words) if word != "<eos>")


wrong("words-only-joined", {"written_sentence(token_ids, model)": "_joined(token_ids, model)"}, """
    The words are joined by spaces, and nothing more.
    A sentence begins with a capital, and no space stands before its full stop. `written_sentence` does this.""")

wrong("ids-returned", {"written_sentence(token_ids, model)": "token_ids"}, """
    The ids are returned, not a text.
    What is missing is the way back, from numbers to words.""")

wrong("english-words",
      {"written_sentence(token_ids, model)": "' '.join(words_of(token_ids, model.source_vocabulary))"}, """
    The ids are looked up among the English words.
    Each language has its own numbers. The Spanish words are in model.target_words.""")

wrong("not-prepared", {"prepare_sentence(sentence, model)": "sentence"}, """
    The sentence is encoded as it was typed.
    “cats.” is one word then, and unknown. `prepare_sentence` separates the full stop, and refuses what the model cannot
    know.""")

wrong("own-preparation",
      {"prepare_sentence(sentence, model)": "sentence.lower().replace('.', ' .').replace('?', ' ?')"}, """
    Punctuation is separated, but unknown words, contractions and missing full stops pass.
    `encode` turns every unknown word into `<unk>` without complaint, and the model translates something else.
    `prepare_sentence` refuses the word by name.""")


@wrong.function
def error_as_text(sentence, model, beam_width=1, alpha=0.0):
    """A refusal is returned as if it were a translation.
    Do not catch the ValueError of `prepare_sentence`: the caller has to be able to tell a refusal from a
    translation."""
    try:
        return reference.translate(sentence, model, beam_width, alpha)
    except ValueError as error:
        return str(error)


wrong("source-with-end", {
    "encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]":
        "np.append(encode(prepare_sentence(sentence, model), model.source_vocabulary), EOS)[None]",
}, """
    An end symbol is added after the source.
    Many models are trained that way. This one never saw an end symbol in its source.""")

wrong("source-with-start", {
    "encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]":
        "np.append(BOS, encode(prepare_sentence(sentence, model), model.source_vocabulary))[None]",
}, """
    A start symbol is added before the source.
    The start symbol begins the target. The source comes as it is.""")

wrong.at(DECODING)
wrong("source-hidden", {"np.ones(source": "np.zeros(source"}, """
    source_is_token is False everywhere: the decoder sees nothing of the source.
    One sentence alone has no padding: all of its ids are tokens.""")

wrong("first-position", {"model)[:, -1]": "model)[:, 0]"}, """
    Every step uses the logits that follow the start symbol alone.
    The logits of the last position of the whole prefix say what comes next.""")

wrong("last-token-only", {"decode_target(prefixes,": "decode_target(prefixes[:, -1:],"}, """
    The decoder gets the newest token alone.
    It needs the whole prefix: it attends to everything written so far.""")

wrong.everywhere("starts-with-end", {"BOS": "EOS"}, """
    The prefix begins with the end symbol.
    The model was trained to begin after `<bos>`.""")

wrong.everywhere("starts-with-padding", {"BOS": "0"}, """
    The prefix begins with padding.
    The model was trained to begin after `<bos>`.""")

wrong.everywhere("end-not-recognised", {"EOS": "0"}, """
    The end symbol is not recognised, and the search goes on after it.
    What a model says after the end means nothing: it has never seen anything there in training.""")

wrong.everywhere("length-of-source", {"model.max_len": "source_ids.shape[-1]"}, """
    The translation is cut to the length of the source.
    Translations are often longer than what they translate. The limit is model.max_len.""")

wrong.everywhere("fixed-limit", {"model.max_len": "50"}, """
    The limit is 50 tokens, whatever model.max_len is.
    Every model has a limit of its own.""")

wrong("always-greedy", "translate(sentence, model, 1, alpha)", """
    beam_width is ignored: the search is always greedy.
    With a beam_width above 1, call your `beam_search`.""")

wrong("alpha-ignored", "translate(sentence, model, beam_width, 0.0)", """
    alpha is not passed on.
    Without it a beam prefers short translations.""")

wrong("worst-of-the-beam", {"alpha)[0][1]": "alpha)[-1][1]"}, """
    The last hypothesis of the beam is taken.
    `beam_search` returns the best one first.""")

wrong.at(WORDS)
wrong("score-too", {
    "    token_ids = beam_search(": "    score, token_ids = beam_search(",
    "alpha)[0][1]": "alpha)[0]\n        return written_sentence(token_ids, model), score",
}, """
    With a beam the score is returned as well.
    The result is a text in both cases.""")

wrong.at(DECODING)
wrong.everywhere("symbols-exchanged", {"BOS, EOS": "EOS, BOS"}, """
    The start and the end symbol are swapped.
    Both searches take the start symbol first.""")

wrong.at(WORDS)
wrong("source-between-symbols", {
    "encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]":
        "np.array([[BOS, *encode(prepare_sentence(sentence, model), model.source_vocabulary), EOS]])",
}, """
    A start symbol is added before the source, and an end symbol after it.
    Many models are trained that way. This one never saw them in its source, which comes as it is.""")

wrong.at(DECODING)
wrong("raw-logits", {"shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))": "logits"}, """
    The search adds up logits, not log-probabilities.
    For the best next token that makes no difference. But a beam compares different sentences, and logits after
    different prefixes have no common scale.""")

wrong("probabilities", {"shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))": "softmax(logits)"}, """
    The search adds up probabilities, not their logarithms.
    The probability of a sentence is a product. Logarithms turn it into a sum.""")

wrong("normalised-over-beam", {
    "logits.max(axis=-1, keepdims=True)": "logits.max(axis=0, keepdims=True)",
    "np.exp(shifted).sum(axis=-1, keepdims=True)": "np.exp(shifted).sum(axis=0, keepdims=True)",
}, """
    The log-probabilities are normalised over the hypotheses, not over the words.
    For each prefix the probabilities of all words sum to 1. Which axis is that?""")

wrong("normalised-over-everything", {
    "logits.max(axis=-1, keepdims=True)": "logits.max()",
    "np.exp(shifted).sum(axis=-1, keepdims=True)": "np.exp(shifted).sum()",
}, """
    One sum over all hypotheses normalises the log-probabilities.
    For each prefix the probabilities of all words sum to 1, whatever the others say. A sum without an axis adds up all
    rows.""")

wrong("unstable", {"shifted = logits - logits.max(axis=-1, keepdims=True)": "shifted = logits"}, """
    The exponentials are taken of the logits as they are.
    They overflow where a logit is large. Subtract the maximum first: it cancels.""")

wrong("maximum-of-all-rows", {"logits.max(axis=-1, keepdims=True)": "logits.max()"}, """
    The largest logit of all hypotheses is subtracted from every row.
    In a row of much smaller logits every exponential is then 0, and so is their sum. Each row has its own maximum.""")

wrong("sum-of-all-rows", {"np.exp(shifted).sum(axis=-1, keepdims=True)": "np.exp(shifted).sum()"}, """
    The sum under the logarithm has no axis: it adds up the words of all hypotheses.
    For each prefix the probabilities of all words sum to 1, whatever the others say. The sum runs along the words.""")
