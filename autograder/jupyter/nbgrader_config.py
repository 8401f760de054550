from autograder.nbgrader_config import configure

configure(get_config())  # noqa: F821 (given by Jupyter)
