"""Traits at work: which kind of response fits."""
