"""Natural language understanding: what a text says, without any session."""
