"""What operators see: a line of the log, counters, spans, an alarm."""
