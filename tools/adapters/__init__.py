"""What lies outside the process: encoders, models, MCP servers, paper providers, backups."""
