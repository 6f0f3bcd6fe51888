"""Building blocks without domain knowledge: clock, serialization, redaction, Unicode and egress."""
