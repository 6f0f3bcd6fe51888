"""The query log, metrics and the quality of policy."""
