"""Is it a decision? A message in its window, by rules or by a model."""
