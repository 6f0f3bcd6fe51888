"""Decisions people take in conversation."""
