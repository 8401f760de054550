"""What a page may show of a notebook of unknown origin: text and pictures, nothing that a browser would run."""

import base64
import binascii
import re

from nbformat import from_dict

MAX_TEXT, MAX_PICTURE, MAX_PICTURES, MAX_OUTPUTS = 20_000, 2 << 20, 8 << 20, 50
PNG = b"\x89PNG\r\n\x1a\n"
CUT = "\n… (shortened)"
TAG = re.compile(r"<(?!/?(?:b|br|code|details|em|i|kbd|s|strong|sub|summary|sup|u) ?/?>)(?=[A-Za-z/!?])", re.IGNORECASE)
COMMAND = re.compile(r"\\(?=(?:class|cssId|data|href|mmlToken|require|style|unicode)(?![A-Za-z]))")  # of MathJax
# a link of any other kind than to a page, in the text or in a definition below it
LINK = re.compile(r"\](?=[(:]\s*(?!<?(?:https?://|mailto:|#|[\w./%-]*(?:[\s)#?>]|\Z))))", re.IGNORECASE)


def clean_markdown(source):
    """Return a text in which no HTML, link or command of MathJax is left that could do anything in a page.

    A space after its first character makes plain text of it. Tags without attributes that only format stay.
    """
    for pattern, harmless in ((LINK, "] "), (TAG, "< "), (COMMAND, r"\\ ")):
        source = pattern.sub(harmless, source)
    return source


class Outputs:
    """Cleans the outputs of one notebook, of which pictures may take so much room in all."""

    def __init__(self):
        self.room = MAX_PICTURES

    def clean(self, outputs):
        """Return text, printed text and PNG pictures as new outputs; all else is left out."""
        made = (self._output(output) for output in outputs[:MAX_OUTPUTS] if isinstance(output, dict))
        return [output for output in made if output]

    def _output(self, output):
        kind, data = output.get("output_type"), output.get("data")
        if kind == "stream":
            name = "stderr" if output.get("name") == "stderr" else "stdout"
            return from_dict({"output_type": kind, "name": name, "text": _short(output.get("text"))})
        if kind not in ("display_data", "execute_result") or not isinstance(data, dict):
            return None
        shown = {"text/plain": _short(data.get("text/plain")), "image/png": self._picture(data.get("image/png"))}
        shown = {type: value for type, value in shown.items() if value}
        counted = {"execution_count": None} if kind == "execute_result" else {}
        return from_dict({"output_type": kind, "data": shown, "metadata": {}, **counted}) if shown else None

    def _picture(self, value):
        """Return a picture in base64 if it is one."""
        if not isinstance(value, (str, list)):
            return ""
        text = re.sub(r"\s", "", _joined(value))
        try:
            picture = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            return ""
        if not picture.startswith(PNG) or len(text) > min(MAX_PICTURE, self.room):
            return ""
        self.room -= len(text)
        return text


def _short(value):
    text = _joined(value)
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + CUT


def _joined(value):
    """Return a text that may be a list of lines; empty for anything else."""
    lines = value if isinstance(value, list) else [value]
    text = "".join(line for line in lines if isinstance(line, str))
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
