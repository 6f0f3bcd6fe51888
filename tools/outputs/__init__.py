"""Where words go."""
