"""Train the two models of the course side by side, each in a process of its own."""

import multiprocessing
import os
import queue
import shutil

import numpy as np

from transformer_kit import corpus
from transformer_kit.corpus.vocabulary import EOS, ids_of, make_vocabulary
from transformer_kit.parameters import SIZES, init_model
from transformer_kit.parameters.tree import flatten, unflatten
from transformer_kit.progress import ProgressBar
from transformer_kit.trained.model import save_model, write_checksums
from transformer_kit.training.loop import SETTINGS, train

N_PAIRS = 200_000
N_DEVELOPMENT = 512
CHECKPOINTS = "checkpoints"
SMOOTHING = {"smoothed": 0.1, "unsmoothed": 0.0}


def training_data(n_pairs=N_PAIRS, n_development=N_DEVELOPMENT, words=None):
    """Draw the training data.

    Parameters
    ----------
    n_pairs, n_development : int
    words : set of str, optional
        The English words and marks that may occur; all when left out.

    Returns
    -------
    pairs, development : list of (list of int, list of int)
        Ids of source and target; the target ends with "<eos>".
    vocabularies : tuple of dict
        English and Spanish.
    """
    sentences, others = corpus.load("training", n_pairs, words), corpus.load("development", n_development, words)
    english, spanish = (make_vocabulary(words) for words in zip(*(s[:2] for s in sentences), strict=True))
    known = [s for s in others if set(s.english) <= english.keys() and set(s.spanish) <= spanish.keys()]

    def numbered(chosen):
        return [(ids_of(s.english, english), [*ids_of(s.spanish, spanish), EOS]) for s in chosen]

    return numbered(sentences), numbered(known), (english, spanish)


def new_model(pairs, vocabularies, seed, sizes=SIZES):
    """Draw a model for some training data, in single precision.

    Parameters
    ----------
    pairs : list of (list of int, list of int)
    vocabularies : tuple of dict
    seed : int
    sizes : Sizes

    Returns
    -------
    Model
    """
    lengths = tuple(max(map(len, side)) for side in zip(*pairs, strict=True))
    model = init_model(np.random.default_rng(seed), *vocabularies, sizes, lengths=lengths)
    return unflatten(model, flatten(model, np.float32))


def train_one(name, folder, settings, n_pairs, watch):
    """Train one of the models and write its file.

    Parameters
    ----------
    name : str
        "smoothed" or "unsmoothed".
    folder : Path
        Where file and checkpoint go.
    settings : Settings
        Its label smoothing is that of the name.
    n_pairs : int
    watch : callable
        See `train`.
    """
    pairs, development, vocabularies = training_data(n_pairs)
    settings = settings._replace(label_smoothing=SMOOTHING[name])
    checkpoint = folder / CHECKPOINTS / f"{name}.npz"
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    model = new_model(pairs, vocabularies, settings.seed)
    model, history = train(model, pairs, settings, development, checkpoint, watch)
    facts = {f"setting_{key}": value for key, value in settings._asdict().items()}
    save_model(model, folder / f"{name}.npz", history=history.astype(np.float32), n_pairs=n_pairs, **facts)


def train_all(folder, settings=SETTINGS, n_pairs=N_PAIRS):
    """Train both models side by side.

    Parameters
    ----------
    folder : Path
    settings : Settings
    n_pairs : int

    Raises
    ------
    RuntimeError
        If one of the processes fails; its own message is on the screen.
    """
    os.environ.update({f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")})
    context = multiprocessing.get_context("spawn")  # so that NumPy starts afresh, with one thread
    reports = context.Queue()
    workers = {
        name: context.Process(target=_worker, args=(name, folder, settings, n_pairs, reports), daemon=True)
        for name in SMOOTHING
    }
    for worker in workers.values():
        worker.start()
    _show(reports, settings.steps, workers)
    failed = [name for name, worker in workers.items() if worker.exitcode]
    if failed:
        for worker in workers.values():
            worker.terminate()  # its checkpoint stays
        raise RuntimeError(f"the training of the {failed[0]} model failed")
    write_checksums(folder)
    shutil.rmtree(folder / CHECKPOINTS)


def _worker(name, folder, settings, n_pairs, reports):
    """Train in a process of its own; every tenth step is reported."""

    def watch(step, loss):
        if step % 10 == 0 or step == settings.steps:
            reports.put((name, step, loss))
            if not multiprocessing.parent_process().is_alive():
                raise SystemExit("the program that started this training run is gone")

    train_one(name, folder, settings, n_pairs, watch)


def _show(reports, steps, workers):
    """Draw the progress of the slower training run until all processes have ended, or one has failed."""
    bar, latest = ProgressBar(steps), dict.fromkeys(workers, (0, None))
    while any(worker.is_alive() for worker in workers.values()) or not reports.empty():
        if any(worker.exitcode for worker in workers.values()):
            return
        try:
            name, step, loss = reports.get(timeout=0.5)
        except queue.Empty:
            continue
        latest[name] = step, loss
        if None not in dict(latest.values()).values():
            text = ", ".join(f"{name} {loss:.3f}" for name, (_, loss) in latest.items())
            bar.show(min(step for step, _ in latest.values()), f"loss: {text}")
