"""Helpers of the tests: courses, classes, notebooks and sandboxes that are made for them."""
