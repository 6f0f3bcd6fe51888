"""When papers are from: expressions of time as bounds, and times that are what papers are about."""
