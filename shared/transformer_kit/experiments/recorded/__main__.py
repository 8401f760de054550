"""Record training runs: `python -m transformer_kit.experiments.recorded`."""

import argparse
import time
from pathlib import Path

from transformer_kit.experiments.chat import record as chat
from transformer_kit.experiments.recorded import film, leaking, norms
from transformer_kit.trained.model import ModelFileError, write_checksums
from transformer_kit.trained.recorded import RECORDINGS, save_recording

PROGRAMS = {"leaking": leaking.record, "norms": norms.record, "film": film.record, "chat": chat.record}


def main(arguments=None):
    """Read the command line and record.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the program when left out.
    """
    parser = argparse.ArgumentParser(
        prog="make record", description="Record the training runs that the notebooks show, each in a few minutes."
    )
    parser.add_argument("--output", type=Path, default=RECORDINGS, help="folder of the recordings; the course's own")
    parser.add_argument("--only", choices=PROGRAMS, help="record this one alone")
    options = parser.parse_args(arguments)
    options.output.mkdir(parents=True, exist_ok=True)
    for name in [options.only] if options.only else PROGRAMS:
        start = time.monotonic()
        try:
            save_recording(name, PROGRAMS[name](), options.output)
        except ModelFileError as error:  # a public model that is not installed
            print(f"{name}: stays as it is. {error}", flush=True)
            continue
        print(f"{name}: {time.monotonic() - start:.0f} s", flush=True)
    write_checksums(options.output)


if __name__ == "__main__":
    main()
