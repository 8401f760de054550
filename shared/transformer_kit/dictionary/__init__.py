"""A dictionary that writes its own definitions: its data, its pieces of words, and how it is asked."""
