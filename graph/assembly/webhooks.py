"""The webhooks of a deployment, put together."""

from collections.abc import Sequence

from graph.assembly.elsewhere import egress_of, read_secrets
from graph.settings import Settings
from state.reader import ClosedSessions
from state.webhook import WebhookTuning
from tools.callers.readers import Readers
from tools.storage.database import Database
from tools.webhooks.endpoints import read_endpoints
from tools.webhooks.outbox import Outbox
from tools.webhooks.sending import Sending


def build_outbox(
    settings: Settings, database: Database, closed: Sequence[ClosedSessions] = ()
) -> Outbox:
    """Build what keeps events for the endpoints of EXECUTIVE_WEBHOOKS_FILE.

    Args:
        closed: sessions that a few may read; of no account to who only reads what is kept.

    Raises:
        BadInput: the file, or a secret that it names, is not as it must be.
    """
    file = settings.webhooks_file
    endpoints = read_endpoints(file, read_secrets()) if file else ()
    return Outbox(database, endpoints, Readers(tuple(closed)))


def build_sending(settings: Settings, outbox: Outbox, tuning: WebhookTuning) -> Sending:
    """Build what sends them."""
    return Sending(outbox, egress_of(settings), tuning)
