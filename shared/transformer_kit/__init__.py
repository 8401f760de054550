"""Shared helpers of the course: reference functions, parameters, figures."""

from transformer_kit import plots
from transformer_kit.waiting import when_written

__all__ = ["plots", "when_written"]
