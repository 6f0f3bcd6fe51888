"""Logged decisions become labelled cases: from the store, from production, from shadow mode."""
