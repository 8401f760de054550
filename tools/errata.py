"""Fill the tables of docs/errata.md: `python -m tools.errata`."""

import numpy as np

from tools.course import ROOT
from tools.readme import filled
from transformer_kit import reference
from transformer_kit.examples import networks, positions
from transformer_kit.examples.attention import CATS, POEM, WIDE_CATS
from transformer_kit.examples.heads import MASKED_LAYER, PRINTED_LAYER
from transformer_kit.examples.masks import FOUR_TOKENS, TWO_TOKENS
from transformer_kit.examples.printed_search import PRINTED_SEARCH
from transformer_kit.examples.translation import TWO_HEADS

PAGE = ROOT / "docs" / "errata.md"
# Three entries of the poem's queries and keys, as printed: where they stand, and what they are.
POEM_PRINTED = {"Q[2, 0]": 0.11, "K[0, 1]": -0.36, "K[1, 0]": -0.10}


def table(rows, digits=3):
    """Return a table of what was printed and what is right.

    Parameters
    ----------
    rows : sequence of (str, array, array)
        The name of a step, what was printed, and what comes out.
    digits : int

    Returns
    -------
    str
        Markdown; the rows of an array are separated by semicolons.
    """
    lines = ["| step | printed | right |", "|---|---|---|"]
    for step, printed, right in rows:
        lines.append(f"| {step} | {written(printed, digits)} | {written(right, digits)} |")
    return "\n".join(lines)


def written(array, digits):
    """Write the rows of an array, with as many decimals as are needed and at most `digits`; a text stays as it is."""

    def text(number):
        return "hidden" if np.isneginf(number) else f"{round(float(number), digits) + 0.0:g}"

    if isinstance(array, str):
        return array
    return "; ".join(" ".join(map(text, row)) for row in np.atleast_2d(array))


def sums():
    """Return the addition of positions to two token vectors, a row for each."""
    right = positions.EMBEDDINGS + reference.positional_encoding(4, positions.D_MODEL)
    rows = zip(positions.PRINTED_SUMS, right[:2], strict=True)
    return table([(str(i), *(", ".join(f"{x:.4f}" for x in row) for row in both)) for i, both in enumerate(rows)])


def poem():
    """Return three misprinted entries of the poem's projections."""
    right = {"Q": POEM.X @ POEM.W_Q, "K": POEM.X @ POEM.W_K}
    return table(
        [(name, printed, right[name[0]][int(name[2]), int(name[5])]) for name, printed in POEM_PRINTED.items()], 2
    )


def exponentials():
    """Return a misprinted power, and the smaller weight of the scores 10 and 20."""
    smaller = reference.softmax(np.array([10.0, 20.0]))[0]
    return table(
        [
            ("$e^{10}$", "22046.5", f"{np.exp(10):.1f}"),
            ("smaller weight of the scores 10 and 20", "0.00004", f"{smaller:.7f}"),
        ]
    )


def wide_cats():
    """Return weights and output of an example of which only four of 512 columns are printed."""
    e = WIDE_CATS
    weights = reference.softmax(e.printed_scores / np.sqrt(512))
    return table([("weights", e.printed_weights, weights), ("output", e.printed_output, weights @ e.V)])


def two_tokens():
    """Return the masked weights and output of two tokens."""
    e = TWO_TOKENS
    weights = reference.masked_softmax(e.scores, e.mask)
    return table([("weights", e.printed_weights, weights), ("output", e.printed_output, weights @ e.V)], 4)


def four_tokens():
    """Return all steps of the masked attention of four tokens, from the inputs on."""
    e, mask = FOUR_TOKENS, reference.causal_mask(4)
    P = e.X @ e.W.T
    scores = np.where(mask, reference.attention_scores(P, P), -np.inf)
    output, weights = reference.masked_attention(P, P, P, mask)
    return table(
        [
            ("queries = keys = values", e.printed_projections, P),
            ("products", e.printed_products, P @ P.T),
            ("masked scores", e.printed_scores, scores),
            ("weights of the second token", e.printed_second_weights, weights[1, :2]),
            ("output", e.printed_output, output),
        ]
    )


def printed_layer():
    """Return the product of two heads with W_O, and the weights of another layer with the wrong root."""
    e, layer = PRINTED_LAYER, MASKED_LAYER
    halved = layer.scores * np.sqrt(4 / 8)  # divided by the root of 8 in place of the root of 4
    mask = reference.causal_mask(2)
    return table(
        [
            ("both heads times W_O", e.printed_output, e.concat @ e.W_O),
            (
                "masked weights, by the root of 8 and by that of 4",
                reference.masked_softmax(halved, mask),
                reference.masked_softmax(layer.scores, mask),
            ),
        ]
    )


def cats():
    """Return all steps of "I like cats", from the queries on."""
    e = CATS
    output, weights = reference.scaled_dot_product_attention(e.Q, e.E, e.E)
    return table(
        [
            ("products", e.printed_products, e.Q @ e.E.T),
            ("scores", e.printed_scores, reference.attention_scores(e.Q, e.E)),
            ("weights", e.printed_weights, weights),
            ("contexts", e.printed_output, output),
        ]
    )


def two_heads():
    """Return the steps of one head of a printed cross-attention, and its last line."""
    e = TWO_HEADS
    Q, K, V = e.decoder @ e.W_Q.T, e.key_input @ e.W_K.T, e.value_input @ e.W_V.T
    head_1, weights = reference.scaled_dot_product_attention(Q, K, V)
    last = np.concatenate([head_1, e.head_2], axis=1) @ e.W_O
    transposes = [
        (f"{name}, transposed", e.printed_transposes[name], getattr(e, name).T) for name in e.printed_transposes
    ]
    return table(
        [
            *transposes,
            ("weights", e.printed_weights, weights),
            ("head 1", e.printed_head_1, head_1),
            ("both heads times W_O", e.printed_output, last),
        ]
    )


def network():
    """Return both layers of a printed feed-forward network."""
    e = networks.PRINTED
    hidden = reference.relu(e.X_in_the_steps @ e.params.W_1 + e.params.b_1)
    output = reference.position_wise_ffn(e.X_in_the_steps, e.params)
    return table([("hidden layer", e.printed_hidden, hidden), ("output", e.printed_output, output)])


def search():
    """Return the faulty step of a printed search, and the probability of its sentence."""
    e = PRINTED_SEARCH
    rows = e.probabilities / e.probabilities.sum(axis=1, keepdims=True)
    path = rows[np.arange(len(rows)), e.path].prod()
    return table(
        [
            ("probabilities of the fourth step", e.probabilities[e.faulty_step], rows[e.faulty_step]),
            ("probability of the sentence", e.path_probability, path),
        ],
        5,
    )


def tables():
    """Return all tables of the page by the names of their places."""
    return {
        "sums": sums(),
        "poem": poem(),
        "exponentials": exponentials(),
        "wide-cats": wide_cats(),
        "two-tokens": two_tokens(),
        "four-tokens": four_tokens(),
        "printed-layer": printed_layer(),
        "cats": cats(),
        "two-heads": two_heads(),
        "network": network(),
        "search": search(),
    }


def main():
    """Write the page anew."""
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), tables()), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
