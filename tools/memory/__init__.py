"""What was learned: heuristics now, feedback later."""
