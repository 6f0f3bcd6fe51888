"""A typed Python client of the service."""
