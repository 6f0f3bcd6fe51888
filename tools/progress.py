"""How far long work is, told to whoever listens; by default nobody."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[str, int, int], None]
"""Takes what is done, how many parts of it, and of how many."""

_listeners: list[Listener] = []


def report(what: str, done: int, total: int) -> None:
    """Tell that `done` of `total` parts of some work are done; cheap where nobody listens."""
    for listener in _listeners:
        listener(what, done, total)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Let a listener be told, from any thread, until the block ends."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
