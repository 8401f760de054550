"""Shared helpers of the course: reference functions, parameters, figures."""

from transformer_kit import plots
from transformer_kit.unimplemented import skip_if_unimplemented

__all__ = ["plots", "skip_if_unimplemented"]
