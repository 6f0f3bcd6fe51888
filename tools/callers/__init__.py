"""Who is calling: read from what a door was given, the same way at every door."""
