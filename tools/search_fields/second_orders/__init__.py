"""Orders behind a search that are no part of it: then save the first three."""
