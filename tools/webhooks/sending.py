"""Send what the outbox holds, signed, until it arrives or is given up."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import httpx
import structlog
from sqlalchemy import select, update

from state.errors import AgentError
from state.webhook import Delivery, Endpoint, WebhookTuning
from tools.egress.egress import Egress
from tools.egress.secrets import fill_secrets
from tools.storage.tables.webhooks import webhook_delivery as table
from tools.webhooks.outbox import Outbox, read_delivery
from tools.webhooks.signing import signed

AT_ONCE = 50
MOST_FAILURES = 3
"""Failures in a row after which an endpoint is left alone in this turn: it is down."""
_MOST_BYTES = 64 * 1024
_LONGEST_PROBLEM = 300

log = structlog.get_logger()


@dataclass(frozen=True)
class Sending:
    """Takes events to their endpoints, at least once each; `webhook-id` tells a repetition.

    What fails is tried again after a wait that doubles. After the last attempt, or when the
    endpoint says 410 Gone, it is dead until somebody revives it.
    """

    outbox: Outbox
    egress: Egress
    tuning: WebhookTuning
    seconds: Callable[[], float] = time.time

    async def to(self, endpoint: Endpoint) -> int:
        """Send what is due to one endpoint, one after the other; tell how much arrived."""
        due = await self._due(endpoint)
        if not due:
            return 0
        arrived = failures = 0
        timeout = httpx.Timeout(self.tuning.request_seconds)
        async with self.egress.client(timeout=timeout, most_bytes=_MOST_BYTES) as client:
            for one in due:
                problem = await self._attempt(client, endpoint, one)
                await self._settle(one, problem)
                arrived, failures = (arrived + 1, 0) if problem is None else (arrived, failures + 1)
                if failures >= MOST_FAILURES:
                    break
        return arrived

    async def _due(self, endpoint: Endpoint) -> list[Delivery]:
        query = (
            select(table)
            .where(
                table.c.standing == "pending",
                table.c.endpoint == endpoint.name,
                table.c.next_at <= self.seconds(),
            )
            .order_by(table.c.delivery_id)
            .limit(AT_ONCE)
        )
        rows = await self.outbox.database.read(lambda one: one.execute(query).mappings().all())
        return [read_delivery(row) for row in rows]

    async def _attempt(
        self, client: httpx.AsyncClient, endpoint: Endpoint, one: Delivery
    ) -> "_Problem | None":
        body = one.body.encode()
        secret = endpoint.secret.get_secret_value()
        headers = signed(secret, one.event_id, body, at=self.seconds())
        headers["content-type"] = "application/json"
        try:
            async with asyncio.timeout(self.tuning.request_seconds):  # of all of it
                url = fill_secrets(endpoint.url, self.egress.secrets)
                answer = await client.post(url, content=body, headers=headers)
        except TimeoutError:
            return _Problem(f"no answer within {self.tuning.request_seconds:g} s")
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError, AgentError) as error:
            return _Problem(f"{type(error).__name__}: {error}"[:_LONGEST_PROBLEM])
        if answer.is_success:
            return None
        return _Problem(
            f"it answered {answer.status_code}", is_final=answer.status_code == HTTPStatus.GONE
        )

    async def _settle(self, one: Delivery, problem: "_Problem | None") -> None:
        now, attempts = self.seconds(), one.attempts + 1
        values: dict[str, Any] = {"attempts": attempts}
        if problem is None:
            values |= {"standing": "delivered", "ended_at": now, "problem": None}
        elif problem.is_final or attempts >= self.tuning.attempts:
            values |= {"standing": "dead", "ended_at": now, "problem": problem.text}
            log.warning("webhook_dead", endpoint=one.endpoint, kind=one.kind, attempts=attempts)
        else:
            values |= {"next_at": now + self._wait(attempts), "problem": problem.text}
        settled = update(table).where(
            table.c.delivery_id == one.delivery_id, table.c.standing == "pending"
        )
        await self.outbox.database.write(lambda each: each.execute(settled.values(values)).rowcount)

    def _wait(self, attempts: int) -> float:
        doubled = self.tuning.first_wait_seconds * 2.0 ** (attempts - 1)
        return min(self.tuning.longest_wait_seconds, doubled)


@dataclass(frozen=True)
class _Problem:
    text: str
    is_final: bool = False
