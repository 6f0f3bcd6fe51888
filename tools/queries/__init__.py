"""The query log: every message, what was read from it, and what people then did."""
