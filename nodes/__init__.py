"""One stage a file: from an event's arrival to its record."""
