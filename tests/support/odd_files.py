"""What Hypothesis hands in: sources, notebooks, names and zips of every kind, most of them nearly right."""

import io
import json
import keyword
import warnings
import zipfile

from hypothesis import strategies as st

from tests.support.damaged_notebooks import CORPUS

UNIT = "02_scaled_dot_product_attention"
GOOD = CORPUS["nothing at all"].content
SIGNS = [*"()[]{}'\"\\#\n\t ;:,.=*@%!?<>|&~^+-_0917aλ\0\r\x0c\u2028\ud800é", "'''", '"""', "\\\n", "    ", "\r\n"]
WORDS = [
    *keyword.kwlist,
    "match",
    "case",
    "print",
    "exec",
    "softmax",
    "x",
    "numpy",
    "0x1f",
    "1e999",
    "1_0",
    "f'{x}'",
    ":=",
]
FRAGMENTS = st.sampled_from(
    [*SIGNS, *WORDS, "def softmax(x, axis=-1):\n    return x\n", "%%bash\n", "<b>", "](", "\\href"]
)
TEXTS = st.lists(FRAGMENTS, max_size=30).map("".join) | st.lists(FRAGMENTS, max_size=25).map(" ".join)
REPEATED = st.tuples(FRAGMENTS, FRAGMENTS, st.sampled_from([1, 7, 99, 300, 2000])).map(lambda t: (t[0] + t[1]) * t[2])
CODE = TEXTS | REPEATED | st.tuples(TEXTS, REPEATED, TEXTS).map("".join)
PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
JSON = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=12
)
MARKS = st.fixed_dictionaries(
    {}, optional={"grade_id": st.sampled_from(["softmax", "check-softmax", "answer-x", ""]) | JSON, "solution": JSON}
)
OUTPUTS = st.lists(
    JSON
    | st.fixed_dictionaries(
        {"output_type": st.sampled_from(["stream", "display_data", "execute_result", "error"])},
        optional={
            "text": JSON,
            "name": JSON,
            "data": st.dictionaries(st.sampled_from(["text/plain", "image/png"]), JSON),
        },
    ),
    max_size=3,
)
CELLS = st.fixed_dictionaries(
    {"source": CODE | st.lists(CODE, max_size=3) | JSON},
    optional={
        "cell_type": st.sampled_from(["code", "markdown", "raw", "heading", "html"]) | JSON,
        "id": st.sampled_from(["softmax", "own-1"]) | JSON,
        "metadata": st.fixed_dictionaries({}, optional={"nbgrader": MARKS | JSON}) | JSON,
        "outputs": OUTPUTS | JSON,
        "input": CODE,
        "level": JSON,
    },
)
BOOKS = st.fixed_dictionaries({"cells": st.lists(CELLS | JSON, max_size=6) | JSON}) | JSON | st.lists(CELLS, max_size=3)


@st.composite
def cut(draw, contents):
    """Return bytes of which a few were changed, taken out or put in."""
    content = bytearray(draw(contents))
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(content)))
        end = start + draw(st.sampled_from([0, 0, 1, 5, 100, 5000]))
        piece = draw(
            st.sampled_from([b"", b'"', b"{", b"}", b"[", b"]", b",", b"\\", b"\0", b"\xff", b"PK\1\2", b"\n"])
        )
        content[start:end] = piece * draw(st.sampled_from([1, 1, 3, 2000]))
    return bytes(content)


WRITTEN = BOOKS.map(lambda book: json.dumps(book).encode())
CONTENTS = st.binary(max_size=200) | WRITTEN | cut(WRITTEN) | cut(st.just(GOOD)) | st.just(GOOD)
NAMED = ["Ann", "bob", UNIT, "02", "12345", "67890", "_assignsubmission_file_", "LATE", "_attempt_2026-11-20-10-00-00"]
NAMED += [*"_- .1é\n\u202e\\:", "..", "(2)", "v2", "copy", "week 2", "submissions", "x" * 200, "_" * 99]
NAMED += [".zip", ".ipynb", ".tar.gz", "timestamp.txt"]
PARTS = st.lists(st.sampled_from(NAMED), min_size=1, max_size=5).map("".join)
ENDINGS = st.sampled_from(["", ".ipynb", f"{UNIT}.ipynb", f"{UNIT}/{UNIT}.ipynb", "timestamp.txt", ".zip", "/"])
PATHS = st.tuples(st.lists(PARTS, max_size=4).map("/".join), ENDINGS).map("".join)


def zipped(files):
    """Return a zip of pairs of a name and its content."""
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w") as archive:
        warnings.simplefilter("ignore")  # of names that are there twice
        for name, content in files:
            archive.writestr(zipfile.ZipInfo(name or "x"), content)
    return file.getvalue()


FILES = st.lists(st.tuples(PATHS, st.sampled_from([b"", b"2026-11-20 10:00:00 UTC", GOOD]) | CONTENTS), max_size=8)
ZIPS = FILES.map(zipped)
NESTED = st.lists(st.tuples(PATHS.map(lambda path: f"{path}.zip"), ZIPS | cut(ZIPS)), max_size=3).map(zipped)
PARCELS = ZIPS | cut(ZIPS) | NESTED | cut(NESTED)
