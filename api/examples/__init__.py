"""The examples shown in OpenAPI: one story of an engine room."""
