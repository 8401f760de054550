"""Mistakes that `encode_source` and `decode_target` share: the input of the first layer."""

from autograder.exercises.wrong import WrongAnswers

PLACED = "add_positions(X, _positions(n, d_model).astype(X.dtype))"  # as it stands in the reference

# By id: the words that are replaced, and the text. For {layer} stands the function of a layer.
INPUTS = {
    "scale-on-positions": (
        {"* math.sqrt(d_model)": "", f"return {PLACED}": f"return {PLACED} * math.sqrt(d_model)"},
        """The positions are multiplied by the root of d_model, too.
        The factor belongs to the embeddings alone. First scale, then add.""",
    ),
    "divided-by-root": (
        {"* math.sqrt(d_model)": "/ math.sqrt(d_model)"},
        """The embeddings are divided by the root of d_model.
        Scores are divided by a root. Embeddings are multiplied by one.""",
    ),
    "times-d-model": (
        {"* math.sqrt(d_model)": "* d_model"},
        """The embeddings are multiplied by d_model, not by its root.
        Look at the formula once more: there is a root.""",
    ),
    "half-of-width": (
        {"* math.sqrt(d_model)": "* (d_model / 2)"},
        """The embeddings are multiplied by half of d_model.
        `d_model ** 1 / 2` divides by 2, because `**` comes before `/`. The root is `d_model ** 0.5`.""",
    ),
    "root-of-vocabulary": (
        {"* math.sqrt(d_model)": "* math.sqrt(len(E))"},
        """The embeddings are multiplied by the root of the number of words.
        The table has a row for each word. Its width, the last axis, is d_model.""",
    ),
    "short-table": (
        {PLACED: "X + positional_encoding(100, d_model)[:n].astype(X.dtype)"},
        """The positions come from a table of 100 rows.
        Models differ in how long a sequence may be. Make as many positions as there are tokens.""",
    ),
    "positions-in-the-loop": (
        {
            f"return {PLACED}": "return X",
            "{layer}(X,": "{layer}(X + positional_encoding(*X.shape[-2:]).astype(X.dtype),",
        },
        """Positions are added inside the loop, before every layer.
        They are added once, before the first layer, whether there are any layers or none. The residual connections
        carry them up.""",
    ),
}


def take_other_inputs(wrong: WrongAnswers, layer: str, *ids: str) -> None:
    """Add mistakes of a function whose first layer takes something else.

    Parameters
    ----------
    wrong : WrongAnswers
    layer : str
        The name of the function that it calls for each layer.
    *ids : str
        Of `INPUTS`.
    """
    for id in ids:
        edits, text = INPUTS[id]
        wrong(id, {old.replace("{layer}", layer): new.replace("{layer}", layer) for old, new in edits.items()}, text)
