"""What holds for every test: one BLAS thread, and figures without a screen."""

import os

for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ[f"{library}_NUM_THREADS"] = "1"  # before NumPy is imported

import matplotlib  # noqa: E402

matplotlib.use("Agg")
