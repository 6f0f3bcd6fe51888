"""Records and states in words, one wording for terminal, console and API."""
