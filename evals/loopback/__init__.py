"""A model server of our own on loopback: what tests and evals ask where no model is set."""
