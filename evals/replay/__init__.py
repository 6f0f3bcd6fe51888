"""Conversations played again through the whole system, and what came of each turn compared."""
