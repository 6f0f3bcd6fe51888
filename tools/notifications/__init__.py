"""Who outside is told what happened, and was it delivered?"""

from tools.notifications.webhook_delivery import WebhookSender, read_endpoints
from tools.notifications.webhook_outbox import Backlog, Outbox

__all__ = ["Backlog", "Outbox", "WebhookSender", "read_endpoints"]
