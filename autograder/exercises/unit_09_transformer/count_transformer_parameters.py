"""Specification of `count_transformer_parameters`."""

from autograder.exercise import Claim, Exercise, Mistake, Returned
from transformer_kit import reference

SECTION = "Exercise 9.5: count_transformer_parameters"
PARTS = "What a layer holds"
TABLE = "One table for three purposes"


def _sizes(rng):
    """Draw sizes that differ from each other; d_ff is not four times d_model."""
    d_model = 2 * int(rng.integers(6, 40))
    return int(rng.integers(100, 1000)), d_model, 3 * d_model + int(rng.integers(1, 9)), int(rng.integers(3, 9))


def _table(call, rng):
    vocab_size, d_model, d_ff, _ = _sizes(rng)
    call.agrees(vocab_size, d_model, d_ff, 0)
    call.agrees(vocab_size + 1, d_model, d_ff, 0)


def _layers(call, rng):
    vocab_size, *rest, n_layers = _sizes(rng)
    sizes = vocab_size, *rest
    more, fewer = (call(*sizes, n) for n in (n_layers + 1, n_layers))
    call.holds(all(isinstance(n, int) for n in (more, fewer)), f"expected integers, got {more} and {fewer}.")
    right = reference.count_transformer_parameters(*sizes, 1) - reference.count_transformer_parameters(*sizes, 0)
    text = f"one more layer in each stack adds {more - fewer} parameters, expected {right}."
    call.holds(more - fewer == right, text)


def _whole(call, rng):
    call.agrees(*_sizes(rng))
    call.agrees(vocab_size=37000 + int(rng.integers(1000)), d_model=512, d_ff=2048, n_layers=6)


def _counts(*, tables=1, encoder=None, decoder=None, extra=lambda V, d, f, n: 0, name):
    """Make a counting function with something changed: the parameters of a layer as functions of d_model and d_ff."""

    def count(vocab_size, d_model, d_ff, n_layers):
        per_encoder = (encoder or _encoder)(d_model, d_ff)
        per_decoder = (decoder or _decoder)(d_model, d_ff)
        stacks = n_layers * (per_encoder + per_decoder)
        return tables * vocab_size * d_model + stacks + extra(vocab_size, d_model, d_ff, n_layers)

    count.__name__ = name
    return count


def _layer(attentions, norms, attention=None, ffn=None, norm=None):
    """Return the number of parameters of a layer as a function of d_model and d_ff."""

    def parameters(d, f):
        one_attention = (attention or _attention)(d)
        return attentions * one_attention + (ffn or _ffn)(d, f) + norms * (norm or _norm)(d)

    return parameters


def _attention(d):
    return 4 * d * d


def _ffn(d, f):
    return 2 * d * f + f + d


def _norm(d):
    return 2 * d


_encoder, _decoder = _layer(1, 2), _layer(2, 3)


def _with(name, **changed):
    """Make a counting function in which a part of both layers is counted wrongly."""
    return _counts(encoder=_layer(1, 2, **changed), decoder=_layer(2, 3, **changed), name=name)


EXERCISE = Exercise(
    reference=reference.count_transformer_parameters,
    asks="how many numbers a Transformer learns that has one table for source, target and output.",
    returns=(Returned("count"),),
    where=SECTION,
    claims=(
        Claim("one table of embeddings, and nothing else without layers", 1, _table),
        Claim("what one more layer in the encoder and in the decoder adds", 1.5, _layers),
        Claim("the whole model, up to the size of the paper's", 1.5, _whole),
    ),
    mistakes=(
        Mistake(
            "three-tables",
            "There are three tables: for source, target and output",
            _counts(tables=3, name="three_tables"),
            "In the paper one table does all three; source and target share one vocabulary.",
            TABLE,
        ),
        Mistake(
            "two-tables",
            "There are two tables",
            _counts(tables=2, name="two_tables"),
            "In the paper one table serves source and target, and it is used a second time for the logits.",
            TABLE,
        ),
        Mistake(
            "no-table",
            "The table of embeddings is left out",
            _counts(tables=0, name="no_table"),
            "It is learned as everything else is, and in small models it is most of what there is.",
            TABLE,
        ),
        Mistake(
            "output-bias",
            "The logits have a bias",
            _counts(extra=lambda V, d, f, n: V, name="output_bias"),
            "The output is the table once more, and nothing is added.",
            TABLE,
        ),
        Mistake(
            "positions-counted",
            "A table of positions is counted",
            _counts(extra=lambda V, d, f, n: V * d if n else 512 * d, name="positions"),
            "Sines and cosines are computed. There is nothing in them that could be learned.",
            TABLE,
        ),
        Mistake(
            "attention-biases",
            "The projections of the attention have biases",
            _with("attention_biases", attention=lambda d: 4 * d * d + 4 * d),
            "In the paper, and in this course, they are matrices alone.",
            PARTS,
        ),
        Mistake(
            "no-output-projection",
            "The attention's W_O is left out",
            _with("no_w_o", attention=lambda d: 3 * d * d),
            "Behind the heads there is a fourth matrix, which mixes them.",
            PARTS,
        ),
        Mistake(
            "no-ffn-biases",
            "The biases of the feed-forward network are left out",
            _with("no_ffn_biases", ffn=lambda d, f: 2 * d * f),
            "It has one after each of its two maps, of different lengths.",
            PARTS,
        ),
        Mistake(
            "ffn-half",
            "The feed-forward network has one matrix",
            _with("ffn_half", ffn=lambda d, f: d * f + f + d),
            "One map widens, and a second one comes back to d_model.",
            PARTS,
        ),
        Mistake(
            "ffn-biases-alike",
            "Both biases of the feed-forward network are counted with the length d_ff",
            _with("ffn_biases_alike", ffn=lambda d, f: 2 * d * f + 2 * f),
            "A bias is as long as what comes out of its map.",
            PARTS,
        ),
        Mistake(
            "four-times",
            "d_ff is taken to be four times d_model",
            _with("four_times", ffn=lambda d, f: 8 * d * d + 5 * d),
            "That holds for the paper's models. Here d_ff is an argument of its own.",
            PARTS,
        ),
        Mistake(
            "no-norms",
            "The norms are left out",
            _with("no_norms", norm=lambda d: 0),
            "They are few, but they learn, too: gamma and beta.",
            PARTS,
        ),
        Mistake(
            "gamma-only",
            "A norm is counted with d_model parameters",
            _with("gamma_only", norm=lambda d: d),
            "It has a gamma and a beta.",
            PARTS,
        ),
        Mistake(
            "one-norm-per-layer",
            "Every layer has one norm",
            _counts(encoder=_layer(1, 1), decoder=_layer(2, 1), name="one_norm"),
            "There is one behind each sub-layer.",
            PARTS,
        ),
        Mistake(
            "two-norms-in-the-decoder",
            "A layer of the decoder has two norms",
            _counts(decoder=_layer(2, 2), name="two_norms"),
            "It has three sub-layers, and each has its norm.",
            PARTS,
        ),
        Mistake(
            "one-attention-in-the-decoder",
            "A layer of the decoder is counted like one of the encoder",
            _counts(decoder=_encoder, name="one_attention"),
            "It has a second attention, to the source, with a norm of its own.",
            PARTS,
        ),
        Mistake(
            "encoder-only",
            "The decoder is left out",
            _counts(decoder=lambda d, f: 0, name="encoder_only"),
            "n_layers is the number of layers of each of the two stacks.",
            PARTS,
        ),
        Mistake(
            "heads-multiplied",
            "The attention's matrices are counted once for each of eight heads",
            _with("heads_multiplied", attention=lambda d: 32 * d * d),
            "The heads share the width: each has an eighth of the columns.",
            PARTS,
        ),
        Mistake(
            "final-norms",
            "Each stack has one more norm at its top",
            _counts(extra=lambda V, d, f, n: 4 * d, name="final_norms"),
            "Pre-norm models have them. The paper's model, with the norm after the sum, has not.",
            PARTS,
        ),
        Mistake(
            "float",
            "The result is a floating-point number",
            lambda vocab_size, d_model, d_ff, n_layers: float(
                reference.count_transformer_parameters(vocab_size, d_model, d_ff, n_layers)
            ),
            "Parameters are counted, and a count is an integer.",
            SECTION,
        ),
    ),
)
