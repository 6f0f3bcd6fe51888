"""Make a function of the pack a handler: one transaction, done once for one key, told again."""

from state.action import ActionResult, HandlerContext
from tools.pack_store import effects

from .store import STORE
from .work import Work

_EFFECTS: effects.Effects[Work] = effects.Effects(STORE, Work, effects.KeptResults())
reads = _EFFECTS.reads
changes = _EFFECTS.changes
preview_of = effects.preview_of(STORE, Work)


def was_done(context: HandlerContext) -> ActionResult | None:
    """Tell whether the effect with the context's key has happened, and with what result."""
    return _EFFECTS.was_done(context)
