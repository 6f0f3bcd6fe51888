"""Replay decision logs and scripted conversations through a real executive on a virtual clock."""
