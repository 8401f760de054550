"""The trained models: their weights, and how they are loaded."""
