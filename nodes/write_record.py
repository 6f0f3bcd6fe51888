"""Write the one record of the decision, and what the session remembers of it."""

import time
from dataclasses import dataclass

from state.channels import State
from state.stages import Gathered
from tools.clock import Clock
from tools.memory.remembering import Remembering
from tools.ports import Decisions, Telling
from tools.recording import record_of, stages_of


@dataclass(frozen=True)
class WriteRecord:
    """Finish the decision, or hold it; a decision that is recorded already stays as it is."""

    decisions: Decisions
    telling: Telling
    clock: Clock
    remembering: Remembering

    async def __call__(self, state: Gathered) -> State:
        elapsed_ms = (time.time_ns() - state.arrival.started_ns) / 1e6
        record = record_of(state, now=self.clock.now(), elapsed_ms=elapsed_ms)
        stages = stages_of(state)
        if record.outcome == "held" and state.timing is not None:
            await self.decisions.hold(record, stages, state.timing)
        else:
            await self.decisions.finish(
                record,
                stages,
                lambda session: self.remembering.after(session, state),
                signal=_signal(state),
            )
        self.telling.tell("decision", record.tenant_id, record.model_dump(mode="json"))
        return {"record": record}


def _signal(state: Gathered) -> str | None:
    signal = state.event.payload.get("signal") if state.event.kind == "signal" else None
    return signal if isinstance(signal, str) else None
