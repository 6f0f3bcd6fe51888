"""The page of grants, patterns in words, and the examples that the OpenAPI document shows."""

from typing import Any

from api.schemas.common import NextCursor
from state.grant import ArgumentPattern, Grant
from state.noun import Noun
from tools.platform.texts import t
from tools.platform.unicode_safety import neutralize_value

Json = dict[str, Any]


class GrantList(Noun):
    """Grants that can still be used, newest first."""

    grants: tuple[Grant, ...]
    next_cursor: NextCursor = None


def pattern_words(pattern: ArgumentPattern) -> str:
    """Say in words what an argument may be."""
    if pattern.any:
        return t("gate.grant.words_any")
    if pattern.at_most is not None:
        return t("gate.grant.words_at_most", most=pattern.at_most)
    shown = (neutralize_value(one, is_exact=True) for one in pattern.one_of or (pattern.equals,))
    return t("gate.grant.words_or").join(shown)


NEW_GRANT: Json = {
    "action_id": "8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e",
    "digest": "5d2c7b0a9f1e4c3d8b6a7e5f4d3c2b1a0f9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c",
    "arguments": {
        "work_order": {"one_of": ["WO-1042", "WO-1043"]},
        "note": {"any": True},
    },
    "minutes": 480,
    "uses": 10,
}
GRANT: Json = {
    "grant_id": "7c1f0c3e-5b0d-4c55-9b0e-1d2a4f6b8c90",
    "tenant_id": "default",
    "action": "close_work_order",
    "pack": "vessel",
    "schema_hash": "1f0e9d8c7b6a5f4e3d2c1b0a9f8e7d6c5b4a3f2e1d0c9b8a7f6e5d4c3b2a1f0e",
    "arguments": NEW_GRANT["arguments"],
    "requester": "maintenance-agent",
    "agent": "maintenance-agent",
    "raised": [],
    "currency": "",
    "granted_by": "ingrid",
    "action_id": NEW_GRANT["action_id"],
    "digest": NEW_GRANT["digest"],
    "created_at": "2026-02-07T14:34:10Z",
    "until": "2026-02-07T22:34:10Z",
    "uses": 10,
    "uses_left": 10,
    "amount": None,
    "amount_left": None,
    "revoked_by": None,
    "revoked_at": None,
}
REVOKED: Json = GRANT | {"revoked_by": "ingrid", "revoked_at": "2026-02-07T15:00:00Z"}
