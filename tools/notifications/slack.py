"""Slack: messages with buttons, the signature of what Slack sends, and what a click says.

Sources: Slack's Block Kit reference, and "Verifying requests from Slack".
"""

import hmac
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from itertools import islice
from typing import Any, Literal, Self, cast
from urllib.parse import parse_qs

import httpx

from state.errors import AgentError
from tools.platform.egress import Egress
from tools.platform.serialization import read_json
from tools.platform.texts import t

TOLERANCE_SECONDS = 300
"""How old, or how far ahead, a signature may be."""
_MOST_DIGITS = 12
_LONGEST_SECTION = 2_900
_MOST_BYTES = 64 * 1024
_SECONDS = 10.0
_BLOCK = "prefrontal"


@dataclass(frozen=True)
class Message:
    """What people read, as plain text, and what its buttons would answer."""

    title: str
    body: str
    answers: tuple[str, str] | None = None
    """The action and its digest; None: no buttons."""


_LONGEST_DIGEST = 200
"""Characters, as an answer over the API takes them."""


@dataclass(frozen=True)
class Click:
    """A click on one of our buttons."""

    decision: Literal["approve", "reject"]
    action_id: str
    digest: str
    member: str
    user: str
    team: str
    response_url: str

    @classmethod
    def read(cls, body: bytes) -> Self | None:
        """Read a click out of what Slack sends as a form; None: it is something else."""
        try:
            [payload] = parse_qs(body.decode("ascii"), strict_parsing=True)["payload"]
            read = cast("Mapping[str, Any]", read_json(payload.encode()))
            [action] = read["actions"]
            action_id, digest = action["value"].split(" ")
            if read["type"] != "block_actions" or action["block_id"] != _BLOCK:
                return None
            if action["action_id"] not in ("approve", "reject"):
                return None
            if not 0 < len(digest) <= _LONGEST_DIGEST:
                return None
            return cls(
                decision=action["action_id"],
                action_id=action_id,
                digest=digest,
                member=str(read["user"]["id"]),
                user=str(read["user"].get("username") or read["user"]["id"]),
                team=str(read["team"]["id"]),
                response_url=str(read["response_url"]),
            )
        except (KeyError, ValueError, TypeError, AttributeError, AgentError):
            return None


def is_from_slack(secret: str, headers: Mapping[str, str], body: bytes, *, now: float) -> bool:
    """Tell whether Slack sent a body just now: HMAC-SHA256 over `v0:timestamp:body`."""
    timestamp = headers.get("x-slack-request-timestamp", "")
    if not timestamp.isascii() or not timestamp.isdigit() or len(timestamp) > _MOST_DIGITS:
        return False
    if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = b":".join((b"v0", timestamp.encode(), body))
    wanted = f"v0={hmac.digest(secret.encode(), signed, sha256).hex()}"
    return hmac.compare_digest(wanted.encode(), headers.get("x-slack-signature", "").encode())


def slack_message(message: Message) -> Mapping[str, Any]:  # JSON of Slack's
    """Write a message as blocks of plain text, so that nothing in it is read as markup."""
    return {"text": _escaped(message.title), "blocks": list(_blocks(message))}


def _blocks(message: Message) -> Iterator[Mapping[str, Any]]:
    yield {"type": "header", "text": _plain(message.title[:150])}
    letters = iter(message.body)
    while part := "".join(islice(letters, _LONGEST_SECTION)):
        yield {"type": "section", "text": _plain(part)}
    if message.answers is not None:
        buttons = [
            {
                "type": "button",
                "action_id": decision,
                "style": style,
                "text": _plain(label),
                "value": " ".join(message.answers),
            }
            for decision, style, label in (
                ("approve", "primary", t("channel.button.approve")),
                ("reject", "danger", t("channel.button.reject")),
            )
        ]
        yield {"type": "actions", "block_id": _BLOCK, "elements": buttons}


def _plain(text: str) -> Mapping[str, Any]:
    return {"type": "plain_text", "text": text, "emoji": False}


def _escaped(text: str) -> str:
    return escape(text, quote=False)  # &, < and >: all that Slack's text asks for


async def post_to_slack(egress: Egress, url: str, message: Mapping[str, Any]) -> bool:
    """Post JSON to an address of Slack's, among the allowed hosts; tell whether it was taken."""
    timeout = httpx.Timeout(_SECONDS)
    try:
        async with egress.client(timeout=timeout, most_bytes=_MOST_BYTES) as client:
            return (await client.post(url, json=message)).is_success
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError, AgentError):
        return False
