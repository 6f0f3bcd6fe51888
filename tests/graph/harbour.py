"""What a test says to the harbour, and what it sees of it."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

from langgraph.types import StateSnapshot

from graph.execution.maintenance import open_saver
from graph.executive import Executive
from graph.flow import build_flow
from state.approval import ApprovalAnswer, LedgerAction
from state.event import Event
from state.principal import Principal
from state.record import DecisionRecord
from state.session import Session
from tools.platform.clock import VirtualClock

HARBOUR = Path(__file__).parents[1] / "harbour"
EVERY = (str(HARBOUR), "vessel", "research", "companion")
"""Packs in one process. Whoever needs several takes these, by words alone, and is of the group
"every-pack": to learn two with the encoder's help, or other two, takes half a minute each."""
KEEPER = Principal(user="amir", tenant_id="default", roles=("keeper",))
MASTER = Principal(user="ingrid", tenant_id="default", roles=("master",))
_NUMBERS = count(1)
"""Every event of a test run has a name of its own, after a restart too."""


@dataclass
class Harbour:
    """An Executive, its clock, and its folder."""

    executive: Executive
    clock: VirtualClock
    data_dir: Path

    def event(self, text: str, **fields: Any) -> Event:
        """Make an event that happens now."""
        named = {"event_id": f"event-{next(_NUMBERS)}", "source": "buoy"}
        return Event.model_validate(
            {**named, "text": text, "occurred_at": self.clock.now(), **fields}
        )

    async def happens(self, text: str, **fields: Any) -> DecisionRecord:
        """Let something happen near us."""
        return await self.executive.submit(self.event(text, **fields))

    async def says(self, text: str, who: Principal = KEEPER, **fields: Any) -> DecisionRecord:
        """Let a person say something to us."""
        spoken = {"user": who.user, "role": ",".join(who.roles) or None, **fields}
        return await self.executive.submit(self.event(text, **spoken))

    async def signals(self, name: str | None = None, **payload: Any) -> DecisionRecord:
        """Let the surroundings send a signal."""
        given = payload | ({"signal": name} if name else {})
        return await self.happens("signal", kind="signal", payload=given)

    async def answers(
        self,
        action_id: str | None,
        decision: str = "approve",
        who: Principal = MASTER,
        **fields: Any,
    ) -> LedgerAction:
        """Let a person answer an approval as it stands."""
        assert action_id is not None
        standing = await self.executive.approvals.get(action_id, who.tenant_id)
        answer = ApprovalAnswer.model_validate(
            {"decision": decision, "digest": standing.digest, **fields}
        )
        return await self.executive.approvals.answer(action_id, answer, who)

    async def reworded(self, heuristic_id: str, says: str) -> None:
        """Have the words of a shipped heuristic changed: the keeper asks, an admin approves."""
        asked = await self.executive.heuristic_changes.change(heuristic_id, KEEPER, {"says": says})
        assert isinstance(asked, LedgerAction)
        admin = KEEPER.model_copy(update={"user": "ida", "roles": ("admin",)})
        assert (await self.answers(asked.action_id, who=admin)).state == "succeeded"

    async def record(self, decision_id: str) -> DecisionRecord:
        """Read a record again."""
        return (await self.executive.records.trace(decision_id, "default")).record

    async def records(self) -> list[DecisionRecord]:
        """List every record, newest first."""
        return await self.executive.records.newest("default", limit=1_000)

    async def session(self) -> Session:
        """Read the session as it is now."""
        return await self.executive._box.decisions.session("default", "default")

    async def snapshot(self, decision_id: str) -> StateSnapshot:
        """Read what the thread of a decision has stored, as it will be read when it goes on."""
        async with open_saver(self.data_dir) as saver:
            flow = build_flow(self.executive._box, saver)
            return await flow.aget_state({"configurable": {"thread_id": decision_id}})

    def pass_seconds(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.move_to(self.clock.now() + timedelta(seconds=seconds))

    def effects(self) -> list[str]:
        """List what was done to the harbour, in order."""
        books = sorted(self.data_dir.rglob("harbour.jsonl"))
        lines = [line for book in books for line in book.read_text("utf-8").splitlines()]
        return [f"{entry['action']} {entry['what']}" for entry in map(json.loads, lines)]

    def alter(self, statement: str, *, store: str = "prefrontal") -> None:
        """Change the tables past the product, as time or another process would."""
        with closing(sqlite3.connect(self.data_dir / f"{store}.sqlite")) as connection:
            connection.execute(statement)
            connection.commit()
