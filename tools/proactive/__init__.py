"""Speaking without being spoken to: whether there is an occasion, and what is kept of it."""
