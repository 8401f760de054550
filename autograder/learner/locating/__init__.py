"""Find the line at which a learner's function leaves the right path, when no known mistake fits."""
