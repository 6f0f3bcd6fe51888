"""Building blocks without domain knowledge: clock, serialization, redaction, Unicode safety, egress."""
