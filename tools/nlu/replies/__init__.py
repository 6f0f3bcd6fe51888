"""Words that lean on what was said before: yes and no, corrections, places in a list."""
