"""What a person is asked before a dangerous action, and how their answer is read."""
