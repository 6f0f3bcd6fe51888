"""Sentences to vectors, behind one port."""
