"""LangSmith: datasets, experiments, feedback and comparisons there, and silence without a key."""
