"""What a page may show of a notebook of unknown origin: text and pictures, nothing that a browser would run."""

import base64
import binascii
import re
from typing import Any

from nbformat import NotebookNode, from_dict

MAX_TEXT, MAX_PICTURE, MAX_OUTPUTS = 20_000, 2 << 20, 50
MAX_TEXTS, MAX_PICTURES, MAX_ALL_OUTPUTS = 1_000_000, 8 << 20, 1000  # of a notebook
PNG = b"\x89PNG\r\n\x1a\n"
CUT = "\n… (shortened)"
TAG = re.compile(r"<(?!/?(?:b|br|code|details|em|i|kbd|s|strong|sub|summary|sup|u) ?/?>)(?=[A-Za-z/!?])", re.IGNORECASE)
COMMAND = re.compile(r"\\(?=(?:class|cssId|data|href|mmlToken|require|style|unicode)(?![A-Za-z]))")  # of MathJax
# a link of any other kind than to a page, in the text or in a definition below it
LINK = re.compile(r"\](?=[(:]\s*(?!<?(?:https?://|mailto:|#|[\w./%-]*(?:[\s)#?>]|\Z))))", re.IGNORECASE)

COLAB = r"https://colab\.research\.google\.com/[\w./%?=&#-]*"
BADGE = re.compile(rf'<a href="{COLAB}"(?: target="_parent")?>\s*<img src="{COLAB}"(?: alt="[\w ]*")?\s*/?>\s*</a>')


def clean_markdown(source: str) -> str:
    """Return a text without any HTML, link or MathJax command that could do something in a page.

    A space after its first character turns it into plain text. Tags that only format stay if they have no attributes.
    """
    for pattern, harmless in ((LINK, "] "), (TAG, "< "), (COMMAND, r"\\ ")):
        source = pattern.sub(harmless, source)
    return source


def does_something(source: str) -> bool:
    """Return whether something of a text has to be made harmless that a person has written: Colab adds its badge."""
    written = BADGE.sub("", source)
    return clean_markdown(written) != written


class Outputs:
    """Cleans the outputs of one notebook, which share limits on their number and size."""

    def __init__(self) -> None:
        self.texts = MAX_TEXTS
        self.pictures = MAX_PICTURES
        self.number = MAX_ALL_OUTPUTS

    def clean(self, outputs: list[Any]) ->  list[NotebookNode]:
        """Return text, printed text and PNG pictures as new outputs; everything else is dropped."""
        first = outputs[: min(MAX_OUTPUTS, self.number)]
        self.number -= len(first)
        cleaned = (self._output(output) for output in first if isinstance(output, dict))
        return [output for output in cleaned if output]

    def _output(self, output):
        kind = output.get("output_type")
        data = output.get("data")
        if kind == "stream":
            name = "stderr" if output.get("name") == "stderr" else "stdout"
            return from_dict({"output_type": kind, "name": name, "text": self._text(output.get("text"))})
        if kind not in ("display_data", "execute_result") or not isinstance(data, dict):
            return None
        kept = {"text/plain": self._text(data.get("text/plain")), "image/png": self._picture(data.get("image/png"))}
        kept = {type: value for type, value in kept.items() if value}
        counted = {"execution_count": None} if kind == "execute_result" else {}
        return from_dict({"output_type": kind, "data": kept, "metadata": {}, **counted}) if kept else None

    def _text(self, value):
        """Return a text that is not long."""
        limit = min(MAX_TEXT, self.texts)
        text = _joined(value, limit + 1)
        self.texts -= min(len(text), limit)
        return text if len(text) <= limit else text[:limit] + CUT

    def _picture(self, value):
        """Return a picture in base64 if it is one."""
        text = "".join(_joined(value, 2 * MAX_PICTURE).split())
        try:
            picture = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            return ""
        if not picture.startswith(PNG) or len(text) > min(MAX_PICTURE, self.pictures):
            return ""
        self.pictures -= len(text)
        return text


def _joined(value, length):
    """Return the beginning of a text that may be a list of lines; empty for anything else."""
    lines = value if isinstance(value, list) else [value]
    text = "".join(line for line in lines if isinstance(line, str))[:length]
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
