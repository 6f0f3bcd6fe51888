"""The chat model behind a port."""
