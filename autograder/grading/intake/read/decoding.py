"""Decodes the bytes of a notebook file, and recognises files of other kinds under a notebook's name."""

import codecs
import json

LOOKS_LIKE = (
    (b"PK\x03\x04", "a zip or Office file"),
    (b"%PDF", "a PDF"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x89PNG", "a picture"),
    (b"<!doctype html", "a web page"),
    (b"<html", "a web page"),
    (b"<?xml", "an XML file"),
)
ASK = "Ask for the .ipynb file that Jupyter saves."


class Unreadable(Exception):
    """No cell can be read from a file; the message says why and what to do."""


def text_of(content, repairs):
    """Decode the bytes of a notebook.

    Parameters
    ----------
    content : bytes
    repairs : list of str
        Gets a sentence when the encoding is not the one that notebooks have.

    Returns
    -------
    str

    Raises
    ------
    Unreadable
        If these are the bytes of something else.
    """
    start = content[:1000].lstrip().lower()
    if not content.strip(b"\0 \t\r\n"):
        raise Unreadable(f"The file is empty. {ASK}")
    for signature, what in LOOKS_LIKE:
        if start.startswith(signature.lower()):
            raise Unreadable(f"The file is {what} under the name of a notebook. {ASK}")
    encoding = json.detect_encoding(content)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        encoding = "cp1252" if _decodes(content, "cp1252") else "latin-1"
        text = content.decode(encoding)
    if not encoding.startswith("utf-8"):
        repairs.append(f"The file was not in UTF-8 but in {codecs.lookup(encoding).name}; it was read as that.")
    return text


def _decodes(content, encoding):
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
