"""Fit what the product ships as learned weights: actionability and the encoder adapter."""
