"""Whether an event is worth speaking about, and when: salience, relevance, timing and initiatives."""
