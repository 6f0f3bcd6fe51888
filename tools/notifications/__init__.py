"""Who outside is told what happened, and whether it was delivered."""

from typing import TYPE_CHECKING

from tools import lazy_names

if TYPE_CHECKING:
    from tools.notifications.approval_links import ApprovalLinks
    from tools.notifications.channels import ChannelOutbox, read_channels, send_message
    from tools.notifications.slack import Click, Message, is_from_slack, post_to_slack
    from tools.notifications.webhooks import Backlog, Outbox, WebhookSender, read_endpoints

__all__ = [
    "ApprovalLinks",
    "Backlog",
    "ChannelOutbox",
    "Click",
    "Message",
    "Outbox",
    "WebhookSender",
    "is_from_slack",
    "post_to_slack",
    "read_channels",
    "read_endpoints",
    "send_message",
]

__getattr__ = lazy_names(
    __name__,
    {
        "approval_links": ("ApprovalLinks",),
        "channels": ("ChannelOutbox", "read_channels", "send_message"),
        "slack": ("Click", "Message", "is_from_slack", "post_to_slack"),
        "webhooks": ("Backlog", "Outbox", "WebhookSender", "read_endpoints"),
    },
)
