"""Backups: a data folder as one archive that can be checked, and put back."""
