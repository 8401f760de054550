"""The known mistakes of `count_transformer_parameters`."""

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 9.5: count_transformer_parameters"
PARTS = "What a layer holds"
TABLE = "One table for three purposes"

MISTAKES = KnownMistakes()


def _count(
    vocab_size, d_model, d_ff, n_layers, *, tables=1, attentions=3, ffns=2, norms=5, attention=None, ffn=None, norm=None
):
    """Count from the numbers of parts, in one layer of each stack together, and their sizes; the defaults are right."""
    attention = 4 * d_model * d_model if attention is None else attention
    ffn = 2 * d_model * d_ff + d_ff + d_model if ffn is None else ffn
    norm = 2 * d_model if norm is None else norm
    return tables * vocab_size * d_model + n_layers * (attentions * attention + ffns * ffn + norms * norm)


@MISTAKES.add(where=TABLE)
def three_tables(vocab_size, d_model, d_ff, n_layers):
    """Three tables are counted: for source, target and output.

    In the paper one table does all three; source and target share one vocabulary.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, tables=3)


@MISTAKES.add(where=TABLE)
def two_tables(vocab_size, d_model, d_ff, n_layers):
    """Two tables are counted.

    In the paper one table serves source and target, and it is used a second time for the logits.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, tables=2)


@MISTAKES.add(where=TABLE)
def no_table(vocab_size, d_model, d_ff, n_layers):
    """The table of embeddings is left out.

    It is learned like everything else, and in small models it is the largest part.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, tables=0)


@MISTAKES.add(where=TABLE)
def output_bias(vocab_size, d_model, d_ff, n_layers):
    """A bias is counted for the logits.

    The output is the table once more, and nothing is added.
    """
    return _count(vocab_size, d_model, d_ff, n_layers) + vocab_size


@MISTAKES.add(where=TABLE)
def positions_counted(vocab_size, d_model, d_ff, n_layers):
    """A table of positions is counted.

    Sines and cosines are computed. There is nothing in them to learn.
    """
    return _count(vocab_size, d_model, d_ff, n_layers) + (vocab_size * d_model if n_layers else 512 * d_model)


@MISTAKES.add(where=PARTS)
def attention_biases(vocab_size, d_model, d_ff, n_layers):
    """Biases are counted for the projections of the attention.

    In the paper, and in this course, they are matrices alone.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, attention=4 * d_model * d_model + 4 * d_model)


@MISTAKES.add(where=PARTS)
def no_output_projection(vocab_size, d_model, d_ff, n_layers):
    """The attention's W_O is left out.

    After the heads comes a fourth matrix, which mixes them.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, attention=3 * d_model * d_model)


@MISTAKES.add(where=PARTS)
def no_ffn_biases(vocab_size, d_model, d_ff, n_layers):
    """The biases of the feed-forward network are left out.

    There is one after each of its two maps, and their lengths differ.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, ffn=2 * d_model * d_ff)


@MISTAKES.add(where=PARTS)
def ffn_half(vocab_size, d_model, d_ff, n_layers):
    """The feed-forward network is counted with one matrix.

    One map widens, and a second one comes back to d_model.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, ffn=d_model * d_ff + d_ff + d_model)


@MISTAKES.add(where=PARTS)
def ffn_biases_alike(vocab_size, d_model, d_ff, n_layers):
    """Both biases of the feed-forward network are counted with the length d_ff.

    A bias is as long as what comes out of its map.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, ffn=2 * d_model * d_ff + 2 * d_ff)


@MISTAKES.add(where=PARTS)
def four_times(vocab_size, d_model, d_ff, n_layers):
    """d_ff is taken to be four times d_model.

    That holds for the paper's models. Here d_ff is an argument of its own.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, ffn=8 * d_model * d_model + 5 * d_model)


@MISTAKES.add(where=PARTS)
def no_norms(vocab_size, d_model, d_ff, n_layers):
    """The norms are left out.

    They are few, but they learn, too: gamma and beta.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, norm=0)


@MISTAKES.add(where=PARTS)
def gamma_only(vocab_size, d_model, d_ff, n_layers):
    """A norm is counted with d_model parameters.

    It has a gamma and a beta.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, norm=d_model)


@MISTAKES.add(where=PARTS)
def one_norm_per_layer(vocab_size, d_model, d_ff, n_layers):
    """Every layer is counted with one norm.

    There is one after each sub-layer.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, norms=2)


@MISTAKES.add(where=PARTS)
def two_norms_in_the_decoder(vocab_size, d_model, d_ff, n_layers):
    """A layer of the decoder is counted with two norms.

    It has three sub-layers, and each has its norm.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, norms=4)


@MISTAKES.add(where=PARTS)
def one_attention_in_the_decoder(vocab_size, d_model, d_ff, n_layers):
    """A layer of the decoder is counted like one of the encoder.

    It has a second attention, to the source, with a norm of its own.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, attentions=2, norms=4)


@MISTAKES.add(where=PARTS)
def encoder_only(vocab_size, d_model, d_ff, n_layers):
    """The decoder is left out.

    n_layers is the number of layers of each of the two stacks.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, attentions=1, ffns=1, norms=2)


@MISTAKES.add(where=PARTS)
def heads_multiplied(vocab_size, d_model, d_ff, n_layers):
    """The attention's matrices are counted once for each of eight heads.

    The heads share the width: each has an eighth of the columns.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, attention=32 * d_model * d_model)


@MISTAKES.add(where=PARTS)
def final_norms(vocab_size, d_model, d_ff, n_layers):
    """One more norm is counted at the top of each stack.

    Pre-norm models have them. The paper's model, with the norm after the sum, does not.
    """
    return _count(vocab_size, d_model, d_ff, n_layers) + 4 * d_model


@MISTAKES.add(where=SECTION, id="float")
def as_float(vocab_size, d_model, d_ff, n_layers):
    """The result is a floating-point number.

    Parameters are counted, and a count is an integer.
    """
    return float(reference.count_transformer_parameters(vocab_size, d_model, d_ff, n_layers))


@MISTAKES.add(where=PARTS)
def one_attention_in_decoder(vocab_size, d_model, d_ff, n_layers):
    """A layer of the decoder is counted with one attention.

    It has two: one to its own words, one to the source.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, attentions=2)


@MISTAKES.add(where=TABLE)
def table_in_every_layer(vocab_size, d_model, d_ff, n_layers):
    """The table is multiplied by the number of layers.

    It is used before the first layer and after the last one, and there is only one.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, tables=n_layers)


@MISTAKES.add(where=PARTS)
def encoder_counted_once(vocab_size, d_model, d_ff, n_layers):
    """Only the decoder is multiplied by the number of layers.

    There are n_layers in each stack: add up both layers first, in brackets.
    """
    one_layer = _count(0, d_model, d_ff, 1, attentions=1, ffns=1, norms=2)
    return _count(vocab_size, d_model, d_ff, n_layers, attentions=2, ffns=1, norms=3) + one_layer


@MISTAKES.add(where=PARTS)
def both_biases_as_wide_as_the_model(vocab_size, d_model, d_ff, n_layers):
    """Both biases of the network have the width d_model.

    The first one is added to the wide vectors, so it has d_ff numbers.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, ffn=2 * d_model * d_ff + 2 * d_model)


@MISTAKES.add(where=PARTS)
def network_after_each_attention(vocab_size, d_model, d_ff, n_layers):
    """A layer of the decoder is counted with two networks.

    It has two attentions, and one network after both.
    """
    return _count(vocab_size, d_model, d_ff, n_layers, ffns=3)
