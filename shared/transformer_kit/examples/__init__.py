"""Worked examples with right numbers, and printed wrong ones to find the error in; one module per topic."""
