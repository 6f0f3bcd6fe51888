"""Sentence encoders and caches of their vectors."""
