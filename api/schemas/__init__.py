"""Request and response types of the API that are not nouns of `state`, with their examples."""
