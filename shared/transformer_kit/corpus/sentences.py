"""From a typed sentence to the words of a model, and from its ids back to a sentence."""

import difflib
import unicodedata

from transformer_kit.corpus.grammar import translations
from transformer_kit.corpus.text import CAPITALISED, normalise, spanish_text
from transformer_kit.corpus.vocabulary import SPECIAL, words_of

SIGNS = ("So", "Sc")  # emoji and the like, currencies


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
        If there is no word, more than one sentence, an unknown word or sign, or more words than in any sentence that
        the model was trained on.
    """
    signs = [sign for sign in dict.fromkeys(sentence) if unicodedata.category(sign) in SIGNS]
    if signs:
        raise ValueError(f"The model reads words and numbers, not signs such as {signs[0]!r}: write it as a word")
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
        return f"{text} It reads only English, and only {len(known):,} words of it."
    return f"{text} It knows {len(known):,} English words: try a more common one."


def _similar(word, known):
    """Return up to three known words that differ by a letter or so, or have the same letters in another order."""
    exchanged = [other for other in known if sorted(other) == sorted(word)]
    found = dict.fromkeys([*exchanged, *difflib.get_close_matches(word, known, n=3, cutoff=0.8)])
    return [CAPITALISED.get(other, other) for other in found][:3]


def right_translations(sentence):
    """Return all Spanish sentences that the grammar has for a typed English one, the likeliest first.

    Parameters
    ----------
    sentence : str

    Returns
    -------
    list of str
        Empty for a sentence that the grammar does not generate.
    """
    return [spanish_text(way) for way in translations(normalise(sentence).split())]


def remark(sentence, written):
    """Say what is to be said of a translation that a model has made of a typed English sentence.

    Parameters
    ----------
    sentence : str
    written : str
        What the model wrote, with its capital and marks.

    Returns
    -------
    str
        "" for a translation that the grammar has, and otherwise a warning, with a right translation where the grammar
        knows one.
    """
    right = right_translations(sentence)
    if not right:
        return "The model has never seen a sentence of this form: do not trust the translation without checking it."
    return "" if written in right else f"This translation is wrong. A right one is: {right[0]}"


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
