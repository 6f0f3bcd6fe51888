"""Whether to respond: relevance, the threshold of the moment, and the gates in their order."""
