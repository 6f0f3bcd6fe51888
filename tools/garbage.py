"""The garbage collector, kept from what stays to the end."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def spared() -> Iterator[None]:
    """Collect nothing while much is made that stays, such as modules, nor look at it ever again.

    Importing us makes 300,000 objects. The collector went through all of them again and again, at
    the end of the process too: a third of the time of a short command.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()
