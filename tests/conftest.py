"""What holds for every test: one BLAS thread, figures without a screen, no library; and a worker where it is needed."""

import os

for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ[f"{library}_NUM_THREADS"] = "1"  # before NumPy is imported
os.environ["MY_TRANSFORMER"] = ""  # no learner's library, also in the kernels that a test starts

import matplotlib  # noqa: E402
import pytest  # noqa: E402

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def backend():
    """The sandbox of this machine."""
    from tests.judging import need_sandbox  # works on Linux only

    return need_sandbox()


@pytest.fixture(scope="module")
def worker(backend):
    """A worker in the sandbox."""
    from autograder.judge.remote import Worker

    with Worker(backend.launch) as worker:
        yield worker
