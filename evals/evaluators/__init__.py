"""Evaluators: one score for one answer, by the label of its case."""
