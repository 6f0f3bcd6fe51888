"""Replay scripted conversations through a real executive on a virtual clock."""
