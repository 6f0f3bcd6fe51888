"""Write the one record of the decision, and what the session remembers of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig

from state.channels import State
from state.record import DecisionRecord
from state.release import QUIET_ENDED, SPOKE_FIRST
from state.stages import Gathered
from tools.attention import Inbox
from tools.gate import Redactor
from tools.memory import SessionUpdate, request_of_signal
from tools.observability.decision_record import record_of, stages_of
from tools.platform.clock import Clock, elapsed_ns
from tools.ports import Decisions, NoticeStream


@dataclass(frozen=True)
class WriteRecord:
    """Finish the decision, or hold it; the store says whether this thread may.

    A decision that is recorded stays as it is, and one whose question is open does not end: then
    there is no record of this run.
    """

    decisions: Decisions
    telling: NoticeStream
    clock: Clock
    remembering: SessionUpdate
    covering: Redactor | None = None
    """Covers what is told of it; the store covers what it keeps."""
    inbox: Inbox | None = None
    """Knows the identical events that are recorded with it."""

    async def __call__(self, state: Gathered, config: RunnableConfig) -> State:
        elapsed_ms = (elapsed_ns(self.clock) - state.arrival.started_ns) / 1e6
        record = record_of(state, now=self.clock.now(), elapsed_ms=elapsed_ms)
        stages = stages_of(state)
        thread_id: str = config["configurable"]["thread_id"]
        twins = self.inbox.twins_of(record.decision_id) if self.inbox else ()
        if record.outcome == "held" and state.timing is not None:
            stands = await self.decisions.hold(
                record, stages, state.timing, thread_id=thread_id, twins=twins
            )
        else:
            stands = await self.decisions.finish(
                record,
                stages,
                lambda session: self.remembering.after(session, state),
                thread_id=thread_id,
                speaker=state.event.speaker,
                signal=_signal(state),
                beside=state.timing.beside if state.timing else (),
                twins=twins,
            )
        if not stands:
            return {}
        return {"record": self.told(record, stages)}

    def told(self, record: DecisionRecord, stages: Mapping[str, Any]) -> DecisionRecord:
        """Tell of a decision that is written; returned as it is told, its secrets covered."""
        if self.inbox is not None:
            self.inbox.settle(record.decision_id)
        if self.covering is not None:
            record, _stages = self.covering.decision(record, stages)
        told = record.model_dump(mode="json")
        self.telling.tell("decision", record.tenant_id, told, (record.session_id,))
        return record


def _signal(state: Gathered) -> str | None:
    event, policy = state.event, state.policy
    if event.kind == "signal":
        request = request_of_signal(event)
        if request is not None:
            return QUIET_ENDED if request.kind in ("talk", "no_quiet_hours") else None
        signal = event.payload.get("signal")
        return signal if isinstance(signal, str) else None
    if event.kind != "message":
        return None
    if policy is not None and (policy.talk is not None or policy.beside is not None):
        # What was asked about the talking is answered; only the end of the quiet says more.
        is_end = policy.talk is not None and policy.talk.kind in ("talk", "no_quiet_hours")
        return QUIET_ENDED if is_end else None
    return SPOKE_FIRST
