"""Packs from disk: what can be done, by whom, and every fault of what was written."""
