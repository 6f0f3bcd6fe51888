"""The Executive over HTTP: a file per resource, problem+json for every refusal."""
