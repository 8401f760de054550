"""The pieces of GPT-2: a text is cut into chunks, these into bytes, and bytes are joined to pieces.

Radford et al. 2019, section 2.2.
"""

import json
import re
import unicodedata
from functools import cache

from transformer_kit.trained.model import ModelFileError

CONTRACTION = re.compile("'(?:s|t|re|ve|m|ll|d)")
CHUNK = re.compile(r" ?L+| ?N+| ?O+|[ S]+(?![LNO])|[ S]+")  # of the kinds of characters
MAX_BYTES = 16_000_000  # of a file


def chunks(text):
    """Cut a text into chunks; no piece reaches over the end of one.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of str
        They make up the text: ``"I'm here"`` is cut into ``"I"``, ``"'m"``, ``" here"``.
    """
    kinds, found, start = "".join(map(_kind, text)), [], 0
    while start < len(text):
        end = (CONTRACTION.match(text, start) or CHUNK.match(kinds, start)).end()
        found.append(text[start:end])
        start = end
    return found


def _kind(mark):
    """Return the kind of a character: a space, L, N, S or O for letters, numbers, other white space and the rest."""
    if mark == " ":
        return mark
    if mark.isspace() and not "\x1c" <= mark <= "\x1f":  # which are white space to Python only
        return "S"
    category = unicodedata.category(mark)[0]
    return category if category in "LN" else "O"


def byte_letters():
    """Return the letter that stands for each byte, since vocabularies are written as text.

    Returns
    -------
    list of str
        Bytes that are a visible character of Latin-1 stand for themselves, the others for characters from 256 on.
    """
    visible = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in visible]
    return [chr(byte if byte in visible else 256 + others.index(byte)) for byte in range(256)]


class BytePieces:
    """Encodes and decodes texts.

    Parameters
    ----------
    ids : dict from str to int
        The id of every piece, written in the letters of `byte_letters`.
    ranks : dict from (str, str) to int
        Which pair was learned when.
    cut : callable
        From a text to its chunks.
    unknown : int, optional
        The id of bytes that have no piece; without it, every byte must have one.

    Raises
    ------
    ValueError
        If some piece that can come up has no id.
    """

    def __init__(self, ids, ranks, cut=chunks, unknown=None):
        self.ids, self.ranks, self.cut, self.unknown, self.letters = ids, ranks, cut, unknown, byte_letters()
        singles = self.letters if unknown is None else ()
        missing = [piece for piece in (*singles, *map("".join, ranks)) if piece not in ids]
        if missing:
            raise ValueError(f"{len(missing)} pieces have no id; the first is {missing[0]!r}")
        self._texts = {number: piece for piece, number in ids.items()}
        self._bytes = {letter: byte for byte, letter in enumerate(self.letters)}

    def encode(self, text, byte_pair_merge):
        """Return the ids of a text.

        Parameters
        ----------
        text : str
        byte_pair_merge : callable
            The function of unit 12.

        Returns
        -------
        list of int
        """

        @cache
        def ids_of(chunk):
            letters = [self.letters[byte] for byte in chunk.encode()]
            return [self.ids.get(piece, self.unknown) for piece in byte_pair_merge(letters, self.ranks)]

        return [number for chunk in self.cut(text) for number in ids_of(chunk)]

    def decode(self, ids):
        """Return the text of some ids; bytes that are no character of UTF-8 become "�".

        Parameters
        ----------
        ids : iterable of int

        Returns
        -------
        str
        """
        letters = "".join(self._texts[int(number)] for number in ids)
        return bytes(self._bytes[letter] for letter in letters).decode(errors="replace")


def read_pieces(folder):
    """Read the pieces of GPT-2 from `vocab.json` and `merges.txt`.

    Parameters
    ----------
    folder : Path

    Returns
    -------
    BytePieces

    Raises
    ------
    ModelFileError
        If a file is missing, or holds something else.
    """
    try:
        ids = json.loads(_text(folder / "vocab.json"))
        if not isinstance(ids, dict) or not all(type(number) is int for number in ids.values()):
            raise ValueError("vocab.json does not give every piece an id")
        lines = [line for line in _text(folder / "merges.txt").split("\n") if line and not line.startswith("#version")]
        pairs = [tuple(line.split(" ")) for line in lines]
        if any(len(pair) != 2 for pair in pairs):
            raise ValueError("merges.txt does not have two symbols on every line")
        return BytePieces(ids, {pair: rank for rank, pair in enumerate(pairs)})
    except (OSError, ValueError, RecursionError) as error:
        raise ModelFileError(f"{folder} does not hold the pieces of GPT-2: {error}") from error


def _text(path):
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(f"{path.name} has more than {MAX_BYTES} bytes")
    return path.read_text(encoding="utf-8")
