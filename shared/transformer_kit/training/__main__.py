"""Train all models: `python -m transformer_kit.training`."""

import argparse
import shutil
from pathlib import Path

from transformer_kit.dictionary.entries import WORDNET, check_wordnet
from transformer_kit.training.dictionary import SETTINGS as DICTIONARY
from transformer_kit.training.dictionary import train_and_save
from transformer_kit.training.loop import SETTINGS
from transformer_kit.training.run import CHECKPOINTS, N_PAIRS, train_all


def main(arguments=None):
    """Read the command line and train.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the program when left out.
    """
    parser = argparse.ArgumentParser(
        prog="python -m transformer_kit.training",
        description="Train the dictionary, which takes half an hour, and the two translation models, with label "
        "smoothing and without, in one process each, which takes ten minutes. Interrupted, it resumes from the last "
        "checkpoints when it is started again.",
    )
    parser.add_argument("--output", type=Path, default=Path("trained"), help="folder for models and checkpoints")
    parser.add_argument("--only", choices=("dictionary", "translation"), help="train these alone")
    parser.add_argument("--wordnet", type=Path, default=WORDNET, help="folder of the database of WordNet 3.0")
    parser.add_argument("--seed", type=int, default=SETTINGS.seed)
    parser.add_argument("--steps", type=int, default=SETTINGS.steps, help="number of batches of the translation models")
    parser.add_argument("--pairs", type=int, default=N_PAIRS, help="sentence pairs in the training data")
    options = parser.parse_args(arguments)
    if options.only != "translation":
        try:
            check_wordnet(options.wordnet)
        except FileNotFoundError as error:
            parser.exit(2, f"{error}.\n")
        train_and_save(options.output, DICTIONARY._replace(seed=options.seed), options.wordnet)
    if options.only != "dictionary":
        train_all(options.output, SETTINGS._replace(seed=options.seed, steps=options.steps), options.pairs)
    shutil.rmtree(options.output / CHECKPOINTS, ignore_errors=True)
    print(f"The models are in {options.output}.")


if __name__ == "__main__":
    main()
