"""Metrics, log lines and traces of decisions."""
