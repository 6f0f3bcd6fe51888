"""The console: pages for people, served by the process that decides."""
