"""What crosses the API and what a pack's functions are given: the types that both sides share."""
