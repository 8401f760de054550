"""The entries that the dictionary is trained on: words and their first definitions, from WordNet 3.0."""

import zlib
from pathlib import Path
from typing import NamedTuple

from transformer_kit.dictionary.unfit import is_unfit

WORDNET = Path("/usr/share/wordnet")  # where Debian's package puts it
KINDS = {"noun": "noun", "verb": "verb", "adj": "adjective", "adv": "adverb"}
LONGEST_WORD, LONGEST_DEFINITION = 24, 100
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz -'")
MARKS = LETTERS | frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ(),;/")
NAME = "@i"  # WordNet's pointer from a person or place to what it is
SEED, HELD_OUT_IN_A_THOUSAND = 2017, 20
FORBIDDEN = ("ethnic slur", "offensive", "derog", "disparag", "obscen", "vulgar")


class Entry(NamedTuple):
    """A word, its kind ("noun", "verb", "adjective" or "adverb") and its definition."""

    word: str
    kind: str
    definition: str


def load_entries(folder=WORDNET):
    """Read all entries that are fit for a class, in alphabetical order.

    Parameters
    ----------
    folder : Path
        With the files of WordNet 3.0, such as data.noun and index.noun.

    Returns
    -------
    list of Entry

    Raises
    ------
    FileNotFoundError
        If WordNet is not installed.
    """
    check_wordnet(folder)
    return sorted(entry for kind in KINDS for entry in _entries(folder, kind))


def check_wordnet(folder=WORDNET):
    """Make sure that WordNet is there.

    Parameters
    ----------
    folder : Path

    Raises
    ------
    FileNotFoundError
        If it is not; the message says how to install it.
    """
    missing = [name for kind in KINDS for name in (f"data.{kind}", f"index.{kind}") if not (folder / name).is_file()]
    if missing:
        raise FileNotFoundError(
            f"{folder / missing[0]} is not there: the dictionary is made from WordNet 3.0. On Debian and Ubuntu, "
            "install it with `sudo apt-get install wordnet-base`; elsewhere, unpack its database and name the folder"
        )


def _entries(folder, kind):
    """Yield the entries of one kind."""
    synsets = dict(map(_synset, _lines(folder / f"data.{kind}")))
    for line in _lines(folder / f"index.{kind}"):
        key, _, n_synsets, *rest = line.split()
        senses = [synsets[offset] for offset in rest[-int(n_synsets) :]]
        words, gloss, is_name = senses[0]
        entry = Entry(key.replace("_", " "), KINDS[kind], first_definition(gloss))
        is_marked = any(mark in gloss for _, gloss, _ in senses for mark in FORBIDDEN)
        if key in words and not is_name and not is_marked and is_fit(entry):
            yield entry


def _lines(path):
    """Yield the lines of a file of WordNet without the licence, which is indented."""
    for line in path.read_text(encoding="ascii").splitlines():
        if not line.startswith(" "):
            yield line


def _synset(line):
    """Take from a line of a data file its offset, its words, its gloss, and whether it is the name of something."""
    fields, gloss = line.split(" | ", 1)
    offset, _, _, count, *fields = fields.split()
    words = {word.split("(")[0] for word in fields[: 2 * int(count, 16) : 2]}  # "galore(ip)" comes after its noun
    return offset, (words, gloss, NAME in fields)


def first_definition(gloss):
    """Return what a gloss says before its first semicolon outside brackets.

    Parameters
    ----------
    gloss : str
        Definitions, then examples in quotation marks.

    Returns
    -------
    str
    """
    depth = 0
    for i, mark in enumerate(gloss):
        depth += (mark == "(") - (mark == ")")
        if mark == ";" and depth == 0:
            return gloss[:i].strip()
    return gloss.strip()


def is_fit(entry):
    """Return whether an entry is short, in plain letters, without figures or quotation marks, and fit for a class.

    Parameters
    ----------
    entry : Entry

    Returns
    -------
    bool
    """
    word, _, definition = entry
    short = 1 < len(word) <= LONGEST_WORD and 0 < len(definition) <= LONGEST_DEFINITION
    plain = set(word) <= LETTERS and set(definition) <= MARKS and definition.count("(") == definition.count(")")
    return short and plain and not is_unfit(f"{word} {definition}")


def split_entries(entries):
    """Split entries by their words: no held-out word, and no definition of one, is trained on.

    Parameters
    ----------
    entries : iterable of Entry

    Returns
    -------
    training, held_out : list of Entry
        Held out, each definition stands once, with the first of its words.
    """
    entries = list(entries)
    held_out = {entry.definition: entry for entry in sorted(entries, reverse=True) if is_held_out(entry.word)}
    training = [entry for entry in entries if not is_held_out(entry.word) and entry.definition not in held_out]
    return training, sorted(held_out.values())


def is_held_out(word):
    """Return whether a word is never trained on, whatever its kind; it depends on the word alone.

    Parameters
    ----------
    word : str

    Returns
    -------
    bool
    """
    return zlib.crc32(f"{SEED} {word}".encode()) % 1000 < HELD_OUT_IN_A_THOUSAND
