"""Dialogue policy: what a message means in its session, and the decision that follows."""
