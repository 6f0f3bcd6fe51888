"""What packs that keep things in a file of their own have in common."""
