"""What replaced what: found, proposed, accepted, walked."""
