"""The known mistakes of `translate`."""

import numpy as np

from autograder.exercises.unit_09_transformer.translate_variants import translation
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.corpus.sentences import written_sentence
from transformer_kit.corpus.vocabulary import BOS, EOS, PAD, words_of
from transformer_kit.reference import beam_search, greedy_decode

WORDS = "From text to numbers and back"
DECODING = "The model as a function of prefixes"

MISTAKES = KnownMistakes()


def _with_end(token_ids, model):
    text = written_sentence(token_ids, model)
    return f"{text} <eos>" if EOS in token_ids else text


@MISTAKES.add(where=WORDS)
def end_kept(sentence, model, beam_width=1, alpha=0.0):
    """The end symbol stands in the translation.

    It marks the end of the sentence and is not one of its words. `written_sentence` leaves it out.
    """
    return translation(sentence, model, beam_width, alpha, written=_with_end)


def _joined(token_ids, model):
    return " ".join(word for word in words_of(token_ids, model.target_words) if word != "<eos>")


@MISTAKES.add(where=WORDS)
def words_only_joined(sentence, model, beam_width=1, alpha=0.0):
    """The words are joined by spaces, and nothing more.

    A sentence begins with a capital, and no space stands before its full stop. `written_sentence` does this.
    """
    return translation(sentence, model, beam_width, alpha, written=_joined)


@MISTAKES.add(where=WORDS)
def ids_returned(sentence, model, beam_width=1, alpha=0.0):
    """The ids are returned, not a text.

    What is missing is the way back, from numbers to words.
    """
    return translation(sentence, model, beam_width, alpha, written=lambda token_ids, model: token_ids)


def _english_words(token_ids, model):
    return " ".join(words_of(token_ids, model.source_vocabulary))


@MISTAKES.add(where=WORDS)
def english_words(sentence, model, beam_width=1, alpha=0.0):
    """The ids are looked up among the English words.

    Each language has its own numbers. The Spanish words are in model.target_words.
    """
    return translation(sentence, model, beam_width, alpha, written=_english_words)


@MISTAKES.add(where=WORDS)
def not_prepared(sentence, model, beam_width=1, alpha=0.0):
    """The sentence is encoded as it was typed.

    “cats.” is one word then, and unknown. `prepare_sentence` separates the full stop, and refuses what the model
    cannot know.
    """
    return translation(sentence, model, beam_width, alpha, prepared=lambda sentence, model: sentence)


def _own_preparation(sentence, model):
    return sentence.lower().replace(".", " .").replace("?", " ?")


@MISTAKES.add(where=WORDS)
def own_preparation(sentence, model, beam_width=1, alpha=0.0):
    """Punctuation is separated, but unknown words, contractions and missing full stops pass.

    `encode` turns every unknown word into `<unk>` without complaint, and the model translates something else.
    `prepare_sentence` refuses the word by name.
    """
    return translation(sentence, model, beam_width, alpha, prepared=_own_preparation)


@MISTAKES.add(where=WORDS)
def error_as_text(sentence, model, beam_width=1, alpha=0.0):
    """A refusal is returned as if it were a translation.

    Do not catch the ValueError of `prepare_sentence`: the caller has to be able to tell a refusal from a
    translation.
    """
    try:
        return reference.translate(sentence, model, beam_width, alpha)
    except ValueError as error:
        return str(error)


@MISTAKES.add(where=WORDS)
def source_with_end(sentence, model, beam_width=1, alpha=0.0):
    """An end symbol is added after the source.

    Many models are trained that way. This one never saw an end symbol in its source.
    """
    return translation(sentence, model, beam_width, alpha, source=lambda ids: np.append(ids, EOS))


@MISTAKES.add(where=WORDS)
def source_with_start(sentence, model, beam_width=1, alpha=0.0):
    """A start symbol is added before the source.

    The start symbol begins the target. The source comes as it is.
    """
    return translation(sentence, model, beam_width, alpha, source=lambda ids: np.append(BOS, ids))


@MISTAKES.add(where=DECODING)
def source_hidden(sentence, model, beam_width=1, alpha=0.0):
    """source_is_token is False everywhere: the decoder sees nothing of the source.

    One sentence alone has no padding: all of its ids are tokens.
    """
    return translation(sentence, model, beam_width, alpha, visible=np.zeros_like)


@MISTAKES.add(where=DECODING)
def first_position(sentence, model, beam_width=1, alpha=0.0):
    """Every step uses the logits that follow the start symbol alone.

    The logits of the last position of the whole prefix say what comes next.
    """
    return translation(sentence, model, beam_width, alpha, picked=lambda logits: logits[:, 0])


@MISTAKES.add(where=DECODING)
def last_token_only(sentence, model, beam_width=1, alpha=0.0):
    """The decoder gets the newest token alone.

    It needs the whole prefix: it attends to everything written so far.
    """
    return translation(sentence, model, beam_width, alpha, seen=lambda prefixes: prefixes[:, -1:])


@MISTAKES.add(where=DECODING)
def starts_with_end(sentence, model, beam_width=1, alpha=0.0):
    """The prefix begins with the end symbol.

    The model was trained to begin after `<bos>`.
    """
    return translation(sentence, model, beam_width, alpha, ends=(EOS, EOS))


@MISTAKES.add(where=DECODING)
def starts_with_padding(sentence, model, beam_width=1, alpha=0.0):
    """The prefix begins with padding.

    The model was trained to begin after `<bos>`.
    """
    return translation(sentence, model, beam_width, alpha, ends=(PAD, EOS))


@MISTAKES.add(where=DECODING)
def end_not_recognised(sentence, model, beam_width=1, alpha=0.0):
    """The end symbol is not recognised, and the search goes on after it.

    What a model says after the end means nothing: it has never seen anything there in training.
    """
    return translation(sentence, model, beam_width, alpha, ends=(BOS, PAD))


@MISTAKES.add(where=DECODING)
def length_of_source(sentence, model, beam_width=1, alpha=0.0):
    """The translation is cut to the length of the source.

    Translations are often longer than what they translate. The limit is model.max_len.
    """
    return translation(sentence, model, beam_width, alpha, limit=lambda source_ids, model: len(source_ids))


@MISTAKES.add(where=DECODING)
def fixed_limit(sentence, model, beam_width=1, alpha=0.0):
    """The limit is 50 tokens, whatever model.max_len is.

    Every model has a limit of its own.
    """
    return translation(sentence, model, beam_width, alpha, limit=lambda source_ids, model: 50)


@MISTAKES.add(where=DECODING)
def always_greedy(sentence, model, beam_width=1, alpha=0.0):
    """beam_width is ignored: the search is always greedy.

    With a beam_width above 1, call your `beam_search`.
    """
    return reference.translate(sentence, model, 1, alpha)


@MISTAKES.add(where=DECODING)
def alpha_ignored(sentence, model, beam_width=1, alpha=0.0):
    """alpha is not passed on.

    Without it a beam prefers short translations.
    """
    return reference.translate(sentence, model, beam_width, 0.0)


def _last_of_beam(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha):
    if beam_width == 1:
        return greedy_decode(next_log_probs, bos_id, eos_id, max_len)
    return beam_search(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha)[-1][1]


@MISTAKES.add(where=DECODING)
def worst_of_the_beam(sentence, model, beam_width=1, alpha=0.0):
    """The last hypothesis of the beam is taken.

    `beam_search` returns the best one first.
    """
    return translation(sentence, model, beam_width, alpha, decode=_last_of_beam)


@MISTAKES.add(where=WORDS)
def score_too(sentence, model, beam_width=1, alpha=0.0):
    """With a beam the score is returned as well.

    The result is a text in both cases.
    """
    if beam_width == 1:
        return reference.translate(sentence, model)
    best = []

    def decode(*given):
        best.extend(beam_search(*given)[0])
        return best[1]

    return translation(sentence, model, beam_width, alpha, decode=decode), best[0]


@MISTAKES.add(where=DECODING)
def symbols_exchanged(sentence, model, beam_width=1, alpha=0.0):
    """The start and the end symbol are swapped.

    Both searches take the start symbol first.
    """
    return translation(sentence, model, beam_width, alpha, ends=(EOS, BOS))


@MISTAKES.add(where=WORDS)
def source_between_symbols(sentence, model, beam_width=1, alpha=0.0):
    """A start symbol is added before the source, and an end symbol after it.

    Many models are trained that way. This one never saw them in its source, which comes as it is.
    """
    return translation(sentence, model, beam_width, alpha, source=lambda ids: np.array([BOS, *ids, EOS]))
