"""Datasets, evaluators, gates and benchmarks."""
