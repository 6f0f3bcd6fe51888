"""What a small model reads of one message: its act, what is wanted, its control intent and tags."""
