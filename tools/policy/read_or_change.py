"""Is something to be shown, to be changed, or both? Where that is open, neither is named."""

from collections.abc import Sequence

from state.policy import ASKS_NOTHING, Candidate, Routing
from tools.policy.found import Found
from tools.ports import Catalogue

_CHANCE = 0.07
"""A rival of the other kind of this confidence leaves open what is only offered. Of 3,880 right
ones of labelled sets 6 are left open by it: docs/routing.md, `To be shown, or to be changed`."""


def either_of(
    found: Found,
    routing: Routing,
    others: Sequence[Candidate],
    catalogue: Catalogue,
    roles: tuple[str, ...],
) -> tuple[Candidate, ...]:
    """List all that may be meant, where something of the other kind than the routed action may be.

    A read taken for a change, or the reverse, is the worst a reading can get wrong short of doing
    something. Of several of one kind the likelier is named; so is what is sure enough to ask for a
    yes, of which nobody should ask here.

    Args:
        others: what else is offered.

    Returns:
        The routed action with what was read for it, its rivals, the others; nothing: it is clear.

    Source: action execution contract §4: several valid combinations are shown as chips.
    """
    rivals = [one for one in routing.alternatives if _is_rival(one, found, routing, catalogue)]
    rivals = [one for one in rivals if catalogue.may_ask(one.action, roles)]
    if not rivals:
        return ()
    slots = dict(found.arguments)
    first = Candidate(action=found.action.name, confidence=found.confidence, slots=slots)
    named = {one.action for one in rivals}
    return (first, *rivals, *(one for one in others if one.action not in named))


def _is_rival(one: Candidate, found: Found, routing: Routing, catalogue: Catalogue) -> bool:
    """Tell what is likely enough, and may be meant at all: no change is in a question."""
    reads = catalogue.actions[one.action].effect == "read"
    asks_nothing = routing.mood == "question" or routing.mood in ASKS_NOTHING
    return (
        one.confidence >= _CHANCE
        and reads != (found.action.effect == "read")
        and (reads or not asks_nothing)
    )
