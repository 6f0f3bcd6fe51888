"""The webhooks of a deployment, put together."""

from graph.assembly.elsewhere import egress_of, read_secrets
from graph.settings import Settings
from state.webhook import WebhookTuning
from tools.storage.database import Database
from tools.webhooks.endpoints import read_endpoints
from tools.webhooks.outbox import Outbox
from tools.webhooks.sending import Sending


def build_outbox(settings: Settings, database: Database) -> Outbox:
    """Build what keeps events for the endpoints of EXECUTIVE_WEBHOOKS_FILE.

    Raises:
        BadInput: the file, or a secret that it names, is not as it must be.
    """
    file = settings.webhooks_file
    return Outbox(database, read_endpoints(file, read_secrets()) if file else ())


def build_sending(settings: Settings, outbox: Outbox, tuning: WebhookTuning) -> Sending:
    """Build what sends them."""
    return Sending(outbox, egress_of(settings), tuning)
