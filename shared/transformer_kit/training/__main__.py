"""Train all models: `python -m transformer_kit.training`."""

import argparse
from pathlib import Path

from transformer_kit.training.language import SETTINGS as LANGUAGE
from transformer_kit.training.language import train_and_save
from transformer_kit.training.loop import SETTINGS
from transformer_kit.training.run import N_PAIRS, train_all


def main(arguments=None):
    """Read the command line and train.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the program when left out.
    """
    parser = argparse.ArgumentParser(
        prog="python -m transformer_kit.training",
        description="Train the small language model, which takes a minute, and then the two translation models, with "
        "label smoothing and without, in one process each. Interrupted, these go on from their last checkpoint when it "
        "is started again.",
    )
    parser.add_argument("--output", type=Path, default=Path("trained"), help="folder for models and checkpoints")
    parser.add_argument("--seed", type=int, default=SETTINGS.seed)
    parser.add_argument("--steps", type=int, default=SETTINGS.steps, help="number of batches of the translation models")
    parser.add_argument("--pairs", type=int, default=N_PAIRS, help="sentence pairs in the training data")
    options = parser.parse_args(arguments)
    train_and_save(options.output, LANGUAGE._replace(seed=options.seed))
    train_all(options.output, SETTINGS._replace(seed=options.seed, steps=options.steps), options.pairs)
    print(f"The models are in {options.output}.")


if __name__ == "__main__":
    main()
