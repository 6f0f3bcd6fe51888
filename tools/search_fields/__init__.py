"""From a request in words to structured search fields: years, limit, access, authors, topic."""
