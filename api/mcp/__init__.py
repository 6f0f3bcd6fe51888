"""An MCP server over our own HTTP API: an agent's tools are the actions that its key may propose."""
