"""Links between decisions: proposed, accepted, and followed as a chain."""
