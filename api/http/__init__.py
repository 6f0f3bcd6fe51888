"""What HTTP asks of every route alike: places, limits, keys, tags, problems, pages."""
