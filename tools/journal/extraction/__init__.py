"""Extract the parts of a decision from a discussion, each cited from its messages."""
