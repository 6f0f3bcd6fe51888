"""MCP servers whose tools become actions of a pack."""
