"""Numbers, units, dates and times as people write them, independent of any slot."""
