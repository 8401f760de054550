"""Record what all-MiniLM-L6-v2 says to the texts of unit 12: `python -m tools.record_minilm`, where it is installed."""

import sys
from types import SimpleNamespace

from tools.course import notebook, solution_functions
from transformer_kit import reference
from transformer_kit.public import minilm
from transformer_kit.public.recorded import PATH, Recorded, save_recorded

UNIT = "12_models_you_know"
USES = ("minilm.pieces(", "minilm.looks(", "minilm.sentence_vectors(", "looks_from_it(")
STANDS = ("def learn(",)  # what such a cell calls


def asked():
    """Run the cells of the unit that ask the model, and return the texts that each of its functions is given.

    Returns
    -------
    dict from str to list of str
    """
    texts = {"pieces": [], "looks": [], "sentence_vectors": []}
    model = minilm.load_minilm()

    def noting(name):
        def call(given, reader, functions):
            texts[name] += [given] if isinstance(given, str) else given
            return getattr(minilm, name)(given, model, functions)

        return call

    space = solution_functions(UNIT) | {"display": lambda picture: None, "reader": model, "mine": reference}
    space["minilm"] = SimpleNamespace(**{name: noting(name) for name in texts})
    for cell in notebook(UNIT).cells:
        if cell.cell_type == "code" and (any(use in cell.source for use in USES) or cell.source.startswith(STANDS)):
            exec(cell.source, space)
    return texts


def recorded():
    """Return what the model says to these texts.

    Returns
    -------
    Recorded
    """
    texts, model = asked(), minilm.load_minilm()
    vectors = minilm.sentence_vectors(texts["sentence_vectors"], model, reference)
    looks = {text: minilm.looks(text, model, reference) for text in texts["looks"]}
    return Recorded(
        dict(zip(texts["sentence_vectors"], vectors, strict=True)),
        {text: minilm.pieces(text, model, reference) for text in [*texts["pieces"], *looks]},
        looks,
    )


if __name__ == "__main__":
    if minilm.minilm_folder() is None:
        sys.exit(f"all-MiniLM-L6-v2 is not there: {minilm.INSTALL}")
    save_recorded(recorded())
    print(f"{PATH}: {PATH.stat().st_size:,} bytes")
