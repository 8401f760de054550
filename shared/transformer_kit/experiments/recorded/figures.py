"""The figures of the recorded training runs, for the model card."""

from itertools import pairwise

from transformer_kit import corpus
from transformer_kit.experiments.markdown import markdown_table
from transformer_kit.trained.recorded import load_recording

LAST = slice(-40, None)  # steps of which the mean says where a training run has arrived


def figures():
    """Return the tables of the model card by name.

    Returns
    -------
    dict from str to str
        As Markdown.
    """
    return {
        "recorded-leaking": leaking_table(load_recording("leaking")),
        "recorded-norms": norms_table(load_recording("norms")),
        "recorded-film": film_table(load_recording("film")),
    }


def leaking_table(recording):
    """Return where the two training runs end, and what each model writes, as Markdown.

    Parameters
    ----------
    recording : Leaking

    Returns
    -------
    str
    """
    return markdown_table(
        (f"after {recording.steps[-1]} batches", *recording.runs),
        ("training loss", *(f"{loss:.3f}" for loss in recording.training_loss[:, -1])),
        ("development loss", *(f"{loss:.3f}" for loss in recording.development_loss[:, -1])),
        ("new sentences, right", *(f"{100 * share:.0f} %" for share in recording.share_right[:, -1])),
        *zip(recording.english, *recording.written, strict=True),
        others="---",
    )


def norms_table(recording):
    """Return where the three training runs end as Markdown.

    Parameters
    ----------
    recording : Norms

    Returns
    -------
    str
    """
    gradients = recording.gradient_norm[:, LAST].mean(axis=1)
    return markdown_table(
        (f"mean of the last {len(recording.steps[LAST])} of {len(recording.steps)} batches", *recording.runs),
        ("loss", *(f"{loss:.2f}" for loss in recording.loss[:, LAST].mean(axis=1))),
        ("loss by the words' frequencies", *[f"{recording.frequency_loss:.2f}"] * len(recording.runs)),
        ("length of the gradient, first layer", *(f"{length:.2g}" for length in gradients[:, 0])),
        ("length of the gradient, last layer", *(f"{length:.2g}" for length in gradients[:, -1])),
    )


def film_table(recording):
    """Return the frames that bring another translation, and the last one, as Markdown.

    Parameters
    ----------
    recording : Film

    Returns
    -------
    str
    """
    frames = list(zip(recording.steps, recording.loss, recording.written, strict=True))
    shown = [new for old, new in pairwise(frames) if new[2] != old[2] or new is frames[-1]]
    rows = ((f"{step}", f"{loss:.2f}", written) for step, loss, written in [frames[0], *shown])
    return markdown_table(("batches", "loss", corpus.english_text(recording.english)), *rows, others="---")
