"""Decision logs: what came in and what was decided, kept, played again and compared."""
