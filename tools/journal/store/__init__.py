"""The journal's database rows: entries, cited messages, links, imports and retention."""
