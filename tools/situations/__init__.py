"""How much a word would help in a situation, told by what the situation is like."""
