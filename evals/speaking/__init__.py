"""How well it chooses when to speak, on any stream whose events people have labelled."""
