"""What a class decides in its `course.toml`: read in one place, and followed by every command."""
