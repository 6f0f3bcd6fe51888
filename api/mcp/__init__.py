"""An MCP server over our own HTTP API: actions that a key may propose are tools."""
