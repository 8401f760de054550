"""Rules of taste about the texts of the course: `make style` says what breaks one, and what room is left."""
