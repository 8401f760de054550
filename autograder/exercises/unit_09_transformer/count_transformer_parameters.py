"""Specification of `count_transformer_parameters`."""

from autograder.exercises.unit_09_transformer import lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

PARTS = "What a layer holds"
TABLE = "One table for three purposes"

EXERCISE = Exercise(
    reference=reference.count_transformer_parameters,
    asks="how many numbers a Transformer learns that has one table for source, target and output.",
    returns=(Output("count"),),
    lookalike=lookalikes.COUNT_TRANSFORMER_PARAMETERS,
)


def _sizes(rng):
    """Draw sizes that differ from each other; d_ff is not four times d_model."""
    d_model = 2 * int(rng.integers(6, 40))
    return int(rng.integers(100, 1000)), d_model, 3 * d_model + int(rng.integers(1, 9)), int(rng.integers(3, 9))


@EXERCISE.claim(1)
def table(call, rng):
    """one table of embeddings, and nothing else without layers"""
    vocab_size, d_model, d_ff, _ = _sizes(rng)
    call.agrees(vocab_size, d_model, d_ff, 0)
    call.agrees(vocab_size + 1, d_model, d_ff, 0)


@EXERCISE.claim(1)
def layers(call, rng):
    """what one more layer in the encoder and in the decoder adds"""
    vocab_size, *rest, n_layers = _sizes(rng)
    sizes = vocab_size, *rest
    more, fewer = (call(*sizes, n) for n in (n_layers + 1, n_layers))
    call.holds(all(isinstance(n, int) for n in (more, fewer)), f"expected integers, got {more} and {fewer}.")
    right = reference.count_transformer_parameters(*sizes, 1) - reference.count_transformer_parameters(*sizes, 0)
    text = f"one more layer in each stack adds {more - fewer} parameters, expected {right}."
    call.holds(more - fewer == right, text)


@EXERCISE.claim(1)
def whole(call, rng):
    """the whole model, up to the size of the paper's"""
    call.agrees(*_sizes(rng))
    call.agrees(vocab_size=37000 + int(rng.integers(1000)), d_model=512, d_ff=2048, n_layers=6)


wrong = WrongAnswers(EXERCISE, globals())


def _count(
    vocab_size, d_model, d_ff, n_layers, *, tables=1, attentions=3, ffns=2, norms=5, attention=None, ffn=None, norm=None
):
    """Count from the numbers of parts, in one layer of each stack together, and their sizes; the defaults are right."""
    attention = 4 * d_model * d_model if attention is None else attention
    ffn = 2 * d_model * d_ff + d_ff + d_model if ffn is None else ffn
    norm = 2 * d_model if norm is None else norm
    return tables * vocab_size * d_model + n_layers * (attentions * attention + ffns * ffn + norms * norm)


wrong.at(TABLE)
wrong("three-tables", "_count(vocab_size, d_model, d_ff, n_layers, tables=3)", """
    Three tables are counted: for source, target and output.
    In the paper one table does all three; source and target share one vocabulary.""")

wrong("two-tables", "_count(vocab_size, d_model, d_ff, n_layers, tables=2)", """
    Two tables are counted.
    In the paper one table serves source and target, and it is used a second time for the logits.""")

wrong("no-table", "_count(vocab_size, d_model, d_ff, n_layers, tables=0)", """
    The table of embeddings is left out.
    It is learned like everything else, and in small models it is the largest part.""")

wrong("output-bias", "_count(vocab_size, d_model, d_ff, n_layers) + vocab_size", """
    A bias is counted for the logits.
    The output is the table once more, and nothing is added.""")

wrong("positions-counted", {
    "vocab_size * d_model": "_count(vocab_size, d_model, d_ff, n_layers)",
    "n_layers * (encoder + decoder)": "(vocab_size * d_model if n_layers else 512 * d_model)",
}, """
    A table of positions is counted.
    Sines and cosines are computed. There is nothing in them to learn.""")

wrong.at(PARTS)
wrong("attention-biases",
      "_count(vocab_size, d_model, d_ff, n_layers, attention=4 * d_model * d_model + 4 * d_model)", """
    Biases are counted for the projections of the attention.
    In the paper, and in this course, they are matrices alone.""")

wrong("no-output-projection", "_count(vocab_size, d_model, d_ff, n_layers, attention=3 * d_model * d_model)", """
    The attention's W_O is left out.
    After the heads comes a fourth matrix, which mixes them.""")

wrong("no-ffn-biases", "_count(vocab_size, d_model, d_ff, n_layers, ffn=2 * d_model * d_ff)", """
    The biases of the feed-forward network are left out.
    There is one after each of its two maps, and their lengths differ.""")

wrong("ffn-half", "_count(vocab_size, d_model, d_ff, n_layers, ffn=d_model * d_ff + d_ff + d_model)", """
    The feed-forward network is counted with one matrix.
    One map widens, and a second one comes back to d_model.""")

wrong("ffn-biases-alike", "_count(vocab_size, d_model, d_ff, n_layers, ffn=2 * d_model * d_ff + 2 * d_ff)", """
    Both biases of the feed-forward network are counted with the length d_ff.
    A bias is as long as what comes out of its map.""")

wrong("four-times", {"2 * d_model * d_ff + d_ff + d_model": "8 * d_model**2 + 5 * d_model"}, """
    d_ff is taken to be four times d_model.
    That holds for the paper's models. Here d_ff is an argument of its own.""")

wrong("no-norms", "_count(vocab_size, d_model, d_ff, n_layers, norm=0)", """
    The norms are left out.
    They are few, but they learn, too: gamma and beta.""")

wrong("gamma-only", "_count(vocab_size, d_model, d_ff, n_layers, norm=d_model)", """
    A norm is counted with d_model parameters.
    It has a gamma and a beta.""")

wrong("one-norm-per-layer", "_count(vocab_size, d_model, d_ff, n_layers, norms=2)", """
    Every layer is counted with one norm.
    There is one after each sub-layer.""")

wrong("two-norms-in-the-decoder", "_count(vocab_size, d_model, d_ff, n_layers, norms=4)", """
    A layer of the decoder is counted with two norms.
    It has three sub-layers, and each has its norm.""")

wrong("one-attention-in-the-decoder", "_count(vocab_size, d_model, d_ff, n_layers, attentions=2, norms=4)", """
    A layer of the decoder is counted like one of the encoder.
    It has a second attention, to the source, with a norm of its own.""")

wrong("encoder-only", "_count(vocab_size, d_model, d_ff, n_layers, attentions=1, ffns=1, norms=2)", """
    The decoder is left out.
    n_layers is the number of layers of each of the two stacks.""")

wrong("heads-multiplied", "_count(vocab_size, d_model, d_ff, n_layers, attention=32 * d_model * d_model)", """
    The attention's matrices are counted once for each of eight heads.
    The heads share the width: each has an eighth of the columns.""")

wrong("final-norms", "_count(vocab_size, d_model, d_ff, n_layers) + 4 * d_model", """
    One more norm is counted at the top of each stack.
    Pre-norm models have them. The paper's model, with the norm after the sum, does not.""")

wrong.at()
wrong("float", {
    "vocab_size * d_model + n_layers * (encoder + decoder)":
        "float(vocab_size * d_model + n_layers * (encoder + decoder))",
}, """
    The result is a floating-point number.
    Parameters are counted, and a count is an integer.""")

wrong.at(PARTS)
wrong("one-attention-in-decoder", "_count(vocab_size, d_model, d_ff, n_layers, attentions=2)", """
    A layer of the decoder is counted with one attention.
    It has two: one to its own words, one to the source.""")

wrong.at(TABLE)
wrong("table-in-every-layer", "_count(vocab_size, d_model, d_ff, n_layers, tables=n_layers)", """
    The table is multiplied by the number of layers.
    It is used before the first layer and after the last one, and there is only one.""")

wrong.at(PARTS)
wrong("encoder-counted-once", {
    "vocab_size * d_model": "1 * vocab_size * d_model + n_layers * decoder",
    "n_layers * (encoder + decoder)": "encoder",
}, """
    Only the decoder is multiplied by the number of layers.
    There are n_layers in each stack: add up both layers first, in brackets.""")

wrong("both-biases-as-wide-as-the-model",
      "_count(vocab_size, d_model, d_ff, n_layers, ffn=2 * d_model * d_ff + 2 * d_model)", """
    Both biases of the network have the width d_model.
    The first one is added to the wide vectors, so it has d_ff numbers.""")

wrong("network-after-each-attention", "_count(vocab_size, d_model, d_ff, n_layers, ffns=3)", """
    A layer of the decoder is counted with two networks.
    It has two attentions, and one network after both.""")
