"""What a model is asked for the sake of one decision: calls, tokens and cost, as they happen."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from state.model_use import ModelUse

_METER: ContextVar[list[ModelUse] | None] = ContextVar("meter", default=None)


@contextmanager
def metered() -> Iterator[list[ModelUse]]:
    """Collect every call that is made inside, in this task and those it starts; may be nested."""
    uses: list[ModelUse] = []
    token = _METER.set(uses)
    try:
        yield uses
    finally:
        _METER.reset(token)


def note_use(use: ModelUse) -> None:
    """Tell whoever collects of a call; without anybody it is forgotten."""
    uses = _METER.get()
    if uses is not None:
        uses.append(use)
