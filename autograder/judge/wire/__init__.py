"""The conversation between the judge and a worker: frames over a socket, and values as JSON and .npy."""
