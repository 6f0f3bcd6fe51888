"""Vectors of table rows, and their approximate nearest-neighbour index."""
