"""Sentences into a model and out of it."""

import difflib

from transformer_kit.corpus.text import normalise, spanish_text
from transformer_kit.vocabulary import SPECIAL, words_of


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
        raise ValueError(f"expected an English sentence, got {sentence!r}, which has no words")
    unknown = [word for word in dict.fromkeys(words) if word not in model.source_vocabulary]
    if unknown:
        raise ValueError(" ".join(_unknown_word(word, model.source_vocabulary) for word in unknown))
    if any(mark in words[:-1] for mark in ".?"):
        raise ValueError(f"expected one sentence at a time, got {text!r}")
    if len(words) > model.longest_source:
        raise ValueError(
            f"the sentence has {len(words)} words and marks, and the model has seen no sentence of more than "
            f"{model.longest_source}: make it shorter"
        )
    return text


def _unknown_word(word, vocabulary):
    known = [other for other in vocabulary if other not in SPECIAL and other.isalpha()]
    near = difflib.get_close_matches(word, known, n=3, cutoff=0.6)
    advice = f"Words that look like it: {', '.join(near)}." if near else "No word that it knows looks like it."
    return f"The model does not know the word {word!r}. {advice}"


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
