"""Words that fill a slot of text, and what around them is none of its value."""
