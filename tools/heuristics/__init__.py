"""Heuristics that earn their confidence: learned from answers that people liked, and unlearned."""
