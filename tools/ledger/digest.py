"""The digest that binds an approval to exactly one action."""

import hashlib
from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid5

import rfc8785

_ACTIONS = UUID("0f5d2a8e-5d52-5f3b-8f0a-0b6c3b8e7d21")


def digest_of(
    *, tenant_id: str, action: str, schema_hash: str, arguments: Mapping[str, Any]
) -> str:
    """Hash an action as it would run, in hex.

    Source: safety.md §2; RFC 8785 makes the JSON canonical, so equal arguments hash equally.
    """
    canonical = rfc8785.dumps(
        {
            "tenant": tenant_id,
            "action": action,
            "schema": schema_hash,
            "arguments": dict(arguments),
        }
    )
    return hashlib.sha256(canonical).hexdigest()


def action_id_of(decision_id: str, digest: str) -> str:
    """Name an action so that proposing it again, after a crash or a replay, meets the first."""
    return str(uuid5(_ACTIONS, f"{decision_id}\x1f{digest}"))
