"""Servers on loopback that stand in for model and paper providers."""
