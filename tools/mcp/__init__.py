"""MCP servers: their tools become actions, and every call meets the tool that was approved."""
