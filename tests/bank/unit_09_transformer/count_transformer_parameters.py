"""Functions that learners wrote for `count_transformer_parameters`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference


@wrong(
    "counts the table three times, for source, target and output, though it is a single one",
    names={"three-tables"},
    line="tables = 3 * vocab_size * d_model",
)
def three_tables(vocab_size, d_model, d_ff, n_layers):
    attention = 4 * d_model * d_model
    ffn = 2 * d_model * d_ff + d_ff + d_model
    norm = 2 * d_model
    encoder = attention + ffn + 2 * norm
    decoder = 2 * attention + ffn + 3 * norm
    tables = 3 * vocab_size * d_model
    return tables + n_layers * (encoder + decoder)


@wrong(
    "counts the table twice, for source and target",
    names={"two-tables"},
    line="return 2 * vocab_size * d_model + encoder + decoder",
)
def two_tables(vocab_size, d_model, d_ff, n_layers):
    attention = 4 * d_model**2
    network = d_model * d_ff + d_ff + d_ff * d_model + d_model
    encoder = n_layers * (attention + network + 2 * 2 * d_model)
    decoder = n_layers * (2 * attention + network + 3 * 2 * d_model)
    return 2 * vocab_size * d_model + encoder + decoder


@wrong("the two biases of the network are forgotten", names={"no-ffn-biases"}, line="ffn = 2 * d_model * d_ff")
def no_ffn_biases(vocab_size, d_model, d_ff, n_layers):
    attention = 4 * d_model**2
    ffn = 2 * d_model * d_ff
    norm = 2 * d_model
    per_layer = (attention + ffn + 2 * norm) + (2 * attention + ffn + 3 * norm)
    return vocab_size * d_model + n_layers * per_layer


@wrong(
    "gives each of the four matrices of an attention a bias",
    names={"attention-biases"},
    line="attention = 4 * (d_model * d_model + d_model)",
)
def attention_biases(vocab_size, d_model, d_ff, n_layers):
    attention = 4 * (d_model * d_model + d_model)
    ffn = (d_model * d_ff + d_ff) + (d_ff * d_model + d_model)
    norm = d_model + d_model
    encoder_layer = attention + ffn + 2 * norm
    decoder_layer = 2 * attention + ffn + 3 * norm
    return vocab_size * d_model + n_layers * (encoder_layer + decoder_layer)


@wrong(
    "a layer of the decoder is counted with one attention instead of two",
    names={"one-attention-in-decoder", "one-attention-in-the-decoder"},
    line="dec = attention + ffn + 3 * norm",
)
def one_attention_in_decoder(vocab_size, d_model, d_ff, n_layers):
    attention, ffn = reference.count_layer_parameters(d_model, d_ff)
    norm = 2 * d_model
    enc = attention + ffn + 2 * norm
    dec = attention + ffn + 3 * norm
    return vocab_size * d_model + n_layers * (enc + dec)


@wrong("a norm is counted with gamma alone: beta is missing", names={"gamma-only"}, line="norm = d_model")
def gamma_alone(vocab_size, d_model, d_ff, n_layers):
    E = vocab_size * d_model
    attn = 4 * d_model**2
    ffn = d_model * d_ff + d_ff + d_ff * d_model + d_model
    norm = d_model
    enc = n_layers * (attn + ffn + 2 * norm)
    dec = n_layers * (2 * attn + ffn + 3 * norm)
    return E + enc + dec


@wrong(
    "the table is multiplied by the number of layers, too",
    names={"table-in-every-layer"},
    line="return (vocab_size * d_model + encoder + decoder) * n_layers",
)
def table_per_layer(vocab_size, d_model, d_ff, n_layers):
    attention = 4 * d_model * d_model
    network = 2 * d_model * d_ff + d_ff + d_model
    encoder = attention + network + 4 * d_model
    decoder = 2 * attention + network + 6 * d_model
    return (vocab_size * d_model + encoder + decoder) * n_layers


@wrong(
    "adds a final norm to each of the two stacks, which this model does not have",
    names={"final-norms"},
    line="final = 2 * norm",
)
def final_norms(vocab_size, d_model, d_ff, n_layers):
    attention = 4 * d_model**2
    ffn = 2 * d_model * d_ff + d_model + d_ff
    norm = 2 * d_model
    final = 2 * norm
    stacks = n_layers * (3 * attention + 2 * ffn + 5 * norm)
    return vocab_size * d_model + stacks + final


@wrong(
    "only the decoder is multiplied by the number of layers: a bracket is missing around the sum of both layers",
    names={"encoder-counted-once"},
    line="return vocab_size * d_model + encoder_layer + decoder_layer * n_layers",
)
def missing_bracket(vocab_size, d_model, d_ff, n_layers):
    attention = 4 * d_model**2
    ffn = d_model * d_ff + d_ff + d_ff * d_model + d_model
    norm = 2 * d_model
    encoder_layer = attention + ffn + 2 * norm
    decoder_layer = 2 * attention + ffn + 3 * norm
    return vocab_size * d_model + encoder_layer + decoder_layer * n_layers


@wrong("takes ^ for the power, which is exclusive or in Python", line="attention = 4 * (d_model ^ 2)")
def caret(vocab_size, d_model, d_ff, n_layers):
    attention = 4 * (d_model ^ 2)
    ffn = 2 * d_model * d_ff + d_ff + d_model
    norm = 2 * d_model
    total = vocab_size * d_model
    for _ in range(n_layers):
        total += attention + ffn + 2 * norm
        total += 2 * attention + ffn + 3 * norm
    return total


@wrong("ignores d_ff and takes four times the width, as in the paper", names={"four-times"}, line="d_ff = 4 * d_model")
def four_times_width(vocab_size, d_model, d_ff, n_layers):
    d_ff = 4 * d_model
    attention = 4 * d_model * d_model
    ffn = d_model * d_ff + d_ff + d_ff * d_model + d_model
    layers = n_layers * (3 * attention + 2 * ffn + 10 * d_model)
    return vocab_size * d_model + layers


@wrong(
    "a layer of the decoder is counted with two norms instead of three",
    names={"two-norms-in-the-decoder"},
    line="decoder = 2 * attention + network + 2 * norm",
)
def two_norms_in_decoder(vocab_size, d_model, d_ff, n_layers):
    attention = 4 * d_model**2
    network = 2 * d_model * d_ff + d_ff + d_model
    norm = 2 * d_model
    encoder = attention + network + 2 * norm
    decoder = 2 * attention + network + 2 * norm
    return vocab_size * d_model + n_layers * (encoder + decoder)


@wrong(
    "takes n_layers for the layers of both stacks together, and the result is a float",
    line="layers = n_layers / 2 * (encoder + decoder)",
)
def layers_of_both(vocab_size, d_model, d_ff, n_layers):
    attention = 4 * d_model**2
    ffn = 2 * d_model * d_ff + d_ff + d_model
    encoder = attention + ffn + 2 * 2 * d_model
    decoder = 2 * attention + ffn + 3 * 2 * d_model
    layers = n_layers / 2 * (encoder + decoder)
    return vocab_size * d_model + layers


@wrong(
    "counts three matrices in an attention: W_O is forgotten",
    names={"no-output-projection"},
    line="attention = 3 * d_model * d_model",
)
def without_output_matrix(vocab_size, d_model, d_ff, n_layers):
    table = vocab_size * d_model
    attention = 3 * d_model * d_model
    ffn = d_model * d_ff + d_ff + d_ff * d_model + d_model
    norm = 2 * d_model
    return table + n_layers * (attention * 3 + ffn * 2 + norm * 5)


@wrong(
    "returns the numbers of the table, the encoder and the decoder as a tuple instead of their sum",
    line="return table, encoder, decoder",
)
def three_counts(vocab_size, d_model, d_ff, n_layers):
    table = vocab_size * d_model
    attention = 4 * d_model**2
    ffn = 2 * d_model * d_ff + d_ff + d_model
    encoder = n_layers * (attention + ffn + 4 * d_model)
    decoder = n_layers * (2 * attention + ffn + 6 * d_model)
    return table, encoder, decoder


@wrong(
    "two: the network has both biases of width d_ff, and the table is forgotten",
    names={"ffn-biases-alike", "no-table"},
    line="ffn = 2 * (d_model * d_ff + d_ff)",
)
def biases_and_no_table(vocab_size, d_model, d_ff, n_layers):
    attention = 4 * d_model * d_model
    ffn = 2 * (d_model * d_ff + d_ff)
    norm = 2 * d_model
    encoder = attention + ffn + 2 * norm
    decoder = 2 * attention + ffn + 3 * norm
    return n_layers * (encoder + decoder)


@wrong(
    "two: the decoder is counted without a network of its own, and a table of learned positions is added",
    names={"positions-counted"},
    line="dec = 2 * attn + 3 * norm",
)
def no_network_and_positions(vocab_size, d_model, d_ff, n_layers):
    attn = 4 * d_model**2
    ffn = 2 * d_model * d_ff + d_ff + d_model
    norm = 2 * d_model
    enc = attn + ffn + 2 * norm
    dec = 2 * attn + 3 * norm
    positions = 512 * d_model
    return vocab_size * d_model + positions + n_layers * (enc + dec)


@right
def names_for_parts(vocab_size, d_model, d_ff, n_layers):
    attention = 4 * d_model**2
    network = d_model * d_ff + d_ff + d_ff * d_model + d_model
    norm = 2 * d_model
    encoder_layer = attention + network + 2 * norm
    decoder_layer = 2 * attention + network + 3 * norm
    return vocab_size * d_model + n_layers * (encoder_layer + decoder_layer)


@right
def one_formula(vocab_size, d_model, d_ff, n_layers):
    return d_model * (vocab_size + n_layers * (12 * d_model + 4 * d_ff + 12)) + 2 * n_layers * d_ff


@right
def sum_of_shapes(vocab_size, d_model, d_ff, n_layers):
    attention = [(d_model, d_model)] * 4
    network = [(d_model, d_ff), (d_ff,), (d_ff, d_model), (d_model,)]
    norm = [(d_model,), (d_model,)]
    shapes = [(vocab_size, d_model)]
    shapes += n_layers * (attention + network + 2 * norm)
    shapes += n_layers * (2 * attention + network + 3 * norm)
    total = 0
    for shape in shapes:
        total += int(np.prod(shape))
    return total


@right
def with_earlier_counts(vocab_size, d_model, d_ff, n_layers):
    attention = 4 * d_model * d_model
    ffn = 2 * d_model * d_ff + d_ff + d_model
    total = vocab_size * d_model
    for _ in range(n_layers):
        total = total + attention + ffn + 4 * d_model
        total = total + 2 * attention + ffn + 6 * d_model
    return total


@wrong(
    "gives both biases of the network the width d_model",
    names={"both-biases-as-wide-as-the-model"},
    line="network = 2 * d_model * d_ff + 2 * d_model",
)
def biases_of_one_width(vocab_size, d_model, d_ff, n_layers):
    attention = 4 * d_model**2
    network = 2 * d_model * d_ff + 2 * d_model
    norm = 2 * d_model
    layers = attention + network + 2 * norm + 2 * attention + network + 3 * norm
    return vocab_size * d_model + n_layers * layers


@wrong(
    "adds a bias for every word at the output",
    names={"output-bias"},
    line="table = vocab_size * d_model + vocab_size",
)
def output_biases(vocab_size, d_model, d_ff, n_layers):
    table = vocab_size * d_model + vocab_size
    network = 2 * d_model * d_ff + d_model + d_ff
    encoder = 4 * d_model**2 + network + 2 * 2 * d_model
    decoder = 8 * d_model**2 + network + 3 * 2 * d_model
    return table + n_layers * (encoder + decoder)


@wrong(
    "gives a layer of the decoder two networks, one for each attention",
    names={"network-after-each-attention"},
    line="decoder = 2 * (attention + network) + 3 * norm",
)
def network_per_attention(vocab_size, d_model, d_ff, n_layers):
    attention = 4 * d_model * d_model
    network = d_model * d_ff + d_ff + d_ff * d_model + d_model
    norm = 2 * d_model
    encoder = attention + network + 2 * norm
    decoder = 2 * (attention + network) + 3 * norm
    return vocab_size * d_model + n_layers * (encoder + decoder)
