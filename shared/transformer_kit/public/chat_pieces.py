"""The pieces of SmolLM2: those of GPT-2, but every digit stands alone, and marks such as <|im_end|> are one piece."""

import re
import unicodedata
from itertools import groupby

import numpy as np

from transformer_kit.public.byte_pieces import BytePieces, chunks

MARK = 3  # the kind of a piece that is no text


class ChatPieces:
    """Encodes and decodes texts with marks.

    Parameters
    ----------
    ids : dict from str to int
        The id of every piece; texts in the letters of `byte_letters`, marks as they are.
    ranks : dict from (str, str) to int
    marks : collection of str
        They are never made of letters, and whoever types one has said what it stands for.
    unknown : int
        The id of bytes that have no piece.
    """

    def __init__(self, ids, ranks, marks, unknown):
        self.marks = {mark: ids[mark] for mark in marks}
        texts = {piece: number for piece, number in ids.items() if piece not in self.marks}
        self.pieces = BytePieces(texts, ranks, chunks_with_single_digits, unknown)
        self._marks_by_id = {number: mark for mark, number in self.marks.items()}
        longest_first = sorted(self.marks, key=len, reverse=True)
        self._border = re.compile(f"({'|'.join(map(re.escape, longest_first))})")

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
        found = []
        for part in self._border.split(text):
            found += [self.marks[part]] if part in self.marks else self.pieces.encode(part, byte_pair_merge)
        return found

    def decode(self, ids):
        """Return the text of some ids, marks included; bytes that are no character of UTF-8 become "�".

        Parameters
        ----------
        ids : iterable of int

        Returns
        -------
        str
        """
        runs = ((mark, list(run)) for mark, run in groupby(map(int, ids), self._marks_by_id.get))
        return "".join(mark * len(run) if mark else self.pieces.decode(run) for mark, run in runs)


def chunks_with_single_digits(text):
    """Cut a text into chunks as GPT-2 does, after every number of any script has been cut out.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of str
    """
    found = []
    for is_number, run in groupby(text, lambda mark: unicodedata.category(mark)[0] == "N"):
        marks = list(run)
        found += marks if is_number else chunks("".join(marks))
    return found


def pieces_from(facts):
    """Put the pieces together from the facts of a GGUF file.

    Parameters
    ----------
    facts : dict
        As `read_gguf` returns them.

    Returns
    -------
    ChatPieces

    Raises
    ------
    KeyError, ValueError
        If a fact is missing, or holds something else.
    """
    tokens, merges = facts["tokenizer.ggml.tokens"], facts["tokenizer.ggml.merges"]
    kinds = np.asarray(facts["tokenizer.ggml.token_type"])
    if not all(isinstance(texts, list) for texts in (tokens, merges)) or kinds.shape != (len(tokens),):
        raise ValueError("its pieces and their kinds do not fit together")
    pairs = [tuple(pair.split(" ")) for pair in merges]
    ids, ranks = ({entry: number for number, entry in enumerate(entries)} for entries in (tokens, pairs))
    if len(ids) < len(tokens) or any(len(pair) != 2 for pair in pairs):
        raise ValueError("its pieces are not all different, or its pairs are not two pieces each")
    marks = [token for token, kind in zip(tokens, kinds, strict=True) if kind == MARK]
    return ChatPieces(ids, ranks, marks, facts["tokenizer.ggml.unknown_token_id"])
