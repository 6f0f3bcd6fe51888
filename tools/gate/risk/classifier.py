"""Classify an action on one occasion.

Act, offer, confirm, ask a clarifying question, refuse or shadow.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

from state.action import Action, ExecutionClass
from state.classification import Classification, ClassVerdict
from state.errors import InvalidArguments
from state.event import Event
from state.execution import ExecutionTuning
from state.policy import READ_OR_CHANGE, EntityMention, PolicyDecision, Routing
from state.result import DecisionResult
from tools.catalog.entity_values import must_be_looked_up
from tools.gate.risk.execution_class import RaisedClass, raised_by_risk, raised_class
from tools.gate.risk.offer_candidates import (
    blocked_by_lookup,
    failed_lookup,
    select_candidates,
    unchecked_changes,
    unchecked_note,
    withheld_note,
)
from tools.nlu import Taint
from tools.platform.experiments import is_canary
from tools.ports import Catalogue

MOST_NAMED = 5
"""Requests that a question lists: nobody answers more at once."""
_SECOND_REQUEST = re.compile(r"(?:and|then|also|or|,)\b\s*\w+", re.IGNORECASE)
"""How a second request begins that was taken for free text of the first."""


class ClarifyingQuestion(NamedTuple):
    """A question to the person, and its reason code."""

    reason: str
    text: str


def clarifying_question(
    action: Action, policy: PolicyDecision, result: DecisionResult, catalogue: Catalogue
) -> ClarifyingQuestion | None:
    """Ask for what is missing or cannot be read; None: everything is there."""
    unclear = ClarifyingQuestion("unclear", policy.unclear) if policy.unclear else None
    unclear = None if policy.is_exact else unclear
    if unclear and policy.routing is not None and policy.routing.not_found:
        return unclear
    if action.floor != "A" and not policy.is_exact:
        several = _several(action, policy, result)
        if several:
            return ClarifyingQuestion("several_things", _with_left_out(several, policy))
    if unclear:
        return unclear
    if not policy.variants:
        missing = catalogue.missing(action.name, result.arguments)
        if missing:
            named = " and ".join(name.replace("_", " ") for name in missing)
            sketch = catalogue.summary(action.name, {})
            asked = _with_left_out(f"Which {named}? ({sketch})", policy)
            return ClarifyingQuestion("missing_slot", asked)
    for arguments in policy.variants or (result.arguments,):
        try:
            catalogue.arguments(action.name, arguments)
        except InvalidArguments as fault:
            return ClarifyingQuestion(
                "parse_failure", f"I cannot read that: {'; '.join(fault.faults)}"
            )
    return None


def _with_left_out(question: str, policy: PolicyDecision) -> str:
    """Name what was not followed under a question about something else: the answer drops it."""
    return f"{question}\n{policy.left_out}" if policy.left_out else question


def _several(action: Action, policy: PolicyDecision, result: DecisionResult) -> str | None:
    """Ask for one thing at a time: what is approved must be all that was asked for."""
    if policy.variants:  # its chips name one thing each
        return None
    entities = _counted(policy.routing) if policy.routing else ()
    for slot_type in {slot.type for slot in action.slots.values()}:
        named = list(dict.fromkeys(one.value for one in entities if one.type == slot_type))
        if len(named) > 1 and not _has_room(action, slot_type, named, result.arguments):
            return f"One at a time, please: {' or '.join(named[:MOST_NAMED])}?"
    for name, value in result.arguments.items():
        if isinstance(value, str) and _SECOND_REQUEST.match(value):
            return f"One thing at a time, please: {value!r} is no {name.replace('_', ' ')}."
    return None


def _counted(routing: Routing) -> Iterable[EntityMention]:
    """Leave out what stands in a part that does not count: `don't close WO-1, close WO-2`."""
    if routing.left is None:
        return routing.entities
    left = routing.left
    return [one for one in routing.entities if _says(left, routing.text[slice(*one.span)])]


def _says(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _has_room(
    action: Action,
    slot_type: str,
    named: Iterable[str],
    arguments: Mapping[str, Any],  # by slot type
) -> bool:
    slots = {name: slot for name, slot in action.slots.items() if slot.type == slot_type}
    if not any(slot.many for slot in slots.values()):
        return len(list(named)) <= len(slots)
    taken: set[Any] = set()
    for name in slots:
        value = arguments.get(name)
        taken.update(value if isinstance(value, (list, tuple)) else [value])
    return set(named) <= taken


class ClassifierInput(Protocol):
    """What somebody said, what policy read in it, and what is to be done about it."""

    @property
    def event(self) -> Event:
        """The message or notice itself."""
        ...

    @property
    def policy(self) -> PolicyDecision:
        """What is asked, and what is allowed."""
        ...

    @property
    def result(self) -> DecisionResult:
        """The action with its arguments, and the path that found it."""
        ...


@dataclass(frozen=True)
class Classifier:
    """Judges by code alone: the catalogue, the thresholds, the text."""

    catalogue: Catalogue
    taint: Taint
    tuning: ExecutionTuning

    def of(self, state: ClassifierInput) -> Classification:
        """Classify what a decision came to; in shadow it is worked out and goes no further."""
        catalogue = self.catalogue.of_tenant(state.event.tenant_id)
        if catalogue is not self.catalogue:
            return replace(self, catalogue=catalogue).of(state)
        action = self.catalogue.actions.get(state.result.action or "")
        if action is not None:
            rules = self.tuning.of(action)
            found = self._judged(state, action, rules).model_copy(update={"phase": rules.phase})
            if rules.phase == "shadow":
                return self._shadowed(state, found)
            return self._checked(state, found)
        found = self._without_action(state).model_copy(update={"phase": self.tuning.phase})
        if found.verdict == "offer" and self._is_all_in_shadow(state):
            return self._shadowed(state, found.model_copy(update={"phase": "shadow"}))
        if found.verdict == "refuse" and found.phase == "shadow":
            return self._shadowed(state, found)
        return self._checked(state, found)

    def _checked(self, state: ClassifierInput, found: Classification) -> Classification:
        """Tell which changes are not among the chips, and ask for nothing where no chip is left."""
        if found.verdict != "offer" or state.policy.variants:
            return found
        shown = self._chips(state, in_shadow=False)
        unchecked = unchecked_changes(state.policy.routing, self.catalogue)
        every = self._chips(state, in_shadow=False, unchecked=True)
        failed = [unchecked[name] for name in every if name in unchecked]
        if not failed:
            return found
        if shown:
            return found.model_copy(update={"unchecked": withheld_note(failed)})
        return blocked_by_lookup(failed[0], found)

    def _without_action(self, state: ClassifierInput) -> Classification:
        if state.result.action is not None:
            return Classification(
                verdict="refuse",
                reason="unknown_action",
                execution_class="C",
                raised=("unknown_kind",),
            )
        if state.policy.intent == "clarify" and state.result.path != "llm":
            is_either = READ_OR_CHANGE in state.policy.reasons
            reason = READ_OR_CHANGE if is_either else "several_plausible"
            return Classification(verdict="offer", reason=reason, execution_class="B")
        return Classification(verdict="none", reason="no_action")

    def _judged(
        self, state: ClassifierInput, action: Action, rules: ExecutionTuning
    ) -> Classification:
        tainted = self.taint.of(state.event, state.policy.routing, state.result, action)
        raised = self._raised(state, action, rules, tainted=bool(tainted))
        known = Classification(
            verdict="refuse",
            reason="role",
            execution_class=raised.execution_class,
            raised=raised.reasons,
            tainted=tainted,
        )
        refusal = self.catalogue.why_not(action.name, state.event.roles)
        if refusal is not None:
            is_withheld = refusal == "tool_changed"  # who lacks the role learns no more than that
            told = self.catalogue.why_withheld(action.name) if is_withheld else None
            return known.model_copy(update={"reason": refusal, "question": told})
        failed = failed_lookup(action, state.policy.routing, self.catalogue)
        if failed is not None:
            if must_be_looked_up(action, raised.execution_class):
                return blocked_by_lookup(failed, known)
            known = known.model_copy(update={"unchecked": unchecked_note(failed)})
        asked = clarifying_question(action, state.policy, state.result, self.catalogue)
        if asked is not None:
            unread = ("parse_failure",) if asked.reason == "parse_failure" else ()
            return known.model_copy(
                update={
                    "verdict": "ask",
                    "reason": asked.reason,
                    "question": asked.text,
                    "raised": tuple(dict.fromkeys((*raised.reasons, *unread))),
                }
            )
        if not state.policy.explicit and (state.policy.variants or state.policy.undo_of):
            reason = "several_things" if state.policy.variants else "undo"
            return known.model_copy(update={"verdict": "offer", "reason": reason})
        is_held = _is_held(state.policy, action)
        verdict = _verdict(state, raised.execution_class, rules, is_held=is_held)
        reasons = raised.reasons
        if is_held and verdict == "offer" and raised.execution_class == "C":
            reasons = ("held", *reasons)
        reason = reasons[0] if reasons else f"class_{action.floor}"
        return known.model_copy(update={"verdict": verdict, "reason": reason, "raised": reasons})

    def _raised(
        self, state: ClassifierInput, action: Action, rules: ExecutionTuning, *, tainted: bool
    ) -> RaisedClass:
        policy, result = state.policy, state.result
        first = raised_class(
            action.floor,
            result.confidence,
            policy.alternatives,
            rules,
            explicit=policy.explicit,
            forced=policy.force_tool == action.name,
            tainted=tainted,
            held_back=tuple(self._held_back(state, action, rules)),
        )
        # From the floor: one step for the risk, not one more for each thing that raises.
        risk = raised_by_risk(
            action.floor,
            action,
            result.arguments,
            None,
            rules,
            self.catalogue.internal_domains(action.pack),
        )
        return RaisedClass(
            max(first.execution_class, risk.execution_class), (*first.reasons, *risk.reasons)
        )

    def _held_back(
        self, state: ClassifierInput, action: Action, rules: ExecutionTuning
    ) -> Iterator[str]:
        policy, event = state.policy, state.event
        if _is_held(policy, action):
            yield "held"
        if rules.phase == "canary" and not is_canary(
            event.tenant_id, event.session_id, rules.canary_share
        ):
            yield "canary"

    def _is_all_in_shadow(self, state: ClassifierInput) -> bool:
        """Tell whether nothing is left of what might be meant, each action by its own rules."""
        every = self._chips(state, in_shadow=True, unchecked=True)
        return bool(every) and not self._chips(state, in_shadow=False, unchecked=True)

    def _chips(
        self, state: ClassifierInput, *, in_shadow: bool, unchecked: bool = False
    ) -> tuple[str, ...]:
        chips = select_candidates(
            state.policy,
            state.result,
            state.event.roles,
            self.catalogue,
            self.tuning,
            in_shadow=in_shadow,
            unchecked=unchecked,
        )
        return tuple(one.action for one in chips)

    def _shadowed(self, state: ClassifierInput, found: Classification) -> Classification:
        shown = self._chips(state, in_shadow=True) if found.verdict == "offer" else ()
        return found.model_copy(
            update={
                "verdict": "shadow",
                "reason": "shadow",
                "question": None,
                "would": found.verdict,
                "would_show": shown,
            }
        )


def _is_held(policy: PolicyDecision, action: Action) -> bool:
    return policy.held is not None and policy.action in (None, action.name)


def _verdict(
    state: ClassifierInput,
    execution_class: ExecutionClass,
    rules: ExecutionTuning,
    *,
    is_held: bool,
) -> ClassVerdict:
    explicit = state.policy.explicit
    if execution_class == "C":
        clear = explicit or (state.result.confidence >= rules.ask_confidence and not is_held)
        return "confirm" if clear else "offer"
    runs = rules.agent_writes == "run" and state.policy.intent == "proposal"
    return "act" if execution_class == "A" or explicit or runs else "offer"
