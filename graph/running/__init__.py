"""How decisions run: on which thread, whose turn it is, what begins without an event."""
