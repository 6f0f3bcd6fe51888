"""Run decisions: threads, run limiter, retries, fast path, scheduler and maintenance."""
