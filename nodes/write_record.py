"""Write the one record of the decision, and what the session remembers of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig

from state.channels import State
from state.record import DecisionRecord
from state.release import QUIET_ENDED, SPOKE_FIRST
from state.session import Session
from state.stages import Gathered
from tools.attention import AttentionStatus, Inbox
from tools.gate import Redactor
from tools.memory import SessionUpdate, request_of_signal
from tools.observability.decision_record import record_of, stages_of
from tools.platform.clock import Clock, elapsed_ns
from tools.ports import Decisions, NoticeStream

MODULATIONS: Mapping[str, tuple[str, ...]] = {
    "quiet": ("quiet_asked_at", "muted_until", "quiet_hours"),
    "threshold": ("threshold_shift", "talk_bias", "annoyed_at", "slighted_at"),
    "topics": ("topics",),
}
"""What a gateway is told of when it changes, and the fields of a session that it consists of."""
_TOLD = {
    "session_id",
    "is_quiet",
    "reason",
    "until",
    "threshold",
    "usual_threshold",
    "quiet_hours",
    "topics",
}
"""What it is told of how the session stands then, as /v1/quiet has it."""


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
    standing: AttentionStatus | None = None
    """Tells how a session stands, for whoever filters events before us; None: nobody is told."""

    async def __call__(self, state: Gathered, config: RunnableConfig) -> State:
        elapsed_ms = (elapsed_ns(self.clock) - state.arrival.started_ns) / 1e6
        record = record_of(state, now=self.clock.now(), elapsed_ms=elapsed_ms)
        stages = stages_of(state)
        thread_id: str = config["configurable"]["thread_id"]
        twins = self.inbox.twins_of(record.decision_id) if self.inbox else ()
        sessions: list[Session] = []

        def remember(session: Session) -> Session:
            sessions[:] = session, self.remembering.after(session, state)
            return sessions[1]

        if record.outcome == "held" and state.timing is not None:
            stands = await self.decisions.hold(
                record, stages, state.timing, thread_id=thread_id, twins=twins
            )
        else:
            stands = await self.decisions.finish(
                record,
                stages,
                remember,
                thread_id=thread_id,
                speaker=state.event.speaker,
                signal=_signal(state),
                beside=state.timing.beside if state.timing else (),
                twins=twins,
            )
        if not stands:
            return {}
        told = self.told(record, stages)
        if sessions:
            self._tell_modulation(record, *sessions)
        return {"record": told}

    def told(self, record: DecisionRecord, stages: Mapping[str, Any]) -> DecisionRecord:
        """Tell of a decision that is written; returned as it is told, its secrets covered."""
        if self.inbox is not None:
            self.inbox.settle(record.decision_id)
        if self.covering is not None:
            record, _stages = self.covering.decision(record, stages)
        told = record.model_dump(mode="json")
        self.telling.tell("decision", record.tenant_id, told, (record.session_id,))
        return record

    def _tell_modulation(self, record: DecisionRecord, before: Session, after: Session) -> None:
        """Tell what a gateway may act on: quiet, threshold or topics are others than before."""
        changed = [
            name
            for name, fields in MODULATIONS.items()
            if any(getattr(before, field) != getattr(after, field) for field in fields)
        ]
        if not changed or self.standing is None:
            return
        now = self.clock.now()
        present = self.remembering.character.present(after, now.timestamp())
        stands = self.standing.of(present, (), now).model_dump(mode="json", include=_TOLD)
        told = {"decision_id": record.decision_id, "changed": changed, **stands}
        self.telling.tell("modulation", record.tenant_id, told, (record.session_id,))


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
