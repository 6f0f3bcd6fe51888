"""A story played to its end: its events, its people, its stores under watch."""
