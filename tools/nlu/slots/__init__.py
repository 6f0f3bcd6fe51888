"""Slot filling: which of the values and words of a text belong to which slot."""
