"""Detection, extraction, search and supersession of decisions, on labelled talks and files."""
