"""Write the front page, and the files that it loads on a click."""

import inspect
import os
import re
import shutil
from html import escape
from pathlib import Path
from string import Template

from autograder.registry import units
from tools.site.described import PICTURE, tags
from tools.site.front import mistake, models
from transformer_kit.pictures import machine
from transformer_kit.trained.model import WEIGHTS

HERE = Path(__file__).parent
TITLE = "The Transformer, written by you"
SENTENCE = (
    "From a single dot product to a machine that translates: write every part of a Transformer yourself, in plain "
    "NumPy, with checks that name your mistake and tell you why."
)
SCRIPTS = ("transformer.js", "try.js", "front.css")


def build_front(output, address="", repository=""):
    """Write the page into the folder of a site; parameters as in `tools.site.build.build`."""
    (output / "front").mkdir()
    for name in SCRIPTS:
        shutil.copy(HERE / name, output / "front")
    sizes = _write_models(output / "models")
    clone = f"git clone https://github.com/{repository}\ncd {repository.split('/')[-1]}" if repository else "cd course"
    fields = {
        "title": escape(TITLE),
        "described": tags(TITLE, SENTENCE, address, address + PICTURE),
        "sentence": escape(SENTENCE),
        "machine": machine().html,
        "n_units": len(units()),
        "n_functions": sum(len(unit.exercises) for unit in units()),
        "n_lines": len((HERE / SCRIPTS[0]).read_text(encoding="utf-8").splitlines()),
        "translator_size": sizes["translator"],
        "dictionary_size": sizes["dictionary"],
        "mistake": escape(inspect.getsource(mistake.attention_scores).strip()),
        "report": _report(),
        "clone": escape(clone),
    }
    page = Template((HERE / "page.html").read_text(encoding="utf-8")).substitute(fields)
    (output / "index.html").write_text(page, encoding="utf-8")


def _write_models(folder):
    """Write both models and the licence of the data of one; return what is said of their sizes."""
    folder.mkdir()
    files = {"translator": models.translator(), "dictionary": models.dictionary()}
    for name, content in files.items():
        (folder / f"{name}.bin").write_bytes(content)
    shutil.copy(WEIGHTS / "WORDNET_LICENSE", folder / "WORDNET_LICENSE.txt")
    return {name: f"{len(content) / 1e6:.1f} MB" for name, content in files.items()}


def _report():
    """Return the report of the mistake, whose links would lead into a notebook."""
    os.environ["MY_TRANSFORMER"] = ""  # nothing of it is kept
    from autograder import check

    report = check(mistake.attention_scores)._repr_html_()
    return re.sub(r'<a href="#[^"]*"[^>]*>(.*?)</a>', r"\1", report)
