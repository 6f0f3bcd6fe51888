"""The wiring: settings, checkpoints, the graph itself and what runs it."""
