"""Measure the trained models: `make evaluate` prints the figures of the model card."""

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np

from transformer_kit import corpus
from transformer_kit.corpus.phrase_book import comparable, phrase_book
from transformer_kit.corpus.vocabulary import ids_of, words_of
from transformer_kit.experiments.dictionary.figures import figures as dictionary_figures
from transformer_kit.experiments.markdown import markdown_table
from transformer_kit.experiments.recorded.figures import figures as recorded_figures
from transformer_kit.experiments.whole_model.greedy import greedy_translations
from transformer_kit.parameters.tree import flatten
from transformer_kit.trained.dictionary import FILE as DICTIONARY
from transformer_kit.trained.model import TRAINED, WEIGHTS, read_model

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
    """Translate sentences greedily and look up the results.

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


def share_right(model, split, count):
    """Return how much of a split a model of few words translates correctly.

    Parameters
    ----------
    model : Model
    split : str
        As in `corpus.load`.
    count : int

    Returns
    -------
    float
    """
    sentences = corpus.load(split, count, corpus.SMALL_WORDS)
    return score(model, sentences, [corpus.translations(one.english) for one in sentences]).acceptable / count


class PhraseBookScore(NamedTuple):
    """How well a model translates the phrase book.

    Attributes
    ----------
    known : int
        Sentences all of whose words the model knows.
    acceptable : int
        Those of them that get a translation of the book or of the grammar.
    mistakes : list of (str, str)
        English sentences and their wrong translations.
    """

    known: int
    acceptable: int
    mistakes: list


def score_phrase_book(model):
    """Translate the sentences of the phrase book greedily.

    Parameters
    ----------
    model : Model

    Returns
    -------
    PhraseBookScore
    """
    book = phrase_book()
    known = [english for english in book if model.source_vocabulary.keys() >= set(english)]
    results = greedy_translations([ids_of(english, model.source_vocabulary) for english in known], model)
    mistakes = []
    for english, token_ids in zip(known, results, strict=True):
        words = tuple(words_of(token_ids, model.target_words))
        text = corpus.spanish_text(words)
        if comparable(text) not in book[english] and words not in corpus.translations(english):
            mistakes.append((corpus.english_text(english), text))
    return PhraseBookScore(len(known), len(known) - len(mistakes), mistakes)


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
    return markdown_table(
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
    books = [score_phrase_book(model) for model, _ in models.values()]
    n = len(phrase_book())
    rows.append(("phrase book, all words known", *(f"{100 * book.known / n:.1f} %" for book in books)))
    rows.append(
        ("phrase book, acceptable of these", *(f"{100 * book.acceptable / book.known:.1f} %" for book in books))
    )
    mistakes += books[0].mistakes
    return markdown_table(*rows), mistakes


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
    return markdown_table(
        ("batches", *(f"{name}, {what}" for name in models for what in ("training", "development"))),
        *((f"{int(histories[0][i, 0])}", *(f"{loss:.3f}" for h in histories for loss in h[i, 1:])) for i in chosen),
    )


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
        "mistakes": markdown_table(("English", "wrong translation"), *mistakes, others="---") if mistakes else "None.",
        "curve": curve_table(models),
    }


def main(arguments=None):
    """Read the command line and print the tables.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the program when left out.
    """
    parser = argparse.ArgumentParser(prog="make evaluate", description="Print the figures of the model card.")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="folder of the models; those of the course")
    folder = parser.parse_args(arguments).weights
    for name, table in (figures(folder) | dictionary_figures(folder / DICTIONARY) | recorded_figures()).items():
        print(f"\n{name}\n\n{table}")


if __name__ == "__main__":
    main()
