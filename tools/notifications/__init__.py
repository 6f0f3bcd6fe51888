"""Who outside is told what happened, and whether it was delivered."""

from typing import TYPE_CHECKING

from tools import lazy_names

if TYPE_CHECKING:
    from tools.notifications.approval_links import ApprovalLinks
    from tools.notifications.channels import ChannelOutbox, read_channels, send_message
    from tools.notifications.webhooks import Backlog, Outbox, WebhookSender, read_endpoints

__all__ = [
    "ApprovalLinks",
    "Backlog",
    "ChannelOutbox",
    "Outbox",
    "WebhookSender",
    "read_channels",
    "read_endpoints",
    "send_message",
]

__getattr__ = lazy_names(
    __name__,
    {
        "approval_links": ("ApprovalLinks",),
        "channels": ("ChannelOutbox", "read_channels", "send_message"),
        "webhooks": ("Backlog", "Outbox", "WebhookSender", "read_endpoints"),
    },
)
