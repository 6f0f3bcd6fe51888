"""A tenant of its own on the real service, with its people and its store."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import httpx

from graph.executive import Executive


@dataclass(frozen=True)
class Service:
    """The Executive behind its routes; all tests share it."""

    executive: Executive
    address: str


@dataclass(frozen=True)
class Ship:
    """What one test sees: a tenant of its own, with its people and its store."""

    service: Service
    tenant: str
    clients: dict[str, httpx.AsyncClient]

    def __getitem__(self, name: str) -> httpx.AsyncClient:
        return self.clients[name]

    async def ask_to_close(self) -> dict[str, Any]:
        sent = {"text": "close WO-1042, the filter is changed", "event_id": "m-1"}
        return dict((await self["engineer"].post("/v1/messages", json=sent)).json())

    def state(self) -> str:
        folder = self.service.executive.settings.data_dir / "packs" / self.tenant
        with closing(sqlite3.connect(folder / "vessel.sqlite")) as store:
            query = "SELECT state FROM work_order WHERE id = 'WO-1042'"
            ((state,),) = store.execute(query).fetchall()
        return str(state)
