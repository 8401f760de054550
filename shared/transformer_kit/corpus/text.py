"""From typed text to the words of the grammar, and from words to a sentence with a capital letter and a full stop."""

import re
import unicodedata

from transformer_kit.corpus.clock import DAYS, MONTHS
from transformer_kit.corpus.names import NATIONS, PEOPLE, PLACES
from transformer_kit.corpus.numbers import in_words
from transformer_kit.corpus.words import NOUNS

LANGUAGES = [noun.english for noun in NOUNS if noun.kind == "language"]
PROPER = [row[0] for row in (*PEOPLE, *PLACES, *NATIONS, *DAYS, *MONTHS)]
CAPITALISED = {word: word.capitalize() for word in ("i", *PROPER, *LANGUAGES, *(f"{day}s" for day, _ in DAYS))}
CONTRACTIONS = {
    "can't": "can not",
    "cannot": "can not",
    "i'm": "i am",
    "any": "",  # "do you have any milk?" says what "do you have milk?" says
    "won't": "will not",
    "let's": "let us",
    **{
        f"{verb}n't": f"{verb} not"
        for verb in ("do", "does", "did", "is", "are", "was", "were", "could", "must", "have")
    },
    **{f"{word}'d": f"{word} would" for word in ("i", "you", "he", "she", "we", "they")},
    **{f"{word}'re": f"{word} are" for word in ("you", "we", "they")},
    **{
        f"{word}'s": f"{word} is"
        for word in ("he", "she", "it", "who", "what", "where", "when", "why", "how", "there", "here", "this", "that")
    },
}
SPELLINGS = {
    **{"colour": "color", "favourite": "favorite", "neighbour": "neighbor", "neighbours": "neighbors"},
    **{"grey": "gray", "ok": "okay"},
}
ASKING = (
    *("am", "is", "are", "was", "were", "do", "does", "did", "can", "could", "would"),
    *("what", "where", "when", "why", "who", "how"),
)


def normalise(sentence):
    """Turn a typed English sentence into words and punctuation marks, separated by single spaces.

    Parameters
    ----------
    sentence : str

    Returns
    -------
    str
        In lower case, without contractions and commas, with a full stop or a question mark at the end: "I don't like
        cats" becomes "i do not like cats ." A sentence of no words becomes "".
    """
    text = _plain(sentence)
    text = re.sub(r"[!.?]+", lambda marks: " ? " if "?" in marks[0] else " . ", text)
    words = []
    for word in re.sub(r"[^\w'.?]+", " ", text).split():
        word = in_words(word) if word.isdecimal() else SPELLINGS.get(word, word)
        words += CONTRACTIONS.get(word, word).split()
    words = [part for word in words for part in re.sub(r"(\w)'s?$", r"\1 's", word).split()]
    if not any(word.strip(".?'") for word in words):
        return ""
    if words[-1] not in (".", "?"):
        words.append("?" if words[0] in ASKING else ".")
    return " ".join(words)


def _plain(sentence):
    """Return lower case without accents, with straight apostrophes."""
    straight = sentence.replace("\u2019", "'").lower()
    decomposed = unicodedata.normalize("NFKD", straight)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def english_text(words):
    """Write English words as a sentence: "I like Ana's cats."

    Parameters
    ----------
    words : sequence of str

    Returns
    -------
    str
    """
    return _written(CAPITALISED.get(word, word) for word in words).replace(" 's", "'s")


def spanish_text(words):
    """Write Spanish words as a sentence: "¿Te gustan los gatos?"

    Parameters
    ----------
    words : sequence of str

    Returns
    -------
    str
    """
    return _written(words)


def _written(words):
    text = re.sub(r" ([.,?])", r"\1", " ".join(words)).replace("¿ ", "¿")
    return re.sub(r"\w", lambda first: first[0].upper(), text, count=1)
