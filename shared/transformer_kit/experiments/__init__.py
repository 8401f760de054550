"""What the notebooks try out on a model: depth, leaks, counted multiplications, and a whole trained model."""
