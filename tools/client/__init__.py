"""Call the service from Python: typed, and tried again where that does no harm."""
