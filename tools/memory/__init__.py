"""Memory: session updates, recall of utterances, and learned heuristics."""
