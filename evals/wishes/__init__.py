"""Texts that want something, texts that do not, and fitting the judge that tells them apart."""
