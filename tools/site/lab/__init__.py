"""The browser edition of the course, which needs no installation."""
