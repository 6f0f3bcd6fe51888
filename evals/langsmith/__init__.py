"""Datasets, experiments and feedback at LangSmith."""
