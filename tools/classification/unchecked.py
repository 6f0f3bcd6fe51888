"""Could the things that an action is about be looked up, when its text was read?"""

from collections.abc import Iterable

from state.action import Action
from state.classification import BrokenLookup, Classification
from state.errors import LookupFailed
from state.policy import Routing
from tools.catalogue.looking_up import failed_in, looked_up_types
from tools.ports import Catalogue


def failed_lookup(
    action: Action, routing: Routing | None, catalogue: Catalogue
) -> LookupFailed | None:
    """Find a failed lookup that an action stands on, whether a slot got its value or not.

    Where no name could be found a slot may be empty that the text fills.
    """
    failed = (
        [one for one in failed_in(routing.reasons) if one.pack == action.pack] if routing else []
    )
    if not failed:
        return None
    types = looked_up_types(catalogue.pack(action.pack), action)
    return next((one for one in failed if one.entity_type in types), None)


def unchecked_changes(routing: Routing | None, catalogue: Catalogue) -> dict[str, LookupFailed]:
    """Name the changes whose things could not be looked up, with the lookup that failed."""
    if routing is None or next(failed_in(routing.reasons), None) is None:
        return {}
    found = {
        name: failed_lookup(action, routing, catalogue)
        for name, action in catalogue.actions.items()
        if action.floor > "A"
    }
    return {name: failed for name, failed in found.items() if failed is not None}


def ended_by(failed: LookupFailed, classified: Classification) -> Classification:
    """Ask for nothing and offer nothing, because of a failed lookup."""
    broken = BrokenLookup(pack=failed.pack, entity_type=failed.entity_type, cause=failed.cause)
    return classified.model_copy(
        update={
            "verdict": "ask",
            "reason": failed.code,
            "question": str(failed),
            "broken_lookup": broken,
        }
    )


def told_unchecked(failed: LookupFailed) -> str:
    """Say under what was read that its names were not checked."""
    return f"({_no(failed)}, so its name is not checked.)"


def told_unoffered(failed: Iterable[LookupFailed]) -> str:
    """Say under an offer what is not among its chips."""
    told = (
        f"({_no(one)}, so no name of one is checked and no change of one is offered.)"
        for one in failed
    )
    return "\n".join(dict.fromkeys(told))


def _no(failed: LookupFailed) -> str:
    what = failed.entity_type.replace("_", " ")
    return f"No {what} could be looked up ({failed.cause})"
