"""Replay decision logs through a real executive on a virtual clock."""
