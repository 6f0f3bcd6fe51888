"""Who outside is told what happened, and whether it was delivered."""

from typing import TYPE_CHECKING

from tools import lazy_names

if TYPE_CHECKING:
    from tools.notifications.webhooks import Backlog, Outbox, WebhookSender, read_endpoints

__all__ = [
    "Backlog",
    "Outbox",
    "WebhookSender",
    "read_endpoints",
]

__getattr__ = lazy_names(
    __name__,
    {
        "webhooks": ("Backlog", "Outbox", "WebhookSender", "read_endpoints"),
    },
)
