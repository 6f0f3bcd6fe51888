"""From a text to an action of the catalogue: mood, verbs, things, similarity, one confidence."""
