"""Assign the action's risk class and what follows; a class can only go up."""

import asyncio
from dataclasses import dataclass

from langchain_core.runnables import RunnableConfig

from state.channels import State
from state.classification import Classification
from state.errors import (
    AlreadyAsked,
    BadInput,
    Conflict,
    Forbidden,
    InvalidArguments,
    LookupFailed,
    NotFound,
    RefusedBeforehand,
    RejectedLately,
    Unreachable,
)
from state.principal import Principal
from state.proposal import WANTED_AGAIN, Origin, Proposal
from state.stages import Gathered, Resolved
from tools.gate import Classifier, Redactor
from tools.gate.risk.offer_candidates import blocked_by_lookup
from tools.nlu import is_own_words
from tools.nlu.taint import REQUEST
from tools.observability.decision_record import record_of, stages_of
from tools.platform.clock import Clock, elapsed_ns
from tools.platform.texts import t
from tools.ports import Decisions, Ledger, NoticeStream

ANONYMOUS = "anonymous"
GRANTED = "granted"
"""Reason code of what a grant allowed without asking."""


@dataclass(frozen=True)
class ClassifyAction:
    """Act, offer, ask a person, ask for what is missing, or refuse.

    What may go on is frozen in the ledger here; a Class C action is recorded as waiting before
    the thread stops at the gate, unless a grant allows it.
    """

    classifier: Classifier
    ledger: Ledger
    decisions: Decisions
    telling: NoticeStream
    clock: Clock

    async def __call__(self, state: Resolved, config: RunnableConfig) -> State:
        if is_own_words(state.event.text):
            classification = self.classifier.of(state)
        else:  # it is read a second time, which takes a while
            classification = await asyncio.to_thread(self.classifier.of, state)
        if classification.verdict in ("act", "confirm"):
            thread_id = config["configurable"]["thread_id"]
            classification = await self._propose(state, classification, thread_id)
        if classification.verdict == "confirm":
            await self._wait(state, classification, config["configurable"]["thread_id"])
        return {"classification": classification}

    async def _propose(
        self, state: Resolved, classified: Classification, thread_id: str
    ) -> Classification:
        action = state.result.action or ""  # the verdict says that there is one
        try:
            again = (WANTED_AGAIN,) if state.event.call and state.event.call.again else ()
            proposal = Proposal(
                decision_id=state.arrival.decision_id,
                requester=await self._requester(state, action, thread_id),
                action=action,
                arguments=dict(state.result.arguments),
                at_least=classified.execution_class or "C",
                origin=_origin(state, classified),
                raised=(*classified.raised, *again),
                phase=classified.phase,
            )
            frozen = await self.ledger.propose(proposal)
        except Forbidden as refusal:
            reason = "forbidden"
            if isinstance(refusal, (RefusedBeforehand, RejectedLately)):
                reason = refusal.code
            return _turned_down(classified, "refuse", reason, refusal)
        except InvalidArguments as fault:
            return _turned_down(classified, "ask", "parse_failure", fault)
        except LookupFailed as fault:
            return blocked_by_lookup(fault, classified)
        except AlreadyAsked as standing:
            known = await self.ledger.action(standing.action_id, state.event.tenant_id)
            told = _turned_down(classified, "ask", AlreadyAsked.code, standing)
            return told.model_copy(update={"action": known})
        except (NotFound, Conflict, BadInput, Unreachable) as fault:
            # Its preview says that it cannot be done: the person is told, and nobody is asked.
            return _turned_down(classified, "ask", "not_possible", fault)
        raised = tuple(dict.fromkeys((*classified.raised, *frozen.raised)))
        reason = raised[0] if raised else f"class_{frozen.execution_class}"
        verdict = "confirm" if frozen.execution_class == "C" else classified.verdict
        if frozen.grant_id is not None:  # whether it really allows this is asked at the claim
            verdict, reason = "act", GRANTED
        return classified.model_copy(
            update={
                "verdict": verdict,
                "reason": reason,
                "execution_class": frozen.execution_class,
                "raised": raised,
                "action": frozen,
            }
        )

    async def _requester(self, state: Resolved, action: str, thread_id: str) -> Principal:
        """Name who asks from the event as it was taken in: a thread's state can be written into.

        Raises:
            NotFound: there is no such decision.
            Forbidden: another thread decides it, or four eyes are due and nobody is known to ask.
        """
        event, owner, _ = await self.decisions.find(state.arrival.decision_id)
        if owner != thread_id:
            raise Forbidden(t("gate.other_thread"))
        known = self.classifier.catalogue.of_tenant(event.tenant_id).actions.get(action)
        if known and known.approvers.four_eyes and event.is_addressed and event.user is None:
            raise Forbidden(t("gate.four_eyes_unknown"))
        return Principal(user=event.user or ANONYMOUS, tenant_id=event.tenant_id, roles=event.roles)

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
        elapsed_ms = (elapsed_ns(self.clock) - state.arrival.started_ns) / 1e6
        record = record_of(gathered, now=self.clock.now(), elapsed_ms=elapsed_ms)
        stages = stages_of(gathered)
        if not await self.decisions.wait(record, stages, thread_id=thread_id):
            return
        record, _stages = Redactor(self.classifier.catalogue).decision(record, stages)
        told = record.model_dump(mode="json")
        self.telling.tell("approval", record.tenant_id, told, (record.session_id,))


def _turned_down(
    classified: Classification, verdict: str, reason: str, error: Exception
) -> Classification:
    return classified.model_copy(
        update={"verdict": verdict, "reason": reason, "question": str(error)}
    )


def _origin(state: Resolved, classified: Classification) -> Origin:
    if state.policy.explicit:
        return "undo" if state.policy.undo_of else "choice"
    if state.result.path == "llm":
        return "model"
    if state.event.call is not None:
        return "agent"
    return "untrusted" if REQUEST in classified.tainted else "routed"
