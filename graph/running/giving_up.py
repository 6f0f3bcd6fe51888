"""End a decision that breaks off whenever it is tried: on record, told, with nothing left open."""

import re
from dataclasses import dataclass
from functools import partial

import structlog
from sqlalchemy import Connection

from graph.assembly.toolbox import Toolbox
from graph.flow import writing
from nodes.compose import told
from nodes.write_record import WriteRecord
from state.approval import LedgerAction
from state.classification import Classification
from state.errors import NotFound
from state.event import Event
from state.gave_up import GaveUp
from state.record import DecisionRecord, DecisionTrace
from tools.ledger.abandoning import Abandoning
from tools.ledger.rows import to_outcome
from tools.storage.decisions import SqlDecisions
from tools.storage.given_up import record_given_up
from tools.storage.records import SqlRecords

GAVE_UP = "gave_up"
_NODE = re.compile(r"task with name '(\w+)'")
"""How LangGraph notes on an error which node it came from."""

log = structlog.get_logger()


@dataclass(frozen=True)
class GivingUp:
    """Writes the last record of a decision without a run of the graph."""

    decisions: SqlDecisions
    records: SqlRecords
    abandoning: Abandoning
    writing: WriteRecord

    async def end(self, event: Event, thread_id: str, error: BaseException, times: int) -> bool:
        """Record that it failed; False: it stays as it is, for the ledger is still at it."""
        why = GaveUp(times=times, error=type(error).__name__, stage=_stage_of(error))
        before = await self._before(event.decision_id)
        stages = {**(before.stages if before else {}), GAVE_UP: why.model_dump(mode="json")}

        def closing(connection: Connection) -> DecisionRecord | None:
            actions = self.abandoning.close(connection, event.decision_id)
            if actions is None:
                return None
            return self._record(event, why, before, actions[0] if actions else None)

        recorded = partial(record_given_up, self.decisions, closing, stages, thread_id=thread_id)
        try:
            record = await recorded(speaker=event.speaker)
        except Exception:  # what breaks it may be what is written beside the record
            log.exception("giving_up_alone", decision_id=event.decision_id)
            record = await recorded(alone=True)
        if record is not None:
            self.writing.told(record, stages)
        return record is not None

    async def _before(self, decision_id: str) -> DecisionTrace | None:
        try:
            return await self.records.trace(decision_id)
        except NotFound:  # it never came as far as a record
            return None

    def _record(
        self,
        event: Event,
        why: GaveUp,
        before: DecisionTrace | None,
        action: LedgerAction | None,
    ) -> DecisionRecord:
        text = _words(why, action) if event.is_addressed else ""
        is_done = action is not None and action.state == "succeeded"
        found: dict[str, object] = {
            "outcome": "executed" if is_done else "failed",
            "reason": GAVE_UP,
            "text": text,
            "spoke": bool(text),
            "output": "text" if text else "silent",
            "response_type": "answer" if text else "none",
            "counterfactual": None,
            "recorded_at": self.writing.clock.now(),
        }
        if action is not None:
            found |= {
                "action": action.action,
                "action_id": action.action_id,
                "arguments": action.arguments,
                "execution_class": action.execution_class,
            }
        known = (
            before.record.model_dump()
            if before
            else {
                "event_id": event.event_id,
                "decision_id": event.decision_id,
                "session_id": event.session_id,
                "tenant_id": event.tenant_id,
            }
        )
        return DecisionRecord.model_validate(known | found)


def giving_up(box: Toolbox) -> GivingUp:
    """Build it on the stores that the graph writes to."""
    abandoning = Abandoning(box.ledger.executing.claiming)
    return GivingUp(box.decisions, box.records, abandoning, writing(box))


def _words(why: GaveUp, action: LedgerAction | None) -> str:
    broke = f"I could not finish this: it broke off {why.times} times ({why.error})"
    if action is None:
        return f"{broke}, and nothing was done. I do not try it again; ask again if you want it."
    if action.state == "expired":
        came = f"{action.summary}: {action.reason}. Nothing was changed."
    else:
        came = told(to_outcome(action), Classification(verdict="none", reason=GAVE_UP))
    return f"{broke}, and I do not try it again.\n{came}"


def _stage_of(error: BaseException) -> str | None:
    found = [_NODE.search(note) for note in getattr(error, "__notes__", ())]
    return next((one[1] for one in found if one), None)
