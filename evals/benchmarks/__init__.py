"""How fast it is: measured, kept, and never asserted."""
