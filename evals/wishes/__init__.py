"""Texts that want something and texts that do not, and what is learnt from them."""
