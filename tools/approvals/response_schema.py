"""The form of an answer as JSON Schema, for surfaces that draw a form from it."""

from typing import Any

from state.approval import LedgerAction


def response_schema(standing: LedgerAction) -> dict[str, Any]:  # a JSON Schema
    """Describe our own answer to one action; a yes repeats its digest."""
    text = {"type": "string", "maxLength": 2_000}
    return {
        "type": "object",
        "required": ["decision", "payload_hash"],
        "additionalProperties": False,
        "properties": {
            "decision": {"enum": ["approve", "edit", "reject", "respond"]},
            "payload_hash": {"const": standing.digest},
            "arguments": {"type": "object", "description": "for edit: all of them"},
            "reason": text,
            "typed": {"type": "string", "maxLength": 200},
        },
    }
