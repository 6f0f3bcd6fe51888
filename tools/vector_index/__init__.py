"""Vectors of rows: kept in the tables, and found by an approximate index beside them."""
