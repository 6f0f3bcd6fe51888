"""`Drop all filters` where nothing was searched for: it is about a search, and about no library."""

from state.policy import ASKS_NOTHING, PolicyDecision, Routing
from tools.policy.recall import Recall
from tools.policy.search_slots import takes_search
from tools.ports import Catalogue

_SAYS = "Nothing was searched for here yet, so there are no filters: say what to search for."


def without_search(
    routing: Routing, roles: tuple[str, ...], recall: Recall, catalogue: Catalogue
) -> PolicyDecision | None:
    """Tell who takes filters back that there is no search yet; None: something else is said.

    Where a pack that searches nothing is understood, `clear the filters` may be of an engine's.
    """
    if routing.mood in ASKS_NOTHING:
        return None
    searches = {
        action.pack: action
        for action in catalogue.actions.values()
        if takes_search(action) and catalogue.may_ask(action.name, roles)
    }
    routed = catalogue.actions.get(routing.action or "")
    if routed is not None and routed.pack not in searches:
        return None
    seekers = [recall.seeker(catalogue.pack(pack), action) for pack, action in searches.items()]
    if not seekers or not all(one.has_nothing_to_take_back(routing.text) for one in seekers):
        return None
    return PolicyDecision(
        intent="control", routing=routing, says=_SAYS, confidence=1.0, reasons=("no_search",)
    )
