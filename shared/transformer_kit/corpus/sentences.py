"""From a typed sentence to the words of a model, and from its ids back to a sentence."""

import difflib

from transformer_kit.corpus.grammar import translations
from transformer_kit.corpus.text import CAPITALISED, normalise, spanish_text
from transformer_kit.corpus.vocabulary import SPECIAL, words_of


def prepare_sentence(sentence, model):
    """Turn a typed English sentence into words that a model knows.

    Parameters
    ----------
    sentence : str
    model : Model

    Returns
    -------
    str
        Words and marks in lower case, separated by spaces, with a full stop or question mark: "i like cats ."

    Raises
    ------
    ValueError
        If there is no word, more than one sentence, an unknown word, or more words than in any sentence that the
        model was trained on.
    """
    text = normalise(sentence)
    words = text.split()
    if not words:
        raise ValueError(f"expected an English sentence, got {sentence!r}: try 'I like cats.'")
    unknown = [word for word in dict.fromkeys(words) if word not in model.source_vocabulary]
    if unknown:
        raise ValueError(_said_of(unknown, len(words), model.source_vocabulary))
    if any(mark in words[:-1] for mark in ".?"):
        raise ValueError(f"expected one sentence at a time, got {text!r}")
    if len(words) > model.longest_source:
        raise ValueError(
            f"the sentence has {len(words)} words and marks of punctuation, and the model has seen none of more than "
            f"{model.longest_source}: make it shorter"
        )
    return text


def _said_of(unknown, count, vocabulary):
    """Name the unknown words of a sentence, each with those that may have been meant, and say what is known."""
    known = [word for word in vocabulary if word not in SPECIAL and word.isalpha()]
    near = {word: _similar(word, known) for word in unknown}
    named = [f"{word!r} (did you mean {' or '.join(near[word])}?)" if near[word] else repr(word) for word in unknown]
    text = f"The model does not know the word{'s' * (len(unknown) > 1)} {', '.join(named)}."
    if all(near.values()):
        return text
    if len(unknown) > count / 2:
        return f"{text} It reads English alone, and knows {len(known):,} words of it."
    return f"{text} It knows {len(known):,} English words: try a more common one."


def _similar(word, known):
    """Return up to three known words that differ by a letter or so, or have the same letters in another order."""
    exchanged = [other for other in known if sorted(other) == sorted(word)]
    found = dict.fromkeys([*exchanged, *difflib.get_close_matches(word, known, n=3, cutoff=0.8)])
    return [CAPITALISED.get(other, other) for other in found][:3]


def remark(sentence):
    """Say whether a typed English sentence is one that the models were made for.

    Parameters
    ----------
    sentence : str

    Returns
    -------
    str
        "" for a sentence that the grammar generates, and otherwise a warning.
    """
    if translations(normalise(sentence).split()):
        return ""
    return "The model has never seen a sentence of this form: do not trust the translation without checking it."


def written_sentence(token_ids, model):
    """Write the tokens that a model has chosen as a Spanish sentence.

    Parameters
    ----------
    token_ids : sequence of int
        Special tokens among them are left out.
    model : Model

    Returns
    -------
    str
        With a capital at the beginning: "Me gustan los gatos."
    """
    words = words_of(token_ids, model.target_words)
    return spanish_text([word for word in words if word not in SPECIAL])
