"""The front page: the machine, two models to try in the page, a report that names a mistake, and three doors."""
