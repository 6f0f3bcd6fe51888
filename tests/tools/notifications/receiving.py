"""A process that sends what an outbox holds, and is killed between sending and writing it down."""

import asyncio
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from state.webhook import Delivery, Endpoint, WebhookTuning
from tools.notifications.webhooks import Outbox, WebhookSender
from tools.platform.egress import Egress
from tools.platform.egress_policy import AllowedHosts
from tools.storage.database import Database

SECRET = "a-secret-of-twenty-four-and-more"  # of nobody
TUNING = WebhookTuning(
    attempts=3, request_seconds=5, first_wait_seconds=10, longest_wait_seconds=15
)


def endpoint(port: int, **given: object) -> Endpoint:
    """Name a service on this machine that wants to hear of decisions."""
    fields = {"name": "wiki", "url": f"http://127.0.0.1:{port}/hook", "secret": SecretStr(SECRET)}
    return Endpoint.model_validate(fields | given)


def sending(outbox: Outbox, port: int, **given: object) -> WebhookSender:
    """Send to exactly that service."""
    egress = Egress(AllowedHosts(private=frozenset({f"127.0.0.1:{port}"})))
    return WebhookSender(outbox, egress, TUNING, **given)  # type: ignore[arg-type]  # a clock


async def sent(given: WebhookSender) -> int:
    """Send once to every endpoint, as the running service does each second."""
    return sum([await given.to(one) for one in given.outbox.endpoints])


@dataclass(frozen=True)
class _KilledAfter(WebhookSender):
    async def _settle(self, one: Delivery, problem: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


async def _send_and_die(folder: Path, port: int) -> None:
    database = Database(f"sqlite:///{folder / 'prefrontal.sqlite'}")
    outbox = Outbox(database, (endpoint(port),))
    await outbox.keep("context:decision:indexed", "default", {"decision_id": "dec-1"}, ())
    await sent(_KilledAfter(outbox, sending(outbox, port).egress, TUNING))


if __name__ == "__main__":
    asyncio.run(_send_and_die(Path(sys.argv[1]), int(sys.argv[2])))
