"""Domains: each folder is a pack with its catalogue, its words and its handlers."""
