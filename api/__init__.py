"""The service's HTTP API, its console and its command line."""
