"""When to speak: now, at a break, together with others, or not any more."""
