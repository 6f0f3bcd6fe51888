"""Domains that language models made up: what people say to the assistant of each."""
