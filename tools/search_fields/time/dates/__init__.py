"""Pieces of the calendar as people write them, and the days they stretch over."""
