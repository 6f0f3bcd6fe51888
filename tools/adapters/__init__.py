"""Adapters to what lies outside the process: encoders, models, MCP servers, paper providers and backups."""
