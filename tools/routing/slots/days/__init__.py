"""Days that a text says: in which ways, on which side of today, and which is the one of a slot."""
