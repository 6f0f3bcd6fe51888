"""The HTTP layer: admission, security, bodies, idempotency, problems, OpenAPI."""
