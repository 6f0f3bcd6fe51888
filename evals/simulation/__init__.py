"""Streams of events through the graph: labelled ones, and a simulated household."""
