"""How dangerous is it, and what follows? The class can only go up."""

import re
import time
from dataclasses import dataclass

from langchain_core.runnables import RunnableConfig

from state.action import Action, ExecutionClass
from state.channels import State
from state.classification import Classification, ClassVerdict
from state.errors import Forbidden, InvalidArguments
from state.execution import ExecutionTuning
from state.principal import Principal
from state.proposal import Proposal
from state.stages import Gathered, Resolved
from tools.clock import Clock
from tools.execution_class import Raised, raised_class
from tools.ports import Catalogue, Decisions, Ledger, Telling
from tools.recording import record_of, stages_of

ANONYMOUS = "anonymous"
MOST_NAMED = 5
_SECOND_REQUEST = re.compile(r"(?:and|then|also|or|,)\b\s*\w+", re.IGNORECASE)
"""How a second request begins that was taken for free text of the first."""


@dataclass(frozen=True)
class ClassifyAction:
    """Act, offer, ask a person, ask for what is missing, or refuse.

    What may go on is frozen in the ledger here; a Class C action is recorded as waiting before
    the thread stops at the gate.
    """

    catalogue: Catalogue
    ledger: Ledger
    decisions: Decisions
    telling: Telling
    clock: Clock
    tuning: ExecutionTuning

    async def __call__(self, state: Resolved, config: RunnableConfig) -> State:
        classification = self._classify(state)
        if classification.verdict in ("act", "confirm"):
            classification = await self._propose(state, classification)
        if classification.verdict == "confirm":
            await self._wait(state, classification, config["configurable"]["thread_id"])
        return {"classification": classification}

    def _classify(self, state: Resolved) -> Classification:
        result = state.result
        if result.action is None:
            if state.policy.intent == "clarify" and result.path != "llm":
                return Classification(
                    verdict="offer", reason="several_plausible", execution_class="B"
                )
            return Classification(verdict="none", reason="no_action")
        action = self.catalogue.actions.get(result.action)
        if action is None:
            return Classification(verdict="refuse", reason="unknown_action", execution_class="C")
        execution_class, raised = classify(state, action, self.tuning)
        if not self.catalogue.may_ask(action.name, state.event.roles):
            return Classification(
                verdict="refuse", reason="role", execution_class=execution_class, raised=raised
            )
        question = self._question(state, action)
        if question:
            return Classification(
                verdict="ask",
                reason="missing_slot",
                execution_class=execution_class,
                raised=raised,
                question=question,
            )
        return Classification(
            verdict=self._verdict(state, execution_class),
            reason=raised[0] if raised else f"class_{execution_class}",
            execution_class=execution_class,
            raised=raised,
        )

    def _verdict(self, state: Resolved, execution_class: ExecutionClass) -> ClassVerdict:
        explicit = state.policy.explicit
        if execution_class == "C":
            clear = explicit or state.result.confidence >= self.tuning.ask_confidence
            return "confirm" if clear else "offer"
        return "act" if execution_class == "A" or explicit else "offer"

    def _question(self, state: Resolved, action: Action) -> str | None:
        if action.floor != "A" and not state.policy.explicit:
            several = _several(state, action)
            if several:
                return several
        missing = self.catalogue.missing(action.name, state.result.arguments)
        if missing:
            named = " and ".join(name.replace("_", " ") for name in missing)
            return f"Which {named}? ({self._sketch(action)})"
        try:
            self.catalogue.arguments(action.name, state.result.arguments)
        except InvalidArguments as fault:
            return f"I cannot read that: {'; '.join(fault.faults)}"
        return None

    def _sketch(self, action: Action) -> str:
        return self.catalogue.summary(action.name, {})

    async def _propose(self, state: Resolved, classified: Classification) -> Classification:
        proposal = Proposal(
            decision_id=state.arrival.decision_id,
            requester=Principal(
                user=state.event.user or ANONYMOUS,
                tenant_id=state.event.tenant_id,
                roles=state.event.roles,
            ),
            action=state.result.action or "",  # the verdict says that there is one
            arguments=dict(state.result.arguments),
            at_least=classified.execution_class or "C",
        )
        try:
            frozen = await self.ledger.propose(proposal)
        except Forbidden as refusal:
            return classified.model_copy(
                update={"verdict": "refuse", "reason": "forbidden", "question": str(refusal)}
            )
        return classified.model_copy(
            update={"action": frozen, "execution_class": frozen.execution_class}
        )

    async def _wait(self, state: Resolved, classification: Classification, thread_id: str) -> None:
        gathered = Gathered(
            event=state.event,
            arrival=state.arrival,
            session=state.session,
            salience=state.salience,
            relevance=state.relevance,
            timing=state.timing,
            policy=state.policy,
            result=state.result,
            classification=classification,
        )
        elapsed_ms = (time.time_ns() - state.arrival.started_ns) / 1e6
        record = record_of(gathered, now=self.clock.now(), elapsed_ms=elapsed_ms)
        if not await self.decisions.wait(record, stages_of(gathered), thread_id=thread_id):
            return
        self.telling.tell("approval", record.tenant_id, record.model_dump(mode="json"))


def classify(state: Resolved, action: Action, tuning: ExecutionTuning) -> Raised:
    """Raise an action above its floor. See raised_class."""
    return raised_class(
        action.floor,
        state.result.confidence,
        state.policy.alternatives,
        tuning,
        explicit=state.policy.explicit,
        tainted=state.result.tainted,
    )


def _several(state: Resolved, action: Action) -> str | None:
    """Ask for one thing at a time: what is approved must be all that was asked for."""
    entities = state.policy.routing.entities if state.policy.routing else ()
    for slot_type in {slot.type for slot in action.slots.values()}:
        room = sum(slot.type == slot_type for slot in action.slots.values())
        named = list(dict.fromkeys(one.value for one in entities if one.type == slot_type))
        if len(named) > room:
            return f"One at a time, please: {' or '.join(named[:MOST_NAMED])}?"
    for name, value in state.result.arguments.items():
        if isinstance(value, str) and _SECOND_REQUEST.match(value):
            return f"One thing at a time, please: {value!r} is no {name.replace('_', ' ')}."
    return None
