"""Measure the trained models: `python -m transformer_kit.evaluation` prints the figures of the model card."""

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np

from transformer_kit import corpus, reference
from transformer_kit.greedy import greedy_translations
from transformer_kit.language_model import FILE as LANGUAGE_FILE
from transformer_kit.language_model import load_language_model
from transformer_kit.model import TRAINED, WEIGHTS, read_model
from transformer_kit.one_sentence import sampled, writer
from transformer_kit.training.language import N_SENTENCES as N_LANGUAGE
from transformer_kit.trees import flatten
from transformer_kit.vocabulary import ids_of, words_of

N_SENTENCES = 1000
SPLITS = ("held-out", "new")


class Score(NamedTuple):
    """How well a model translates some sentences.

    Attributes
    ----------
    acceptable : int
        Translations that are among those of the grammar.
    likeliest : int
        Translations that are the likeliest one of the grammar.
    mistakes : list of (str, str)
        English sentences and their wrong translations.
    """

    acceptable: int
    likeliest: int
    mistakes: list


def score(model, sentences, translations):
    """Translate sentences greedily and look the results up.

    Parameters
    ----------
    model : Model
    sentences : sequence of Sentence
    translations : sequence of dict
        Of every sentence all translations, the likeliest first.

    Returns
    -------
    Score
    """
    sources = [ids_of(sentence.english, model.source_vocabulary) for sentence in sentences]
    results = [tuple(words_of(token_ids, model.target_words)) for token_ids in greedy_translations(sources, model)]
    pairs = list(zip(results, translations, strict=True))
    mistakes = [
        (corpus.english_text(sentence.english), corpus.spanish_text(result))
        for sentence, (result, right) in zip(sentences, pairs, strict=True)
        if result not in right
    ]
    likeliest = sum(result == next(iter(right)) for result, right in pairs)
    return Score(len(pairs) - len(mistakes), likeliest, mistakes)


def data_table(n_pairs):
    """Return a table of the data as Markdown.

    Parameters
    ----------
    n_pairs : int
        Sentence pairs in the training data.

    Returns
    -------
    str
    """
    pairs = corpus.load("training", n_pairs)
    english, spanish = {p.english for p in pairs}, {p.spanish for p in pairs}
    lengths = [np.array([len(p[i]) for p in pairs]) for i in (0, 1)]
    words = [len(set().union(*sentences)) for sentences in (english, spanish)]
    different = len({p[:2] for p in pairs})
    return _table(
        ("training data", "English", "Spanish"),
        ("sentence pairs", f"{len(pairs):,}", f"{different:,} different"),
        ("different sentences", f"{len(english):,}", f"{len(spanish):,}"),
        ("words and marks in a sentence, mean", *(f"{length.mean():.1f}" for length in lengths)),
        ("words and marks in the longest", *(f"{length.max()}" for length in lengths)),
        ("different words and marks", *map(str, words)),
    )


def result_table(models, files):
    """Return a table of sizes and results as Markdown, and the mistakes.

    Parameters
    ----------
    models : dict from str to (Model, dict)
        As `read_model` returns them, by name.
    files : dict from str to Path

    Returns
    -------
    table : str
    mistakes : list of (str, str)
        Of the first model, English and Spanish.
    """
    rows = [
        ("", *models),
        ("label smoothing", *(f"{float(facts['setting_label_smoothing']):g}" for _, facts in models.values())),
        ("parameters", *(f"{flatten(model).size:,}" for model, _ in models.values())),
        ("size of the file, half precision", *(f"{files[name].stat().st_size / 1000:.0f} kB" for name in models)),
    ]
    mistakes = []
    for split in SPLITS:
        sentences = corpus.load(split, N_SENTENCES)
        translations = [corpus.translations(sentence.english) for sentence in sentences]
        scores = [score(model, sentences, translations) for model, _ in models.values()]
        for what in ("acceptable", "likeliest"):
            shares = (getattr(one, what) / len(sentences) for one in scores)
            rows.append((f"{split} sentences, {what}", *(f"{100 * share:.1f} %" for share in shares)))
        mistakes += scores[0].mistakes
    return _table(*rows), mistakes


def curve_table(models, entries=8):
    """Return a table of the losses during training as Markdown.

    Parameters
    ----------
    models : dict from str to (Model, dict)
    entries : int
        About how many rows.

    Returns
    -------
    str
    """
    histories = [facts["history"] for _, facts in models.values()]
    last = len(histories[0]) - 1
    chosen = sorted({round(last * (i / entries) ** 2) for i in range(entries + 1)})
    return _table(
        ("batches", *(f"{name}, {what}" for name in models for what in ("training", "development"))),
        *((f"{int(histories[0][i, 0])}", *(f"{loss:.3f}" for h in histories for loss in h[i, 1:])) for i in chosen),
    )


def language_table(model, count=500):
    """Let the language model write, and return a table of how much of it the grammar says as Markdown.

    Parameters
    ----------
    model : LanguageModel
    count : int
        How many sentences it writes in each way.

    Returns
    -------
    str
    """
    training = {sentence.english for sentence in corpus.load("training", N_LANGUAGE)}
    rows = [("drawn", "sentences of the grammar", "of them not in its training data")]
    for way, p in (("from the whole distribution", 1.0), ("with top-p, p = 0.9", 0.9)):
        rng = np.random.default_rng(0)

        def choose(log_probs, p=p, rng=rng):
            return reference.sample_token(reference.softmax(reference.top_p_filter(log_probs, p)), rng.random())

        texts = sampled(writer(model, reference), choose, count, model.max_len, model.words)
        said = [words for words in texts if corpus.translations(words)]
        new = sum(words not in training for words in said)
        rows.append((way, f"{100 * len(said) / count:.1f} %", f"{100 * new / max(1, len(said)):.1f} %"))
    return _table(*rows)


def _table(head, *rows, others="---:"):
    """Write a table; `others` is how all columns but the first are aligned."""
    lines = [head, ("---", *[others] * (len(head) - 1)), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def figures(folder=WEIGHTS):
    """Return all tables of the model card by name.

    Parameters
    ----------
    folder : Path

    Returns
    -------
    dict from str to str
    """
    files = {name: folder / f"{name}.npz" for name in TRAINED}
    models = {name: read_model(name if folder == WEIGHTS else path) for name, path in files.items()}
    results, mistakes = result_table(models, files)
    return {
        "data": data_table(int(models[TRAINED[0]][1]["n_pairs"])),
        "results": results,
        "mistakes": _table(("English", "wrong translation"), *mistakes, others="---") if mistakes else "None.",
        "curve": curve_table(models),
        "language": language_table(load_language_model(folder / LANGUAGE_FILE)),
    }


def main(arguments=None):
    """Read the command line and print the tables.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the program when left out.
    """
    parser = argparse.ArgumentParser(
        prog="python -m transformer_kit.evaluation", description="Print the figures of the model card."
    )
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="folder of the models; those of the course")
    for name, table in figures(parser.parse_args(arguments).weights).items():
        print(f"\n{name}\n\n{table}")


if __name__ == "__main__":
    main()
