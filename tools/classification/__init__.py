"""The class of an action on one occasion, and what follows: do, offer, ask, ask back, refuse."""
