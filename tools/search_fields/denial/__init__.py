"""What is not wanted: which words deny, how far they reach, and what is left to search for."""
