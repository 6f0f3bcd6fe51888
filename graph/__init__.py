"""The wiring: settings, the graph itself, what runs it, and the command line."""
