"""What a discussion decided, each part cited from its messages."""
