"""The records a new vessel store starts with, as YAML, and the code that plants them."""
