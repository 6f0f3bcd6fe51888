"""Detect decisions in messages, by weighted features or a language model."""
