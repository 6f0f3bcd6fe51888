"""Does it learn? A repeating stream, a user who rates answers, and how often a model is asked."""
