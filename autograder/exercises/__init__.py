"""The specifications of all exercises: a package for every unit, and in it a module `x.py` for every exercise `x`.

A module says what is asked, what is claimed of the function, and what learners do wrong, in this order.
The engine finds all this through `COURSE`, which pyproject.toml names as an entry point.
"""

from importlib import import_module
from pkgutil import iter_modules

from autograder.registry import Course


def _load_units():
    """Return the units in the order of the course, which is that of their packages' names."""
    packages = sorted(module.name for module in iter_modules(__path__) if module.ispkg)
    return tuple(import_module(f"{__name__}.{name}").UNIT for name in packages)


COURSE = Course(
    package=__name__,
    load_units=_load_units,
    reference="transformer_kit.reference",
    tools={"compare_layers": f"{__name__}.layers:compare_layers"},
    drawing="transformer_kit.pictures:machine",
    programs={
        "translate": "transformer_kit.take_home.translate:translator",
        "define": "transformer_kit.take_home.define:dictionary",
        "chat": "transformer_kit.take_home.chat:chat",
    },
)
