"""The harbour's catalogue and real stores under the nodes; only the router is written by hand."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, uuid5

import pytest
from langchain_core.runnables import RunnableConfig

from state.event import Event
from state.notice import NoticeKind
from state.policy import Routing
from tests.stages import NOW, TUNING, event_of
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.dialogue import MessageInterpreter
from tools.gate.ledger.executor import Executor
from tools.gate.ledger.ledger import Ledger, build_ledger
from tools.gate.ledger.rows import Policies
from tools.platform.clock import VirtualClock
from tools.ports import RoutingEnvironment
from tools.storage.database import Database

KEEPER: Mapping[str, str] = {"user": "amir", "role": "keeper", "kind": "message"}


@dataclass
class Told:
    """A listener that keeps what it is told."""

    notices: list[tuple[str, str, Mapping[str, object]]] = field(default_factory=list)

    def tell(
        self,
        kind: NoticeKind,
        tenant_id: str,
        data: Mapping[str, object],
        sessions: Collection[str],
    ) -> None:
        self.notices.append((kind, tenant_id, data))


@dataclass
class Knows:
    """A router that knows what it was told; anything else asks for nothing it has."""

    routings: dict[str, Routing] = field(default_factory=dict)
    answers: dict[str, Routing] = field(default_factory=dict)
    asked: list[Path | None] = field(default_factory=list)

    def route(
        self,
        text: str,
        *,
        data_dir: Path | None = None,
        today: date | None = None,
        roles: Sequence[str] = (),
        asker: str | None = None,
    ) -> Routing:
        self.asked.append(data_dir)
        return self.routings.get(text) or routing_of(text)

    def answer(
        self,
        text: str,
        action: str,
        missing: Sequence[str],
        *,
        data_dir: Path | None = None,
        today: date | None = None,
        asker: str | None = None,
        given: Mapping[str, Any] | None = None,
    ) -> Routing | None:
        self.asked.append(data_dir)
        return self.answers.get(text)


def messages_of(
    catalogue: Catalogue, router: Knows | None = None, data_dir: Path = Path("nowhere")
) -> MessageInterpreter:
    return MessageInterpreter(
        catalogue,
        router or Knows(),
        TUNING.execution,
        TUNING.policy,
        TUNING.journal.detection_threshold,
        VirtualClock(NOW),
        RoutingEnvironment(data_dir),
    )


def routing_of(text: str = "x", **fields: object) -> Routing:
    return Routing.model_validate(
        {
            "text": text,
            "normalized": text,
            "tokens": (),
            "action": None,
            "confidence": 0.0,
            "mood": "command",
            **fields,
        }
    )


def message(text: str = "close lock LK-12", **fields: object) -> Event:
    own_id = {"event_id": str(uuid5(NAMESPACE_OID, f"{text} {fields}"))}
    return event_of(text, **{**own_id, **KEEPER, **fields})


def on_thread(event: Event) -> RunnableConfig:
    return {"configurable": {"thread_id": event.decision_id}}


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return Catalogue.of([load_pack(Path(__file__).parents[1] / "harbour")])


@pytest.fixture
async def database(data_dir: Path) -> AsyncIterator[Database]:
    opened = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    yield opened
    await opened.close()


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock(NOW)


@pytest.fixture
def ledger(database: Database, catalogue: Catalogue, clock: VirtualClock, data_dir: Path) -> Ledger:
    policies = Policies(TUNING.execution)
    seconds = TUNING.execution.handler_seconds
    executing = Executor(database, catalogue, policies, clock, data_dir, seconds)
    return build_ledger(executing, TUNING.execution)
