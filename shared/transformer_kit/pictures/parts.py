"""What the Transformer of the course is made of: its parts in the order of computation."""

from typing import NamedTuple

from transformer_kit.parameters.tree import flatten

ATTENTION = ("softmax", "attention_scores", "masked_softmax", "masked_attention", "split_heads", "merge_heads")


class Part(NamedTuple):
    """One box of the machine.

    Attributes
    ----------
    key : str
        As in `trace`, where that has the part.
    side : str
        "source" or "target".
    label : str
    units : tuple of str
        Numbers of the units that it is from.
    functions : tuple of str
        What it is made of, in the order of the course; written by the learner, they make the part theirs.
    shape : str
        Of what comes out.
    says : str
        What it does, in a sentence.
    parameters : str
        Which numbers are learned in it, "" for none.
    """

    key: str
    side: str
    label: str
    units: tuple
    functions: tuple
    shape: str
    says: str
    parameters: str = ""


def parts_of(model=None):
    """List the parts of a Transformer.

    Parameters
    ----------
    model : Model, optional
        Without one there is a single layer on each side, and sizes have names instead of numbers.

    Returns
    -------
    list of Part
    """
    encoder, decoder = (model.encoder, model.decoder) if model else ((None,), (None,))
    return [
        *_beginning("source", model and model.source_embedding),
        *(part for i, params in enumerate(encoder) for part in _encoder_layer(f"encoder.{i}", params)),
        *_beginning("target", model and model.target_embedding),
        *(part for i, params in enumerate(decoder) for part in _decoder_layer(f"decoder.{i}", params)),
        *_end(model),
    ]


def _numbers(formula, params):
    """Say how many numbers are learned, and how many these are in a model."""
    return formula if params is None else f"{formula}: {flatten(params).size:,} numbers"


def _beginning(side, E):
    n, words = f"n_{side}", "the sentence" if side == "source" else "what is written so far"
    table = "E" if E is None else f"E: {E.size:,} numbers"
    shape = f"({n}, d_model)"
    says = f"cuts {words} into tokens and looks up their numbers"
    rows = "takes a row of the table for every token: its vector"
    return [
        Part(f"{side}.ids", side, "words to ids", ("00",), ("encode",), f"({n},)", says),
        Part(f"{side}.embedding", side, "embedding", ("00",), ("embed",), shape, rows, table),
        Part(
            side,
            side,
            "+ positions",
            ("01",),
            ("angular_frequencies", "positional_encoding", "add_positions"),
            shape,
            "adds sines and cosines that tell where a token stands",
        ),
    ]


def _attention(key, side, label, params, mask, own, units, says):
    functions, learned = (mask, *ATTENTION, *own), _numbers("W_Q, W_K, W_V, W_O", params)
    return Part(key, side, label, (*units, "11"), functions, f"(n_{side}, d_model)", says, learned)


def _norm(key, side, params):
    says = "adds what went into the sub-layer, then gives every token mean 0 and variance 1, scaled and shifted"
    return Part(
        key, side, "add & norm", ("07",), ("layer_norm",), f"(n_{side}, d_model)", says, _numbers("gamma, beta", params)
    )


def _network(key, side, params):
    functions, formula = ("relu", "position_wise_ffn"), "W_1, b_1, W_2, b_2"
    says = "takes each token by itself: widens it to d_ff numbers, keeps the positive ones, and narrows it again"
    shape = f"(n_{side}, d_model)"
    return Part(key, side, "feed-forward", ("06",), functions, shape, says, _numbers(formula, params))


def _encoder_layer(key, params):
    attention, norm_1, ffn, norm_2 = params or (None,) * 4
    says = "lets every token of the sentence look at every other, several heads at once; padding is hidden"
    heads, units = ("multi_head_attention",), ("02", "03", "04")
    return [
        _attention(f"{key}.attention", "source", "self-attention", attention, "padding_mask", heads, units, says),
        _norm(f"{key}.norm_1", "source", norm_1),
        _network(f"{key}.ffn", "source", ffn),
        _norm(f"{key}.norm_2", "source", norm_2),
    ]


def _decoder_layer(key, params):
    own, norm_1, cross, norm_2, ffn, norm_3 = params or (None,) * 6
    back = "lets every word look at those before it; the causal mask hides what is still to come"
    over = "lets every word look at the sentence: the queries are its own, keys and values come from the memory"
    heads, units = ("multi_head_attention",), ("02", "03", "04")
    both, label = ("project_memory", "cross_attention"), "masked self-attention"
    return [
        _attention(f"{key}.self_attention", "target", label, own, "causal_mask", heads, units, back),
        _norm(f"{key}.norm_1", "target", norm_1),
        _attention(f"{key}.cross_attention", "target", "cross-attention", cross, "padding_mask", both, ("05",), over),
        _norm(f"{key}.norm_2", "target", norm_2),
        _network(f"{key}.ffn", "target", ffn),
        _norm(f"{key}.norm_3", "target", norm_3),
    ]


def _end(model):
    tied = model is None or model.output_projection is None
    learned = "E again, transposed" if tied else f"W: {model.output_projection.size:,} numbers"
    return [
        Part(
            "logits",
            "target",
            "logits",
            ("09", "11"),
            ("decoder_layer", "encode_source", "decode_target"),
            "(n_target, V)",
            "compares each vector with the row of every word in the table: a number for each word",
            learned,
        ),
        Part(
            "probabilities",
            "target",
            "softmax",
            ("02", "10"),
            ("softmax",),
            "(n_target, V)",
            "turns the numbers into probabilities; training makes the right next word likelier",
        ),
        Part(
            "next",
            "target",
            "next word",
            ("08",),
            ("greedy_decode", "beam_search", "sample_token", "sample_decode"),
            "one word",
            "chooses a word, which goes in at the bottom for the next round",
        ),
    ]
