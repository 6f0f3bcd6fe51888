"""How well the decision journal finds, reads and returns decisions."""
