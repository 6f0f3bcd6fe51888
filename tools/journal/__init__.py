"""The journal of decisions that people take in conversation."""
