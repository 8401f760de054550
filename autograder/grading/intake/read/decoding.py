"""Decodes the bytes of a notebook file, and recognises files of other kinds under a notebook's name."""

import codecs
import json
import re
import string

LOOKS_LIKE = (
    (b"PK\x03\x04", "a zip or Office file"),
    (b"%PDF", "a PDF"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x89PNG", "a picture"),
    (b"<!doctype html", "a web page"),
    (b"<html", "a web page"),
    (b"<?xml", "an XML file"),
    (b"{\\rtf", "a text with formatting (RTF), as TextEdit, WordPad or Word saves it,"),
)
# of a text without cells, by its first lines
TEXTS = (
    (re.compile(r"^content-type:\s*multipart/related", re.IGNORECASE | re.MULTILINE), "a saved web page (MHTML)"),
    (re.compile(r"(?:from|mime-version|content-type|received|subject|to|date):\s", re.IGNORECASE), "a mail"),
    (re.compile(r"<[!?a-z][^<>]*>", re.IGNORECASE), "a web page, or a part of one,"),
    (re.compile(r"^(?:```|~~~|#{1,6} \S.*\n[ \t\r]*\n|---\njupyt)", re.MULTILINE), "a Markdown text"),
)
# the wrong order of the bytes keeps ASCII too, but makes rare signs of a letter that stands before any other sign
RARE = bytes(set(range(256)) - set(string.ascii_letters.encode() + b" "))
BLOCK = re.compile(rb"\0{4,}")  # which no text has, in whatever encoding; a damaged disk leaves them
FIRST = 4000  # characters that tell what a text is
BYTE_ORDER_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # UTF-32's begin like those of UTF-16
ASK = "Ask for the .ipynb file that Jupyter saves."


class Unreadable(Exception):
    """No cell can be read from a file; the message says why and what to do."""


def text_of(content: bytes, repairs: list[str]) -> str:
    """Decode the bytes of a notebook.

    `repairs` gets a sentence when the encoding is not the one that notebooks have, or is damaged.

    Raises
    ------
    Unreadable
        If these are the bytes of something else.
    """
    start = content[:FIRST].lstrip(b"\0 \t\r\n" + codecs.BOM_UTF8).lower()
    if not content.strip(b"\0 \t\r\n"):
        raise Unreadable(f"The file is empty. {ASK}")
    for signature, kind in LOOKS_LIKE:
        if start.startswith(signature.lower()):
            raise Unreadable(f"The file is {kind} under the name of a notebook. {ASK}")
    text_only = BLOCK.sub(b"", content)
    is_wide = content.startswith(BYTE_ORDER_MARKS[1:]) or 4 * text_only.count(0) > len(text_only)
    encoding, text = _wide(content) if is_wide else _narrow(content.replace(b"\0", b""))
    if not encoding.startswith("utf-8"):
        repairs.append(f"The file was not in UTF-8 but in {codecs.lookup(encoding).name}, and was read accordingly.")
    if "\0" in text or (not is_wide and b"\0" in content):
        repairs.append("The file held bytes that are zero; they were left out.")
    return text.replace("\0", "")


def kind_of(text: str) -> str:
    """Return what a text without cells is, as far as its beginning tells; else an empty text."""
    start = text[:FIRST].lstrip()
    return next((kind for pattern, kind in TEXTS if _begins(pattern, start)), "")


def _begins(pattern, start):
    return pattern.search(start) if pattern.flags & re.MULTILINE else pattern.match(start)


def _narrow(content):
    """Return the encoding and the text of a file whose characters have one byte each, most of them."""
    text = content.decode("utf-8-sig", "replace")
    n_bad = text.count("\N{REPLACEMENT CHARACTER}")
    n_good = sum(not character.isascii() for character in text) - n_bad
    if n_good >= n_bad:  # a few bytes are damaged, if any
        return "utf-8", text
    encoding = "cp1252" if _decodes(content, "cp1252") else "latin-1"
    return encoding, content.decode(encoding)


def _wide(content):
    """Return the encoding and the text of a file in UTF-16 or UTF-32."""
    n_zeros = len(content) - len(content.lstrip(b"\0"))
    content = content[n_zeros // 4 * 4 :]  # the first characters tell which; some begin with up to three zeros
    encoding = json.detect_encoding(content)
    if not encoding.startswith("utf-8") and _decodes(content, encoding):
        return encoding, content.decode(encoding)
    if encoding.startswith("utf-32"):
        return encoding, content.decode(encoding, "replace")
    ends = {"utf-16-le": b"\n\0", "utf-16-be": b"\0\n"}
    texts = [(encoding, _line_by_line(content, encoding, end)) for encoding, end in ends.items()]
    return max(texts, key=lambda decoded: len(decoded[1].encode("ascii", "ignore").translate(None, RARE)))


def _line_by_line(content, encoding, end):
    """Decode so that a byte too many or too few spoils no more than its own line."""
    lines = (line.decode(encoding, "replace") for line in content.split(end))
    return "\n".join(lines).lstrip("\ufeff")


def _decodes(content, encoding):
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
