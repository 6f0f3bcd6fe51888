"""Webhooks: a transactional outbox, delivered at least once, signed by Standard Webhooks 1.0.

An event is stored with what it tells of, listed, and revived after a failure.
"""

import asyncio
import hmac
import json
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import structlog
from pydantic import ConfigDict, SecretStr, TypeAdapter, ValidationError
from sqlalchemy import Connection, RowMapping, func, insert, select, update

from state.errors import AgentError, BadInput, NotFound
from state.noun import Noun
from state.webhook import Delivery, DeliveryStanding, Endpoint, WebhookTuning
from tools.access import SessionReaders
from tools.platform.egress import Egress
from tools.platform.redaction import fill_secrets
from tools.platform.serialization import read_toml, toml_error
from tools.storage import Database
from tools.storage.tables.outboxes import webhook_delivery as table

MOST_LISTED = 200


class Backlog(Noun):
    """How many events are where, of one endpoint."""

    endpoint: str
    standing: DeliveryStanding
    count: int


@dataclass(frozen=True)
class Outbox:
    """Keeps events for the endpoints that want them; without endpoints it keeps nothing."""

    database: Database
    endpoints: tuple[Endpoint, ...] = ()
    readers: SessionReaders = field(default_factory=SessionReaders)

    def wants(self, kind: str, tenant_id: str) -> bool:
        """Tell whether anybody is told of such an event."""
        return any(one.wants(kind, tenant_id) for one in self.endpoints)

    def note(
        self,
        connection: Connection,
        kind: str,
        tenant_id: str,
        data: Mapping[str, Any],
        sessions: Collection[str],
    ) -> None:
        """Keep an event inside the transaction of what it tells of.

        Args:
            sessions: whose words it tells; an endpoint that may not read all hears nothing of it.
        """
        wanting = [
            one.name
            for one in self.endpoints
            if one.wants(kind, tenant_id) and self._may_hear(one, sessions)
        ]
        if not wanting:
            return
        now = self.database.now()
        at = connection.scalar(select(now))
        told = {
            "type": kind,
            "timestamp": datetime.fromtimestamp(at or 0.0, UTC).isoformat(),
            "tenant_id": tenant_id,
            "data": dict(data),
        }
        row = {
            "event_id": f"evt_{uuid4().hex}",
            "tenant_id": tenant_id,
            "kind": kind,
            "body": json.dumps(told, ensure_ascii=False, separators=(",", ":")),
            "made_at": at,
            "standing": "pending",
            "attempts": 0,
            "next_at": at,
        }
        connection.execute(insert(table), [row | {"endpoint": name} for name in wanting])

    async def keep(
        self, kind: str, tenant_id: str, data: Mapping[str, Any], sessions: Collection[str]
    ) -> None:
        """Keep an event that nothing else is written for."""
        if self.wants(kind, tenant_id):
            await self.database.write(lambda one: self.note(one, kind, tenant_id, data, sessions))

    def _may_hear(self, endpoint: Endpoint, sessions: Collection[str]) -> bool:
        return self.readers.of(endpoint.principal).may_read(*sessions)

    async def backlog(self) -> list[Backlog]:
        """Count events by endpoint and standing."""
        query = (
            select(table.c.endpoint, table.c.standing, func.count().label("count"))
            .group_by(table.c.endpoint, table.c.standing)
            .order_by(table.c.endpoint, table.c.standing)
        )
        rows = await self.database.read(lambda one: one.execute(query).mappings().all())
        return [Backlog.model_validate(dict(row)) for row in rows]

    async def list(self, standing: DeliveryStanding, *, limit: int = MOST_LISTED) -> list[Delivery]:
        """List events of one standing, the oldest first."""
        query = (
            select(table)
            .where(table.c.standing == standing)
            .order_by(table.c.delivery_id)
            .limit(limit)
        )
        rows = await self.database.read(lambda one: one.execute(query).mappings().all())
        return [read_delivery(row) for row in rows]

    async def revive(self, ids: Sequence[int] | None = None) -> int:
        """Try dead events again, all or some; tell how many.

        Raises:
            NotFound: one of them is not dead, or was never there; then none is revived.
        """
        is_dead = table.c.standing == "dead"
        if ids is not None:
            is_dead &= table.c.delivery_id.in_(ids)

        def work(connection: Connection) -> int:
            again = update(table).where(is_dead)
            values = {"standing": "pending", "attempts": 0, "next_at": 0.0, "ended_at": None}
            count = connection.execute(again.values(values)).rowcount
            if ids is not None and count < len(set(ids)):
                raise NotFound("dead delivery", ", ".join(map(str, ids)))
            return count

        return await self.database.write(work)


def read_delivery(row: RowMapping) -> Delivery:
    """Turn a row into the noun."""
    fields = dict(row)
    for name in ("made_at", "next_at", "ended_at"):
        if fields[name] is not None:
            fields[name] = datetime.fromtimestamp(fields[name], UTC)
    return Delivery.model_validate(fields)


TOLERANCE_SECONDS = 300
"""How old, or how far ahead, a signature may be: an older one is somebody's replay."""
_MOST_DIGITS = 12
_ENCODED = "whsec_"
"""What stands before a secret whose bytes are written in base64."""
ID, TIMESTAMP, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"


def signature_headers(secret: str, event_id: str, body: bytes, *, at: float) -> dict[str, str]:
    """Write the headers that go with a body.

    Args:
        at: when it is sent, in seconds since 1970; signed, so that nobody can send it later.
    """
    timestamp = str(int(at))
    return {
        ID: event_id,
        TIMESTAMP: timestamp,
        SIGNATURE: f"v1,{_signature(secret, event_id, timestamp, body)}",
    }


def is_genuine(secret: str, headers: Mapping[str, str], body: bytes, *, now: float) -> bool:
    """Tell whether a body comes from who knows the secret, and was sent just now."""
    event_id, timestamp = headers.get(ID, ""), headers.get(TIMESTAMP, "")
    # Whoever sends it may write any number of digits; what no clock shows is not even read.
    if not timestamp.isascii() or not timestamp.isdigit() or len(timestamp) > _MOST_DIGITS:
        return False
    if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    wanted = f"v1,{_signature(secret, event_id, timestamp, body)}".encode()
    given = headers.get(SIGNATURE, "").split(" ")
    return any(hmac.compare_digest(wanted, one.encode()) for one in given)


def key_of(secret: str) -> bytes:
    """Give the bytes that sign: behind `whsec_` those that base64 stands for, else the text itself.

    Raises:
        ValueError: what stands behind `whsec_` is no base64.
    """
    if secret.startswith(_ENCODED):
        return b64decode(secret.removeprefix(_ENCODED), validate=True)
    return secret.encode()


def _signature(secret: str, event_id: str, timestamp: str, body: bytes) -> str:
    said = b".".join((event_id.encode(), timestamp.encode(), body))
    return b64encode(hmac.digest(key_of(secret), said, sha256)).decode()


SHORTEST_SECRET = 24
_SETTING = "EXECUTIVE_WEBHOOKS_FILE"
_FILE = TypeAdapter(dict[str, tuple[Endpoint, ...]], config=ConfigDict(extra="forbid"))


def read_endpoints(path: Path, secrets: Mapping[str, SecretStr]) -> tuple[Endpoint, ...]:
    """Read `[[webhook]]` tables, the deployment's secrets put in.

    Raises:
        BadInput: the file cannot be read, names one twice, a secret is missing or too short, or
            a url is none.
    """
    try:
        read = _FILE.validate_python(read_toml(path, _SETTING, "webhook"))
    except ValidationError as error:
        raise toml_error(_SETTING, path, error) from error
    found = read["webhook"]
    names = [one.name for one in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise BadInput(f"{path}: two endpoints are named {', '.join(twice)}")
    return tuple(_checked(one, secrets, path) for one in found)


def _checked(one: Endpoint, secrets: Mapping[str, SecretStr], path: Path) -> Endpoint:
    secret = fill_secrets(one.secret.get_secret_value(), secrets)
    if len(secret) < SHORTEST_SECRET:
        raise BadInput(f"{path}: the secret of {one.name} needs {SHORTEST_SECRET} characters")
    try:
        key_of(secret)
    except ValueError as error:
        raise BadInput(f"{path}: the secret of {one.name}: no base64 behind whsec_") from error
    try:
        httpx.URL(one.url)
    except httpx.InvalidURL as error:
        raise BadInput(f"{path}: the url of {one.name}: {error}") from error
    return one.model_copy(update={"secret": SecretStr(secret)})


AT_ONCE = 50
MOST_FAILURES = 3
"""Failures in a row after which an endpoint is left alone in this turn: it is down."""
_MOST_BYTES = 64 * 1024
_LONGEST_PROBLEM = 300

log = structlog.get_logger()


@dataclass(frozen=True)
class WebhookSender:
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
        headers = signature_headers(secret, one.event_id, body, at=self.seconds())
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
