"""From an utterance to a ranked, explained intent prediction."""
