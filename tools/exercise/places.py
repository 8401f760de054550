"""The places in which an exercise is written, and the skeleton for each of them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

TEMPLATES = Path(__file__).parent / "templates"
REFERENCE = Path("shared", "transformer_kit", "reference")


@dataclass(frozen=True)
class Draft:
    """An exercise that is being written.

    Attributes
    ----------
    root : Path
        The folder of the course.
    unit_id : str
    name : str
        Of the function.
    after : str
        The exercise that comes before it; "" for the last one of the unit.
    """

    root: Path
    unit_id: str
    name: str
    after: str = ""

    @property
    def package(self) -> str:
        return f"unit_{self.unit_id}"

    @property
    def exercises(self) -> list[str]:
        """The exercises of the unit in their order."""
        return re.findall(r"(\w+)\.EXERCISE", self.read(self.unit_list))

    @property
    def specification(self) -> Path:
        return self.unit_list.with_name(f"{self.name}.py")

    @property
    def unit_list(self) -> Path:
        return Path("autograder", "exercises", self.package, "__init__.py")

    @property
    def bank(self) -> Path:
        return Path("tools", "bank", self.unit_id, f"{self.name}.txt")

    @property
    def text(self) -> Path:
        return Path("solutions", f"{self.unit_id}.py")

    def read(self, path: Path) -> str:
        """Return the text of a file of the course, "" where there is none."""
        file = self.root / path
        return file.read_text(encoding="utf-8") if file.is_file() else ""

    def template(self, kind: str) -> str:
        """Return a template with the function's name in it."""
        return (TEMPLATES / f"{kind}.txt").read_text(encoding="utf-8").replace("NAME", self.name)


@dataclass(frozen=True)
class Place:
    """One file that an exercise is written in: what it says there, whether it does, and the file with it."""

    path: Path
    what: str
    present: bool
    add: Callable[[str], str]


def places(draft: Draft) -> Iterator[Place]:
    """Yield the places of an exercise in the order in which one writes them."""
    name, module = draft.name, REFERENCE / f"{draft.package}.py"
    defined = re.search(rf"^def {name}\(", draft.read(module), re.M)
    yield Place(module, "the reference", bool(defined), lambda text: text + draft.template("reference"))

    exports = REFERENCE / "__init__.py"
    exported = re.findall(rf'^    ("?){name}\1,$', draft.read(exports), re.M)
    both = sorted(exported) == ["", '"']
    yield Place(exports, "its import and its line in __all__", both, lambda text: _exported(text, draft))

    tests = _test_file(draft)
    tested = f"reference.{name}(" in draft.read(tests)
    yield Place(tests, "a test of the reference", tested, lambda text: text + draft.template("test"))

    written = bool(draft.read(draft.specification))
    yield Place(draft.specification, "the specification", written, lambda _: draft.template("specification"))
    listed = name in draft.exercises
    yield Place(draft.unit_list, "its entry in the list of exercises", listed, lambda text: _listed(text, draft))
    stored = bool(draft.read(draft.bank))
    yield Place(draft.bank, "the functions of the bank", stored, lambda _: draft.template("bank"))
    explained = f'# %% solution="{name}"' in draft.read(draft.text)
    yield Place(draft.text, "the text", explained, lambda text: _explained(text, draft))


def write(draft: Draft) -> list[Path]:
    """Write the skeleton wherever the exercise is missing, and return the files that were written."""
    missing = [place for place in places(draft) if not place.present]
    new = {place.path: place.add(draft.read(place.path)) for place in missing}  # all of them, before any is written
    for path, text in new.items():
        (draft.root / path).write_text(text, encoding="utf-8")
    return list(new)


def _test_file(draft):
    """Return the file that tests the function, or else the one that tests most references of the unit."""
    files = [path for path in draft.root.glob("tests/**/test_*.py") if "torch" not in path.name]
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(files)}
    own = [path for path, text in texts.items() if f"reference.{draft.name}(" in text and "test_reference" in path.name]
    count = {
        path: sum(text.count(f"reference.{other}(") for other in draft.exercises)
        for path, text in texts.items()
        if path.name.startswith("test_reference")
    }
    return (own[0] if own else max(count, key=count.get)).relative_to(draft.root)


def _with_import(text, package, name):
    """Add a name to the import from a package, in the order of the alphabet."""
    pattern = re.compile(rf"^from {re.escape(package)} import (\([^)]*\)|[^\n]*)", re.M)
    names = sorted({name, *re.findall(r"\w+", pattern.search(text)[1])})
    lines = "".join(f"    {name},\n" for name in names)
    return pattern.sub(f"from {package} import (\n{lines})", text, count=1)


def _exported(text, draft):
    text = _with_import(text, f"transformer_kit.reference.{draft.package}", draft.name)
    head, _, rest = text.partition("__all__ = [\n")
    lines = "".join(f'    "{name}",\n' for name in sorted({draft.name, *re.findall(r'"(\w+)"', rest)}))
    return f"{head}__all__ = [\n{lines}]\n"


def _listed(text, draft):
    text = _with_import(text, f"autograder.exercises.{draft.package}", draft.name)
    names = list(draft.exercises)
    names.insert(names.index(draft.after) + 1 if draft.after else len(names), draft.name)
    lines = "".join(f"        {name}.EXERCISE,\n" for name in names)
    return re.sub(r"exercises=\([^)]*\)", f"exercises=(\n{lines}    )", text, count=1)


def _explained(text, draft):
    """Put the text below the hints of the exercise before."""
    names = draft.exercises
    before = names[names.index(draft.name) - 1] if draft.name in names else draft.after or names[-1]
    check = text.index(f'# %% check="{before}"')
    hint = text.index("<summary>Hint 3", check)
    end = text.index("# </details>\n", hint) + len("# </details>\n")
    return f"{text[:end]}\n{draft.template('text')}{text[end:]}"
