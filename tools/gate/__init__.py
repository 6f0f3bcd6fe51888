"""The approval gate: what may run, who has to say yes, and the only way to a handler."""
