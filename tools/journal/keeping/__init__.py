"""The rows of the journal, the messages they cite, and what becomes of old ones."""
