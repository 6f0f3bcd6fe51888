"""Whether more examples would still pay."""
