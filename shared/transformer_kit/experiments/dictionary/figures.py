"""Measure the dictionary for its model card."""

import math

import numpy as np

from transformer_kit import reference
from transformer_kit.dictionary.definitions import define, definitions
from transformer_kit.dictionary.entries import load_entries, split_entries
from transformer_kit.dictionary.pieces import definition_ids, prompt_ids
from transformer_kit.dictionary.unfit import is_unfit
from transformer_kit.experiments.dictionary.ngrams import Ngrams
from transformer_kit.experiments.dictionary.samples import blended_words
from transformer_kit.experiments.markdown import markdown_table
from transformer_kit.parameters.tree import flatten
from transformer_kit.trained.dictionary import FILE, read_dictionary
from transformer_kit.trained.model import WEIGHTS
from transformer_kit.training.dictionary import mean_loss

ORDER = 5
N_SAMPLES, N_SHOWN = 10_000, 20
SAMPLES_SEED, SHOWN_SEED = 1, 2


def figures(path=WEIGHTS / FILE, n_samples=N_SAMPLES):
    """Return the tables of the model card by name.

    Parameters
    ----------
    path : Path
    n_samples : int
        Definitions that are searched for copies and for what is unfit for a class.

    Returns
    -------
    dict from str to str
        As Markdown.
    """
    model, facts = read_dictionary(path)
    splits = split_entries(load_entries())
    copies, unfit, left = sample_counts(model, splits, n_samples)
    return {
        "dictionary-data": data_table(model, splits),
        "dictionary-results": markdown_table(
            ("", "dictionary", f"{ORDER}-gram"),
            ("parameters", f"{flatten(model).size:,}", ""),
            ("size of the file, half precision", f"{path.stat().st_size / 1e6:.1f} MB", ""),
            ("held-out definitions, bits per byte", *(f"{bits:.3f}" for bits in bits_per_byte(model, splits))),
            (f"copies of a training definition, of {n_samples:,}", f"{100 * copies / n_samples:.1f} %", ""),
            (f"found by the list and drawn again, of {n_samples:,}", f"{unfit}", ""),
            ("found by the list after that", f"{left}", ""),
        ),
        "dictionary-samples": markdown_table(
            ("word", "definition"),
            *((f"{word} ({kind})", text) for word, kind, text in samples(model, splits, N_SHOWN, SHOWN_SEED)),
            others="---",
        ),
        "dictionary-curve": curve_table(facts["history"]),
    }


def numbered(entries, pieces):
    """Return entries as pairs of a prompt and a definition, both lists of ids."""
    return [(prompt_ids(word, kind, pieces), definition_ids(text, pieces)) for word, kind, text in entries]


def data_table(model, splits):
    """Return a table of the data as Markdown."""
    numbers = [numbered(entries, model.pieces) for entries in splits]
    return markdown_table(
        ("entries", "training", "held-out"),
        ("words with their kinds", *(f"{len(entries):,}" for entries in splits)),
        ("different definitions", *(f"{len({entry.definition for entry in entries}):,}" for entries in splits)),
        ("bytes in a definition, mean", *(f"{bytes_of(entries) / len(entries):.1f}" for entries in splits)),
        ("pieces in a definition with its end, mean", *(f"{pieces_of(n) / len(n):.1f}" for n in numbers)),
    )


def bytes_of(entries):
    return sum(len(entry.definition.encode()) for entry in entries)


def pieces_of(examples):
    return sum(len(definition) for _, definition in examples)


def bits_per_byte(model, splits):
    """Return the bits that held-out definitions take, their ends included, for each byte of their texts.

    Parameters
    ----------
    model : Dictionary
    splits : tuple of (list of Entry, list of Entry)

    Returns
    -------
    tuple of (float, float)
        Of the dictionary, and of n-grams of the same pieces that are counted in the same training entries.
    """
    training, held_out = (numbered(entries, model.pieces) for entries in splits)
    ngrams = Ngrams(training, len(model.pieces), ORDER)
    own = mean_loss(model, held_out) / math.log(2) * pieces_of(held_out)
    others = sum(ngrams.bits(*example) for example in held_out)
    return own / bytes_of(splits[1]), others / bytes_of(splits[1])


def samples(model, splits, count, seed, batch_size=500):
    """Return invented words and what the dictionary says of them, chosen by nobody.

    Parameters
    ----------
    model : Dictionary
    splits : tuple of (list of Entry, list of Entry)
    count, seed, batch_size : int

    Returns
    -------
    list of (str, str, str)
        Words, kinds and definitions.
    """
    rng = np.random.default_rng(seed)
    words = blended_words([*splits[0], *splits[1]], count, rng)
    found = []
    for start in range(0, count, batch_size):
        chosen = words[start : start + batch_size]
        found += zip(*zip(*chosen, strict=True), definitions(chosen, model, reference, rng), strict=True)
    return found


def sample_counts(model, splits, count):
    """Count definitions of invented words.

    Parameters
    ----------
    model : Dictionary
    splits : tuple of (list of Entry, list of Entry)
    count : int

    Returns
    -------
    copies, unfit, left : int
        Those that are training definitions, those that are unfit for a class, and of these the ones that are still so
        when `define` is asked for the same words.
    """
    known = {entry.definition for entry in splits[0]}
    found = samples(model, splits, count, SAMPLES_SEED)
    unfit = [entry[:2] for entry in found if is_unfit(entry[2])]
    rng = np.random.default_rng(SAMPLES_SEED)
    left = sum(is_unfit(define(*entry, model, reference, rng)) for entry in unfit)
    return sum(text in known for *_, text in found), len(unfit), left


def curve_table(history, entries=8):
    """Return a table of the losses during training, in nats per piece, as Markdown."""
    last = len(history) - 1
    chosen = sorted({round(last * (i / entries) ** 2) for i in range(entries + 1)})
    rows = ((f"{int(history[i, 0])}", *(f"{loss:.3f}" for loss in history[i, 1:])) for i in chosen)
    return markdown_table(("batches", "training", "held-out"), *rows)
