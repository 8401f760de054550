"""Programs that write parts of the documentation, prove the grading sound, or measure; no part of the course."""
