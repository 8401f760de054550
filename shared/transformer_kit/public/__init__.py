"""Public models on the functions of the course; their files are not a part of it."""
