"""Both trainings in processes of their own, killed and started again."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from transformer_kit.corpus import SMALL_WORDS
from transformer_kit.corpus.vocabulary import SPECIAL
from transformer_kit.trained.model import TRAINED, read_model
from transformer_kit.training.run import new_model, training_data

PROGRAM = """
from pathlib import Path
from transformer_kit.training.loop import SETTINGS
from transformer_kit.training.run import train_all

if __name__ == "__main__":
    train_all(Path({folder!r}), SETTINGS._replace(steps=60, batch_tokens=120, record_every=4, averaged=3), 400)
"""


def start(folder):
    folder.mkdir(exist_ok=True)
    (folder / "program.py").write_text(PROGRAM.format(folder=str(folder)))
    command = [sys.executable, str(folder / "program.py")]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)


@pytest.mark.exhaustive
def test_a_restarted_training_writes_the_same_files(tmp_path):
    whole, interrupted = tmp_path / "whole", tmp_path / "interrupted"
    finished = start(whole)
    assert "100 %" in finished.communicate()[1]
    killed = start(interrupted)
    while len(list(interrupted.glob("checkpoints/*smoothed.npz"))) < 2:
        time.sleep(0.02)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.communicate()
    assert not (interrupted / "smoothed.npz").exists()
    assert "100 %" in start(interrupted).communicate()[1]
    for name in (*TRAINED, "SHA256SUMS"):
        file = f"{name}.npz" if name in TRAINED else name
        assert (whole / file).read_bytes() == (interrupted / file).read_bytes()
    assert not list(interrupted.glob("checkpoints*"))
    _, facts = read_model(whole / "unsmoothed.npz")
    assert float(facts["setting_label_smoothing"]) == 0
    assert facts["history"][:, 0].tolist() == list(range(4, 61, 4))


@pytest.mark.exhaustive
def test_a_failed_training_is_not_silent(tmp_path):
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "smoothed.npz").write_text("no checkpoint")
    program = start(tmp_path)
    _, errors = program.communicate()
    assert program.returncode != 0
    assert "remove it" in errors
    assert "RuntimeError: the training of the smoothed model failed" in errors


def test_training_data():
    pairs, development, (english, spanish) = training_data(300)
    assert len(pairs) == 300
    assert all(target[-1] == 3 and 2 not in target for _, target in pairs)
    assert max(max(source) for source, _ in pairs) < len(english)
    assert 0 < len(development) <= 512
    model = new_model(pairs, (english, spanish), seed=1)
    assert model.longest_source == max(len(source) for source, _ in pairs)
    assert model.max_len == max(len(target) for _, target in pairs)
    assert model.source_embedding.dtype == np.float32


def test_training_data_of_few_words():
    pairs, development, (english, _) = training_data(200, 20, SMALL_WORDS)
    assert len(pairs) == 200
    assert 0 < len(development) <= 20
    assert english.keys() <= SMALL_WORDS | set(SPECIAL)
