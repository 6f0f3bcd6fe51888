"""A short text as a change of the search before it: only open access, any year, older ones."""
