"""Is an event worth speaking about, and when: salience, relevance, timing, initiatives."""
