"""Requests about the assistant itself: when to speak, goals, reminders and style."""
