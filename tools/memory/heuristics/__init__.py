"""Heuristics that earn confidence from feedback."""
