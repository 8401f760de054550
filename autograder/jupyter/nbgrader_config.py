from autograder.nbgrader_config import configure

configure(get_config())  # type: ignore[name-defined]  # noqa: F821 (given by Jupyter)
