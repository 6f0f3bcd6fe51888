"""Parse and refine the fields of a paper search from text."""
