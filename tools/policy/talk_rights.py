"""Who may change how a session is talked to: it is the same for everybody who listens to it."""

from collections.abc import Sequence

from state.talk import TalkRequest
from tools.ports import Catalogue

REFUSAL = (
    "That I change only for somebody who may change something here: what is told in this session "
    "is told to everybody in it."
)


def may_ask_for(request: TalkRequest, catalogue: Catalogue, roles: Sequence[str]) -> bool:
    """Tell whether these roles may ask for that; what was missed anybody may hear.

    A session has no owner and no list of listeners: who may change nothing at all in the packs
    that are loaded, whose roles only read or are known nowhere, hushes it for nobody.
    """
    if request.kind in ("prompt", "unclear", "reminders", "goals"):
        return True
    changing = [name for name, action in catalogue.actions.items() if action.floor != "A"]
    return not changing or any(catalogue.may_ask(name, tuple(roles)) for name in changing)
