"""What would have led a message to another end; an event that happens knows it by its gate."""

from collections.abc import Mapping

from state.principal import roles_in_words
from state.record import Outcome
from state.stages import Gathered

COVERED = "a request or a question that an action covers"
CHIP = "choosing its chip: a change is never made on a guess"
NAMED = "naming what is missing in the message"
TOLD_APART = "naming the action or the thing it is about"
SHOW_OR_CHANGE = "asking plainly, and for one thing: to see something, or to change it"
LOOKED_UP = "a lookup of its pack that answers: `prefrontal pack check` tries each"
ROLE = "asking with a role that the action's entry in actions.yaml lists under roles"


_BY_ENDING: Mapping[tuple[Outcome, str], str] = {
    ("silent", "nothing_asked"): COVERED,
    ("spoke", "nothing_asked"): COVERED,
    ("rejected", "llm_unavailable"): COVERED,
    ("rejected", "no_matching_action"): COVERED,
    ("rejected", "alert_waits_for_no_model"): COVERED,
    ("refused", "role"): ROLE,
    ("offered", "several_plausible"): TOLD_APART,
    ("offered", "read_or_change"): SHOW_OR_CHANGE,
    ("spoke", "read_or_change"): SHOW_OR_CHANGE,
    ("spoke", "several_plausible"): TOLD_APART,
    ("spoke", "missing_slot"): NAMED,
    ("spoke", "lookup_failed"): LOOKED_UP,
}
_BY_YES: Mapping[Outcome, str] = {
    "awaiting_approval": "a yes from {who} would run it, a no or silence will not",
    "executed": "without the yes of {who} it would not have run",
    "refused": "a yes from {who} in time",
}
_NOT_YES = ("approval_rejected", "approval_expired")
_NEEDS_YES = ("awaiting_approval", "executed")


def counterfactual_of(gathered: Gathered, outcome: Outcome, reason: str) -> str | None:
    """Say what would have changed the decision; the stage that ended it is the one that knows."""
    if gathered.relevance is None:
        return None
    if not gathered.event.is_addressed or outcome in ("passed", "held"):
        return gathered.relevance.counterfactual
    if outcome in _NEEDS_YES or (outcome == "refused" and reason in _NOT_YES):
        return _of_approval(gathered, outcome)
    return _BY_ENDING.get((outcome, reason), CHIP if outcome == "offered" else None)


def _of_approval(gathered: Gathered, outcome: Outcome) -> str | None:
    """Name whose yes decides; None for what is done without one."""
    action = gathered.classification.action if gathered.classification else None
    if action is None or action.execution_class != "C":
        return None
    return _BY_YES[outcome].format(who=roles_in_words(action.approver_roles) or "a person")
