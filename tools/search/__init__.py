"""Scholarly papers from public providers, found by structured fields and told as one list."""
