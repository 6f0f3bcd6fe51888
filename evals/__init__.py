"""Measure the system on labelled cases and hold the figures to thresholds."""
