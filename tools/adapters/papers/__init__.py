"""Scholarly paper search at several providers."""
