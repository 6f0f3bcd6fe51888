"""The stages of a decision, one file each."""
