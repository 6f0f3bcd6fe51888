"""What a person was shown last: `stop telling me about that` may mean it."""

from typing import Any

from state.action import PRIMITIVE_SLOT_TYPES
from state.session import Session, Shown
from state.stages import Gathered
from tools.ports import Catalogue

PEOPLE_KEPT = 20
"""One a person, the newest people, as of open questions."""


def shown(
    session: Session, gathered: Gathered, now: float, catalogue: Catalogue
) -> dict[str, Any]:  # fields of Session
    """Remember the one thing that an answer was about; an answer about none leaves it."""
    user, outcome = gathered.event.user, gathered.outcome
    action = catalogue.actions.get(gathered.result.action or "") if gathered.result else None
    if user is None or action is None or outcome is None or outcome.state != "succeeded":
        return {}
    given = outcome.arguments or {}
    things = [
        given[name]
        for name, slot in action.slots.items()
        if name in given and slot.type not in PRIMITIVE_SLOT_TYPES and isinstance(given[name], str)
    ]
    if not things:
        return {}
    others = {who: one for who, one in session.shown.items() if who != user}
    newest = sorted(others.items(), key=lambda item: item[1].at)[1 - PEOPLE_KEPT :]
    return {"shown": {**dict(newest), user: Shown(at=now, thing=things[0])}}
