"""Select and order the actions to offer as chips, and say which changes failed lookups withhold."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from state.action import Action
from state.classification import BrokenLookup, Classification
from state.errors import LookupFailed
from state.execution import ChipOrdering, ExecutionTuning
from state.offer import Chip
from state.policy import ASKS_NOTHING, Candidate, Mood, PolicyDecision, Routing
from state.query import Chosen
from state.result import DecisionResult
from state.stages import Classified
from tools.catalog.entity_values import failed_lookups, looked_up_types
from tools.gate.risk.execution_class import competitor_of
from tools.nlu.lexicon.verbs import family_of
from tools.ports import Catalogue


def failed_lookup(
    action: Action, routing: Routing | None, catalogue: Catalogue
) -> LookupFailed | None:
    """Find a failed lookup that an action stands on, whether a slot got its value or not.

    Where no name could be found a slot may be empty that the text fills.
    """
    failed = (
        [one for one in failed_lookups(routing.reasons) if one.pack == action.pack]
        if routing
        else []
    )
    if not failed:
        return None
    types = looked_up_types(catalogue.pack(action.pack), action)
    return next((one for one in failed if one.entity_type in types), None)


def unchecked_changes(routing: Routing | None, catalogue: Catalogue) -> dict[str, LookupFailed]:
    """Name the changes whose things could not be looked up, with the lookup that failed."""
    if routing is None or next(failed_lookups(routing.reasons), None) is None:
        return {}
    found = {
        name: failed_lookup(action, routing, catalogue)
        for name, action in catalogue.actions.items()
        if action.floor > "A"
    }
    return {name: failed for name, failed in found.items() if failed is not None}


def blocked_by_lookup(failed: LookupFailed, classified: Classification) -> Classification:
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


def unchecked_note(failed: LookupFailed) -> str:
    """Say under what was read that its names were not checked."""
    return f"({_no(failed)}, so its name is not checked.)"


def withheld_note(failed: Iterable[LookupFailed]) -> str:
    """Say under an offer what is not among its chips."""
    told = (
        f"({_no(one)}, so no name of one is checked and no change of one is offered.)"
        for one in failed
    )
    return "\n".join(dict.fromkeys(told))


def _no(failed: LookupFailed) -> str:
    what = failed.entity_type.replace("_", " ")
    return f"No {what} could be looked up ({failed.cause})"


LEAST_LIKELY = 0.05
"""Below this the router has no more than a guess, and fills no place among the chips."""
_UNRAISED = "class_B"
"""The reason of what is offered because it is a change, and for nothing else."""
PRIOR_WEIGHT = 10.0
"""How many showings the router's confidence is worth against what people chose."""


def select_candidates(
    policy: PolicyDecision,
    result: DecisionResult,
    roles: tuple[str, ...],
    catalogue: Catalogue,
    tuning: ExecutionTuning,
    *,
    in_shadow: bool = False,
    unchecked: bool = False,
) -> tuple[Candidate, ...]:
    """List what to offer, the likeliest first: the primary and up to three alternates.

    Somebody who may do none of it still sees what was understood; choosing is judged again.

    Args:
        in_shadow: list what is in shadow as well; otherwise none of that is offered.
        unchecked: list the changes of things that could not be looked up as well; likewise.
    """
    ranked = list(policy.alternatives)
    if result.action is not None:
        ranked.insert(0, Candidate(action=result.action, confidence=result.confidence))
    hidden = set() if in_shadow else set(_in_shadow(catalogue, tuning))
    if not unchecked:
        hidden |= unchecked_changes(policy.routing, catalogue).keys()
    ranked = [one for one in ranked if one.action not in hidden]
    permitted = [one for one in ranked if catalogue.may_ask(one.action, roles)]
    shown = permitted or ranked
    if permitted and len(shown) < tuning.chips:
        shown += [
            one
            for one in _plausible(policy, shown, catalogue)
            if catalogue.may_ask(one.action, roles) and one.action not in hidden
        ]
    return tuple(shown[: tuning.chips])


def chip_for_yes(state: Classified, chips: Sequence[Chip], rules: ExecutionTuning) -> str | None:
    """Name the chip that a plain yes takes, settled when the chips are shown; None: no one of them.

    Of several it is the one that was asked for by itself, clearly and in so many words.

    Args:
        rules: what holds for the action meant, see ExecutionTuning.of.
    """
    if len(chips) == 1:
        return chips[0].chip_id
    policy, result = state.policy, state.result
    is_own = state.classification.reason == _UNRAISED and policy.held is None
    is_asked = policy.routing is not None and policy.routing.mood in ("command", "request")
    if policy.variants or policy.unclear or not (is_own and is_asked):
        return None
    rivals = competitor_of(result.confidence, policy.alternatives, rules.yes_margin)
    asks_more = any(one.slots is not None for one in policy.alternatives)
    if result.confidence < rules.yes_confidence or rivals is not None or asks_more:
        return None
    return next((chip.chip_id for chip in chips if chip.action == result.action), None)


def order_candidates(
    candidates: Sequence[Candidate], ordering: ChipOrdering, past: Mapping[str, Chosen]
) -> tuple[Candidate, ...]:
    """Order chips; what nobody saw before stands where the router's confidence puts it."""
    match ordering:
        case "confidence":
            return tuple(candidates)
        case "chosen_before":
            return tuple(sorted(candidates, key=lambda one: -_expected(one, past)))


def _expected(candidate: Candidate, past: Mapping[str, Chosen]) -> float:
    """Estimate how often it would be taken: past choices, smoothed by the confidence."""
    seen = past.get(candidate.action, Chosen(0, 0))
    return (seen.chosen + PRIOR_WEIGHT * candidate.confidence) / (seen.shown + PRIOR_WEIGHT)


def _plausible(
    policy: PolicyDecision, shown: Sequence[Candidate], catalogue: Catalogue
) -> Iterator[Candidate]:
    """Go on down the router's list as long as it is of a kind with the primary."""
    if policy.routing is None:
        return
    primary = catalogue.actions[shown[0].action]
    known = {one.action for one in shown}
    for one in policy.routing.alternatives:
        action = catalogue.actions[one.action]
        if (
            one.action not in known
            and one.confidence >= LEAST_LIKELY
            and _is_asked(action, policy.routing.mood)
            and _is_alike(action, primary)
            and not policy.routing.only_guesses(one.confidence, action)
        ):
            yield one


def _is_alike(one: Action, other: Action) -> bool:
    return one.object == other.object or family_of(one.verb) == family_of(other.verb)


def _is_asked(action: Action, mood: Mood) -> bool:
    """What is no command at most reads, and what is refused is not shown. See DecidePolicy."""
    if mood == "negated":
        return False
    return action.floor == "A" or not (mood == "question" or mood in ASKS_NOTHING)


def _in_shadow(catalogue: Catalogue, tuning: ExecutionTuning) -> frozenset[str]:
    if tuning.phase != "shadow" and not tuning.packs:
        return frozenset()
    return frozenset(
        name for name, action in catalogue.actions.items() if tuning.of(action).phase == "shadow"
    )
