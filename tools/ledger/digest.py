"""The digest that binds an approval to exactly one action, under exactly one policy."""

import hashlib
from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid5

from state.action import Action
from state.execution import ExecutionTuning
from tools.canonical_json import canonical_json, sorted_json
from tools.storage.seal import Seal

_NOT_OF_WHAT_RUNS = {"packs", "untrusted_asks_per_hour", "duplicate_minutes", "chosen_by"}
"""Overrides, settled by then, and what shapes who chooses and when people are asked: no yes is
stale for it."""
_ACTIONS = UUID("0f5d2a8e-5d52-5f3b-8f0a-0b6c3b8e7d21")


class Policies:
    """Tells under which thresholds an action stands, as one hash each."""

    def __init__(self, tuning: ExecutionTuning) -> None:
        self._tuning = tuning
        self._versions: dict[tuple[str, str], str] = {}

    def of(self, action: Action) -> ExecutionTuning:
        """Settle the thresholds of an action."""
        return self._tuning.of(action)

    def version_of(self, action: Action) -> str:
        """Hash the thresholds of an action, in hex; another hash is another policy."""
        key = (action.pack, action.name)
        if key not in self._versions:
            settled = self.of(action).model_dump(mode="json", exclude=_NOT_OF_WHAT_RUNS)
            self._versions[key] = hashlib.sha256(canonical_json(settled)).hexdigest()
        return self._versions[key]


def digest_of(
    *,
    tenant_id: str,
    action: str,
    schema_hash: str,
    policy_version: str,
    arguments: Mapping[str, Any],
    targets: Mapping[str, str],
) -> str:
    """Hash an action as it would run, in hex.

    Source: safety.md §2; RFC 8785 makes the JSON canonical, so equal arguments hash equally.

    Args:
        targets: what it concerns, and in which version each was seen.
    """
    canonical = canonical_json(
        {
            "tenant": tenant_id,
            "action": action,
            "schema": schema_hash,
            "policy": policy_version,
            "arguments": dict(arguments),
            "targets": dict(targets),
        }
    )
    return hashlib.sha256(canonical).hexdigest()


def result_hash(result: Mapping[str, Any]) -> str:
    """Hash what is kept of a result, in hex."""
    return hashlib.sha256(sorted_json(dict(result))).hexdigest()


def undo_seal(seal: Seal, action_id: str, told: Mapping[str, Any]) -> str:
    """Seal what undoes an action, or what it left; from a hash one could guess a secret."""
    return seal.over(b"undo " + sorted_json([action_id, dict(told)]))


def action_id_of(decision_id: str, digest: str) -> str:
    """Name an action so that proposing it again, after a crash or a replay, meets the first."""
    return str(uuid5(_ACTIONS, f"{decision_id}\x1f{digest}"))
