"""How the content of a decision is found when nothing better is at hand."""
