"""Handlers of actions: functions of packs, HTTP services and tools of MCP servers."""
