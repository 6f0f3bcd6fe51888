"""What is left of a request as its topic, without courtesy, command and purpose."""
