"""Files that would keep whoever reads them busy: each is small enough to be handed in, and earns nothing."""

import copy
import io
import json
import random
import warnings
import zipfile

UNIT = "02_scaled_dot_product_attention"
LONG = 99_000  # characters: about as many as a cell may have


def book(*sources, **fields):
    """Return a notebook with code cells of these sources."""
    cells = [{"cell_type": "code", "source": source, "metadata": {}, "outputs": []} | fields for source in sources]
    return json.dumps(
        {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, separators=(",", ":")
    ).encode()


def again(source, cells=20):
    """Return a notebook in which a source stands in many cells, each of them a little different."""
    return book(*(f"{source}\n#{number}" for number in range(cells)))


def filled(piece, start="", end=""):
    """Return a notebook of long cells in which a piece is repeated."""
    return again(start + piece * ((LONG - len(start + end)) // len(piece)) + end)


def text(piece):
    """Return a notebook of long cells of Markdown."""
    return book(*[piece * (LONG // len(piece))] * 20, cell_type="markdown")


def outputs(*found):
    return book("1", outputs=list(found))


def shown(picture):
    return {"output_type": "display_data", "metadata": {}, "data": {"image/png": picture}}


def chain(name):
    """Return statements of which each needs the one before."""
    return "".join(f"{name}{n + 1}={name}{n}\n" for n in range(900)) + f"def softmax(x): return {name}900"


def web(names, function):
    """Return statements that bind many names and use as many."""
    first, second = (",".join(f"{letter}{n}" for n in range(names)) for letter in "xy")
    return f"{first}={second}\n{second}={first}\ndef {function}(x):\n return x0"


def nested(opening, depth, inside):
    """Return blocks that lie in one another."""
    return "".join(f"{' ' * n}{line}\n" for n in range(depth) for line in opening) + " " * depth + inside


IFS, CALLS = "  if x: return\n" * 900, "  x(),x(),x()\n" * 900
MANY_NAMES = ",".join(f"a{n}" for n in range(14_000))

NOTEBOOKS = {
    "spaces": lambda: filled(" ", "x x\n"),
    "spaces-and-tabs": lambda: filled(" \t", "x x\n"),
    "words-and-commas": lambda: filled("a, ", "x x\n"),
    "words-and-stars": lambda: filled("a.*", "x x\n"),
    "short-statements": lambda: filled("x=y\n"),
    "statements-in-a-line": lambda: filled("x=y;"),
    "as-many-statements-as-may-be": lambda: book(*["x=y\n" * 999 + "def softmax(x): return x"] * 9),
    "many-calls": lambda: filled("f(),", "x=[", "]"),
    "many-comparisons": lambda: filled("<a", "x=a"),
    "many-functions": lambda: filled("lambda:0,", "x=[", "]"),
    "functions-in-functions": lambda: again("x=" + "lambda:" * 300 + f"[{MANY_NAMES}]"),
    "finally-in-finally": lambda: again(nested(["try: pass", "finally:"], 19, "x()")),
    "returns-through-finally": lambda: again(f"def softmax(x):\n try:\n{IFS} finally:\n{CALLS}", 5),
    "a-chain": lambda: book(*(chain(f"a{n}b") for n in range(9))),
    "a-web": lambda: book(web(4000, "softmax"), web(4000, "softmax")),
    "a-web-of-functions": lambda: book(*(web(2000, f"f{n}") for n in range(10)), "exec('')"),
    "signs": lambda: filled("-", "x = ", "1"),
    "sums": lambda: filled("+1", "x = 1"),
    "dots": lambda: filled(".b", "x = a"),
    "calls-of-calls": lambda: filled("()", "x = f"),
    "brackets": lambda: again(
        "\n".join(("x = [" * 30, "(" * 190, "{" * 190, "f(x=" * 90, "[" * 99 + "]" * 99 + " for"))
    ),
    "digits": lambda: filled("9", "x = "),
    "hexadecimal-digits": lambda: filled("f", "x = 0x"),
    "powers": lambda: filled("v = 2**99\n", "x = 9**9**9**9\ny = 'a' * 10**9\nz = (0,) * 10**9\nw = 1 << 10**9\n"),
    "quotes": lambda: filled("'\"", "'''"),
    "backslashes": lambda: filled("\\", "x = '"),
    "links": lambda: text("]("),
    "spaces-in-links": lambda: text("](" + " " * 9000),
    "tags": lambda: text("<b"),
    "many-cells": lambda: book(*(f"x{n} = 1" for n in range(60_000))),
    "many-outputs": lambda: book(*["1"] * 900, outputs=[{"output_type": "stream", "text": "x"}] * 130),
    "spaces-for-a-picture": lambda: outputs(shown(" " * 60_000_000)),
    "lines-for-a-picture": lambda: outputs(shown([" "] * 400_000)),
    "lines-of-an-output": lambda: outputs({"output_type": "stream", "text": ["x"] * 400_000}),
    "numbers": lambda: outputs(*[0] * 3_900_000),
    "dictionaries": lambda: outputs(*[{}] * 490_000),
    "numbers-that-end-too-soon": lambda: b'{"cells": [' + b'{"source": [' * 99 + b"1," * 3_900_000,
    "fewer-numbers-that-end-too-soon": lambda: b'{"cells": [' + b'{"source": [' * 99 + b"1," * 490_000,
    "cells-that-end-too-soon": lambda: b'{"cells": [' + b'{"source": "x", "id": {' * 400_000,
    "texts-that-end-too-soon": lambda: b'{"cells": [' + b'{"id":' * 99 + b'"' + b"x" * 60_000_000,
    "lists-in-lists": lambda: b'{"cells": [{"source": "", "id": ' * 99 + b"[" * 490_000,
    "cells-in-cells": lambda: b'{"cells":' * 5_000_000,
    "quotes-alone": lambda: b'"' * 60_000_000,
    "a-long-number": lambda: b'{"cells": [{"source": 1.' + b"1" * 60_000_000 + b"}]}",
    "a-long-integer": lambda: b'{"cells": [{"source": ' + b"1" * 60_000_000 + b"}]}",
    "conflicts": lambda: b"{\n" + b"<<<<<<< x\n=======\n" * 3_000_000,
}


def zipped(files, packed=zipfile.ZIP_DEFLATED):
    """Return a zip of pairs of a name and its content."""
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", packed) as archive:
        warnings.simplefilter("ignore")  # of names that are there twice
        for name, content in files:
            archive.writestr(name, content)
    return file.getvalue()


def repeated(names, content):
    """Return a zip in which one content stands under many names. It is packed once, since that takes most time."""
    first, *others = names
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(first, content)
        (entry,) = archive.infolist()
        packed = file.getvalue()[len(entry.FileHeader()) : archive.start_dir]
        for name in others:
            entry = copy.copy(entry)
            entry.filename, entry.header_offset = name, archive.start_dir
            file.write(entry.FileHeader() + packed)
            archive.filelist.append(entry)
            archive.start_dir = file.tell()
    return file.getvalue()


def names(alphabet, length):
    """Return as many long names as the list of a zip can hold."""
    rng = random.Random(0)
    return ["".join(rng.choices(alphabet, k=length)) for _ in range(min(3_900_000 // (length + 60), 19_000))]


def packable(length):
    """Return text that packs well, but not as well as that of a zip bomb."""
    return (random.Random(0).randbytes(8000).hex() * (length // 16_000 + 1))[:length]


FILE = f"{UNIT}.ipynb"
BOOK = book("def softmax(x): return x")
LARGE = f'{{"cells": [{{"source": "{packable(60_000_000)}"'.encode
DENSE = lambda: outputs(*[{}] * 200_000, packable(600_000))  # noqa: E731
ZIPS = {
    "long-names": lambda: zipped((f"{name}.ipynb", b"") for name in names("ab1", 900)),
    "names-of-underscores": lambda: zipped((f"{UNIT}{'_' * 900}{n}x.ipynb", b"") for n in range(3900)),
    "names-of-digits": lambda: zipped((f"{UNIT}{'_1' * 450}{n}x.ipynb", b"") for n in range(3900)),
    "names-of-units": lambda: zipped((f"{(UNIT + '_') * 28}{n}.ipynb", b"") for n in range(3900)),
    "deep-names": lambda: zipped((f"{'a/' * 480}{n}.ipynb", b"") for n in range(3900)),
    "names-that-are-one-id": lambda: zipped((f"{name}/{FILE}", b"") for name in names("!?%&+ ", 100)),
    "names-of-a-platform": lambda: zipped((f"{n}_1_assignsubmission_file_/{FILE}", b"") for n in range(19_000)),
    "many-attempts": lambda: zipped((f"v{n}/{FILE}", b"x") for n in range(19_000)),
    "many-attempts-of-one-name": lambda: zipped((FILE, b"x") for _ in range(19_000)),
    "large-attempts": lambda: repeated((f"v{n}/{FILE}" for n in range(30)), LARGE()),
    "no-units": lambda: zipped((f"{n}.ipynb", BOOK) for n in range(19_000)),
    "large-without-units": lambda: repeated((f"{n}.ipynb" for n in range(30)), LARGE()),
    "values-without-units": lambda: zipped((f"{n}.ipynb", DENSE()) for n in range(60)),
    "refused": lambda: zipped((f"{n}/../x.ipynb", b"") for n in range(19_000)),
    "other-files": lambda: zipped((f"{n}/x.py", b"") for n in range(19_000)),
    "times": lambda: zipped((f"v{n}/{name}", b"9" * 99) for n in range(9000) for name in (FILE, "timestamp.txt")),
    "large-times": lambda: repeated(
        (f"v{n}/{name}" for n in range(20) for name in (FILE, "timestamp.txt")), LARGE()
    ),
    "zips": lambda: zipped((f"{n}.zip", zipped([(FILE, b"")])) for n in range(9000)),
    "full-zips": lambda: zipped((f"{n}.zip", zipped((f"{k}.txt", b"") for k in range(9000))) for n in range(20)),
    "a-zip-of-attempts": lambda: zipped(
        [("x.zip", zipped([*((f"v{n}/{FILE}", b"x") for n in range(9000)), ("y", packable(30 << 20))]))]
    ),
}
