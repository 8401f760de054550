"""The words of BERT: a text without capital letters and accents, cut into words, and these into pieces."""

import unicodedata

FIRST, LAST, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
LONGEST_WORD = 100  # letters; a longer word is unknown
CJK = (  # from, to: characters of Chinese, each of which is a word
    *((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F)),
    *((0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)),
)


def split_words(text):
    """Cut a text into words, as BERT without capital letters does.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of str
        In lower case and without accents; every mark, and every Chinese character, is a word.
    """
    spaced = "".join(f" {mark} " if _is_cjk(mark) else mark for mark in text if not _is_invisible(mark))
    letters = [mark for mark in unicodedata.normalize("NFD", spaced) if unicodedata.category(mark) != "Mn"]
    lower = "".join(letters).lower()
    return "".join(f" {mark} " if _is_punctuation(mark) else mark for mark in lower).split()


def pieces_of(text, vocabulary, word_pieces):
    """Cut a text into pieces of words.

    Parameters
    ----------
    text : str
    vocabulary : dict from str to int
    word_pieces : callable
        The function of unit 12.

    Returns
    -------
    list of str
    """
    found = []
    for word in split_words(text):
        found += word_pieces(word, vocabulary, UNKNOWN) if len(word) <= LONGEST_WORD else [UNKNOWN]
    return found


def _is_cjk(mark):
    return any(first <= ord(mark) <= last for first, last in CJK)


def _is_invisible(mark):
    """Return whether a character controls something, and is no white space."""
    return mark == "\ufffd" or (unicodedata.category(mark).startswith("C") and mark not in "\t\n\r")


def _is_punctuation(mark):
    ascii_mark = mark.isascii() and mark.isprintable() and not mark.isalnum() and mark != " "
    return ascii_mark or unicodedata.category(mark).startswith("P")
