"""What we tell of decisions and sessions, in words for people."""
