"""Who outside is told what happened, and whether it was delivered."""

from typing import TYPE_CHECKING

from tools import lazy_names

if TYPE_CHECKING:
    from tools.notifications.webhook_delivery import WebhookSender, read_endpoints
    from tools.notifications.webhook_outbox import Backlog, Outbox

__all__ = [
    "Backlog",
    "Outbox",
    "WebhookSender",
    "read_endpoints",
]

__getattr__ = lazy_names(
    __name__,
    {
        "webhook_delivery": ("WebhookSender", "read_endpoints"),
        "webhook_outbox": ("Backlog", "Outbox"),
    },
)
