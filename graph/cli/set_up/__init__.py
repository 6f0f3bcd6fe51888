"""What a look at the set-up finds."""
