"""What stands for the parts of the kit that a worker does not have: they can be imported, but not used."""

from collections.abc import Callable


class Absent:
    """A module, a function or a value that is not there; whoever uses it is told so.

    Its attributes are absent, too, so that modules can be imported from it, and names from these.

    Parameters
    ----------
    name : str
        What it would be, with its module.
    **attributes
        Those that Python gives to a module.
    """

    def __init__(self, name: str, **attributes: object) -> None:
        vars(self).update(attributes, __name__=name)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(f"{self.__name__}.{name}")

    def __or__(self, _):
        """Stand in an annotation, as in ``model: Model | None``."""
        return self

    __ror__ = __or__
    __hash__ = object.__hash__


def _tell(self, *_, **__):
    raise RuntimeError(
        f"{self.__name__} is not there while a notebook is graded, because no function of its unit needs it. There are "
        "NumPy, SciPy, transformer_kit.parameters and the functions of earlier exercises."
    )


USES = (
    *("call", "enter", "getitem", "setitem", "iter", "next", "len", "contains", "bool", "array", "instancecheck"),
    *("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "abs", "invert", "int", "float", "index", "complex", "round"),
    *(side + name for side in ("", "r") for name in ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod")),
    *("pow", "rpow", "divmod", "rdivmod", "and", "rand", "xor", "rxor", "mro_entries"),
)
for use in USES:
    setattr(Absent, f"__{use}__", _tell)


def absent_from(module: str) -> Callable[[str], Absent]:
    """Return the ``__getattr__`` of a module of which only some names are there."""

    def absent(name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(f"{module}.{name}")

    return absent
