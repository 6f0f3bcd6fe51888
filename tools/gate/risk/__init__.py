"""The execution class of an action on one occasion, and what follows: run, offer, ask or refuse."""
