"""A person at a terminal: what they say, pick and approve."""
