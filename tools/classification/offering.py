"""Which chips to show: what was meant, what may have been meant, and never junk."""

from collections.abc import Iterator, Mapping, Sequence

from state.action import Action
from state.execution import ChipOrdering, ExecutionTuning
from state.offer import Chip
from state.policy import ASKS_NOTHING, Candidate, Mood, PolicyDecision
from state.query import Chosen
from state.result import DecisionResult
from state.stages import Classified
from tools.classification.execution_class import competitor_of
from tools.classification.unchecked import unchecked_changes
from tools.ports import Catalogue
from tools.routing.words.verbs import family_of

LEAST_LIKELY = 0.05
"""Below this the router has no more than a guess, and fills no place among the chips."""
_UNRAISED = "class_B"
"""The reason of what is offered because it is a change, and for nothing else."""
PRIOR_WEIGHT = 10.0
"""How many showings the router's confidence is worth against what people chose."""


def candidates_for(
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


def yes_means(state: Classified, chips: Sequence[Chip], rules: ExecutionTuning) -> str | None:
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


def ordered(
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
