"""A whole Executive on a data folder with the small pack, and hands on its graph."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver

from graph.execution.maintenance import open_saver
from graph.execution.run_limiter import ThreadRunner
from graph.execution.threads import Threads, build_fast_path
from graph.executive import Executive
from graph.flow import Flow, build_flow
from graph.scheduler import tick
from graph.settings import Settings
from graph.toolbox import Toolbox
from graph.wiring.composition import Served, build_toolbox, open_executive
from graph.wiring.external_services import load_packs
from state.approval import LedgerAction
from state.event import Event
from state.record import DecisionRecord
from tests.safety.benches import ENGINEER
from tools.gate.ledger.executor import Step

Wrapped = Callable[[Threads], ThreadRunner]
Saving = Callable[[BaseCheckpointSaver[Any]], BaseCheckpointSaver[Any]]


@dataclass(frozen=True)
class Opened:
    """An Executive and what it is made of."""

    executive: Executive
    box: Toolbox
    flow: Flow

    async def ask(
        self, text: str = "open valve V-101", event_id: str = "e-1", **more: str
    ) -> DecisionRecord:
        """Have a message decided."""
        return await self.executive.submit(message(text, event_id, **more))

    async def asked(
        self, text: str = "open valve V-101", event_id: str = "e-1", **more: str
    ) -> LedgerAction:
        """Have a Class C message decided, up to the gate."""
        record = await self.ask(text, event_id, **more)
        assert record.outcome == "awaiting_approval"
        assert record.action_id is not None
        return await self.executive.approvals.get(record.action_id, record.tenant_id)

    def config(self, decision_id: str, **more: str) -> RunnableConfig:
        """Name a decision's thread as a client of LangGraph would."""
        return {"configurable": {"thread_id": decision_id, **more}, "recursion_limit": 40}

    async def tick(self) -> None:
        """Let a second of the pulse pass."""
        await tick(self.executive)

    async def recover(self) -> None:
        """Do what the pulse does after a start, without waiting for it."""
        await self.executive.approvals.settle_answered()
        await self.executive.resume_unfinished()
        await self.tick()


def message(text: str = "open valve V-101", event_id: str = "e-1", **more: Any) -> Event:
    """Say something as the engineer."""
    said = {
        "event_id": event_id,
        "source": "bridge",
        "text": text,
        "tenant_id": ENGINEER.tenant_id,
        "user": ENGINEER.user,
        "role": "engineer",
        **more,
    }
    return Event.model_validate(said)


@asynccontextmanager
async def opened_executive(
    data_dir: Path,
    pack: Path,
    *,
    step: Step | None = None,
    threads: Wrapped | None = None,
    saving: Saving | None = None,
) -> AsyncIterator[Opened]:
    """Open an Executive; `threads` and `saving` may stand between it and its graph."""
    settings = Settings(data_dir=data_dir, packs=(str(pack),))
    loaded = await asyncio.to_thread(load_packs, settings)  # it may start servers of tools
    box = build_toolbox(settings, step=step, loaded=loaded)
    async with open_saver(data_dir) as saver:
        flow = build_flow(box, saving(saver) if saving else saver)
        plain = Threads(flow, build_fast_path(box))
        served = Served(box, threads(plain) if threads else plain)
        async with open_executive(settings, served=served) as executive:
            yield Opened(executive, box, flow)
