"""`prefrontal --url …`: the verbs that speak to a service elsewhere."""
