"""The known mistakes of `translate`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference
from transformer_kit.reference import beam_search, decode_target, encode, encode_source, greedy_decode, softmax
from transformer_kit.sentences import prepare_sentence, written_sentence
from transformer_kit.vocabulary import BOS, EOS, PAD, words_of

SECTION = "Exercise 9.4: translate"
WORDS = "From text to numbers and back"
DECODING = "The model as a function of prefixes"


def log_softmax(logits):
    """Return log-probabilities."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def decoded(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha):
    """Return the ids of the best translation."""
    if beam_width == 1:
        return greedy_decode(next_log_probs, bos_id, eos_id, max_len)
    return beam_search(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha)[0][1]


def translation(
    *,
    prepared=prepare_sentence,
    source=lambda source_ids: source_ids,
    visible=lambda is_token: is_token,
    seen=lambda prefixes: prefixes,
    picked=lambda logits: logits[:, -1],
    normalised=log_softmax,
    ends=(BOS, EOS),
    limit=lambda source_ids, model: model.max_len,
    decode=decoded,
    written=written_sentence,
):
    """Make a translating function with something changed; what is not given is right.

    Parameters
    ----------
    prepared : callable
        ``prepared(sentence, model)`` is the text that is encoded.
    source, visible : callable
        Change the ids of the source, of shape (n,), and where they are tokens, of shape (1, n).
    seen : callable
        The prefixes that the decoder gets.
    picked : callable
        Takes the logits of one position.
    normalised : callable
        Makes log-probabilities of them.
    ends : tuple of (int, int)
        Start and end symbol.
    limit : callable
        ``limit(source_ids, model)`` is the largest number of tokens.
    decode : callable
        ``decode(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha)`` returns the ids.
    written : callable
        ``written(ids, model)`` is the result.
    """

    def translate(sentence, model, beam_width=1, alpha=0.0):
        source_ids = source(encode(prepared(sentence, model), model.source_vocabulary))[None]
        is_token = visible(np.ones(source_ids.shape, dtype=bool))
        memory = encode_source(source_ids, is_token, model)

        def next_log_probs(prefixes):
            k = len(prefixes)
            given = np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0)
            return normalised(picked(decode_target(seen(prefixes), *given, model)))

        ids = decode(next_log_probs, *ends, beam_width, limit(source_ids[0], model), alpha)
        return written(ids, model)

    return translate


def _with_end(token_ids, model):
    text = written_sentence(token_ids, model)
    return f"{text} <eos>" if EOS in token_ids else text


def _joined(token_ids, model):
    return " ".join(word for word in words_of(token_ids, model.target_words) if word != "<eos>")


def _english_words(token_ids, model):
    return " ".join(words_of(token_ids, model.source_vocabulary))


def _own_preparation(sentence, model):
    return sentence.lower().replace(".", " .").replace("?", " ?")


def _error_as_text(sentence, model, beam_width=1, alpha=0.0):
    try:
        return reference.translate(sentence, model, beam_width, alpha)
    except ValueError as error:
        return str(error)


def _all_of_beam(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha):
    return beam_search(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha)


def _best_as_pair(sentence, model, beam_width=1, alpha=0.0):
    if beam_width == 1:
        return reference.translate(sentence, model)
    scored = []
    text = translation(decode=lambda *given: scored.append(_all_of_beam(*given)[0]) or scored[0][1])
    return text(sentence, model, beam_width, alpha), scored[0][0]


def _last_of_beam(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha):
    if beam_width == 1:
        return greedy_decode(next_log_probs, bos_id, eos_id, max_len)
    return beam_search(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha)[-1][1]


raw_logits = translation(normalised=lambda logits: logits)
worst_of_beam = translation(decode=_last_of_beam)

MISTAKES = (
    Mistake(
        "end-kept",
        "The end symbol stands in the translation",
        translation(written=_with_end),
        "It tells where the sentence ends and is no word of it. `written_sentence` leaves it out.",
        WORDS,
    ),
    Mistake(
        "words-only-joined",
        "The words are joined by spaces, and nothing more",
        translation(written=_joined),
        "A sentence begins with a capital, and no space stands before its full stop. `written_sentence` does this.",
        WORDS,
    ),
    Mistake(
        "ids-returned",
        "The ids are returned, not a text",
        translation(written=lambda token_ids, model: token_ids),
        "What is missing is the way back, from numbers to words.",
        WORDS,
    ),
    Mistake(
        "english-words",
        "The ids are looked up among the English words",
        translation(written=_english_words),
        "Each language has its own numbers. The Spanish words are in model.target_words.",
        WORDS,
    ),
    Mistake(
        "not-prepared",
        "The sentence is encoded as it was typed",
        translation(prepared=lambda sentence, model: sentence),
        "“cats.” is one word then, and unknown. `prepare_sentence` puts the full stop apart, and refuses what the "
        "model cannot know.",
        WORDS,
    ),
    Mistake(
        "own-preparation",
        "Marks are put apart, but unknown words, contractions and missing full stops pass",
        translation(prepared=_own_preparation),
        "`encode` makes `<unk>` of every unknown word without a sound, and the model translates something else. "
        "`prepare_sentence` refuses it by name.",
        WORDS,
    ),
    Mistake(
        "error-as-text",
        "A refusal is returned as if it were a translation",
        _error_as_text,
        "Let the ValueError of `prepare_sentence` pass: whoever calls has to be able to tell it from a translation.",
        WORDS,
    ),
    Mistake(
        "source-with-end",
        "An end symbol is put behind the source",
        translation(source=lambda ids: np.append(ids, EOS)),
        "Many models are trained so. This one never saw an end symbol in its source.",
        WORDS,
    ),
    Mistake(
        "source-with-start",
        "A start symbol is put before the source",
        translation(source=lambda ids: np.append(BOS, ids)),
        "The start symbol begins the target. The source comes as it is.",
        WORDS,
    ),
    Mistake(
        "source-hidden",
        "source_is_token is False everywhere: the decoder sees nothing of the source",
        translation(visible=np.zeros_like),
        "One sentence alone has no padding: all of its ids are tokens.",
        DECODING,
    ),
    Mistake(
        "first-position",
        "The logits of the first position are used at every step",
        translation(picked=lambda logits: logits[:, 0]),
        "What comes next stands in the logits of the last position of the prefix.",
        DECODING,
    ),
    Mistake(
        "last-token-only",
        "The decoder gets the newest token alone",
        translation(seen=lambda prefixes: prefixes[:, -1:]),
        "It needs the whole prefix: it attends to all that was written.",
        DECODING,
    ),
    Mistake(
        "starts-with-end",
        "The prefix begins with the end symbol",
        translation(ends=(EOS, EOS)),
        "The model was trained to begin after `<bos>`.",
        DECODING,
    ),
    Mistake(
        "starts-with-padding",
        "The prefix begins with padding",
        translation(ends=(PAD, EOS)),
        "The model was trained to begin after `<bos>`.",
        DECODING,
    ),
    Mistake(
        "end-not-recognised",
        "The end symbol is not recognised, and the search goes on behind it",
        translation(ends=(BOS, PAD)),
        "What a model says after the end means nothing: it has never seen anything there in training.",
        DECODING,
    ),
    Mistake(
        "length-of-source",
        "The translation is cut to the length of the source",
        translation(limit=lambda source_ids, model: len(source_ids)),
        "Translations are often longer than what they translate. The limit is model.max_len.",
        DECODING,
    ),
    Mistake(
        "fixed-limit",
        "The limit is 50 tokens, whatever model.max_len is",
        translation(limit=lambda source_ids, model: 50),
        "Every model says itself how long it may write.",
        DECODING,
    ),
    Mistake(
        "raw-logits",
        "The search adds up logits, not log-probabilities",
        raw_logits,
        "For the best next token that makes no difference. But a beam compares different sentences, and logits after "
        "different prefixes have no common scale.",
        DECODING,
    ),
    Mistake(
        "probabilities",
        "The search adds up probabilities, not their logarithms",
        translation(normalised=softmax),
        "The probability of a sentence is a product. Logarithms turn it into a sum.",
        DECODING,
    ),
    Mistake(
        "normalised-over-beam",
        "The log-probabilities are normalised over the hypotheses, not over the words",
        translation(normalised=lambda logits: np.swapaxes(log_softmax(np.swapaxes(logits, 0, 1)), 0, 1)),
        "For each prefix the probabilities of all words sum to 1. Which axis is that?",
        DECODING,
    ),
    Mistake(
        "always-greedy",
        "beam_width is ignored: the search is always greedy",
        translation(decode=lambda f, bos, eos, width, n, alpha: decoded(f, bos, eos, 1, n, alpha)),
        "With beam_width above 1 your `beam_search` is to be used.",
        DECODING,
    ),
    Mistake(
        "alpha-ignored",
        "alpha is not handed on",
        translation(decode=lambda f, bos, eos, width, n, alpha: decoded(f, bos, eos, width, n, 0.0)),
        "Without it a beam prefers short translations.",
        DECODING,
    ),
    Mistake(
        "worst-of-the-beam",
        "The last hypothesis of the beam is taken",
        worst_of_beam,
        "`beam_search` returns the best one first.",
        DECODING,
    ),
    Mistake(
        "score-too",
        "With a beam the score is returned as well",
        _best_as_pair,
        "A text is asked for, in both cases.",
        WORDS,
    ),
)
