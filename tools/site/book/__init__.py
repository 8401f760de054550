"""The course as a book on the web: the pages of the learner's notebooks with the pictures of the solved ones."""
