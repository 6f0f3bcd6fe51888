"""How much can run at once here?"""

import os


def threads(most: int) -> int:
    """Give as many threads as there are processors that this process may use, at most so many."""
    # A container or `taskset` may leave us fewer than there are.
    if hasattr(os, "sched_getaffinity"):
        return min(most, len(os.sched_getaffinity(0)))
    return min(most, os.cpu_count() or 1)
