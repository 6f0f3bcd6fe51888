"""How well policy keeps its word: noted a turn at a time, counted, told to whoever watches."""
