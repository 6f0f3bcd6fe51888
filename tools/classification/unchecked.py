"""Could the things that an action is about be looked up, when its text was read?"""

from state.action import Action
from state.errors import LookupFailed
from state.policy import Routing
from tools.catalogue.looking_up import looked_up_types
from tools.ports import Catalogue

_FAILED = f"{LookupFailed.code}:"
"""How the router notes it: lookup_failed, the type, the error's name."""


def failed_lookup(
    action: Action, routing: Routing | None, catalogue: Catalogue
) -> LookupFailed | None:
    """Find a failed lookup that an action stands on, whether a slot got its value or not.

    Where no name could be found a slot may be empty that the text fills. Of packs that have a type
    of one name it is not told whose failed: then all of them wait.
    """
    failed = [one for one in routing.reasons if one.startswith(_FAILED)] if routing else []
    if not failed:
        return None
    types = looked_up_types(catalogue.pack(action.pack), action)
    for _code, entity_type, cause in (one.split(":", 2) for one in failed):
        if entity_type in types:
            return LookupFailed(entity_type, cause)
    return None


def told_unchecked(failed: LookupFailed) -> str:
    """Say under what was read that its names were not checked."""
    what = failed.entity_type.replace("_", " ")
    return f"(No {what} could be looked up ({failed.cause}), so its name is not checked.)"
