"""Parse the answer to an approval from five wire formats, and describe our own as JSON Schema."""

from collections.abc import Mapping
from typing import Any

import rfc8785
from pydantic import ValidationError

from state.action import Action
from state.approval import ApprovalAnswer, LedgerAction
from state.errors import BadInput
from state.noun import clean_json
from tools.catalog import parse_slot_values
from tools.gate.redaction import masked_arguments, restore_masked


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


Given = Mapping[str, Any]  # JSON of somebody else

_OWN = {
    *("decision", "digest", "payload_hash", "approval_id"),
    *("arguments", "edited_args", "reason", "message", "typed", "standing"),
}
_HASH = {"payload_hash"}
_READ_FROM_TEXT = ("integer", "number", "boolean", "list")


def read_answer(given: Any, standing: LedgerAction, action: Action) -> ApprovalAnswer | None:
    """Read an answer to `standing` in any form we take; None: it is none.

    Our own `{decision, digest, ...}`; A (Agent Inbox) `[{type, args}]`; B (HITL middleware)
    `{decisions: [decision]}`; C one such decision; E (AG-UI) `{approved, editedArgs?, typed?}`
    or `[{interruptId, status, payload?}]`. Beside each form an approve may carry `payload_hash`.
    """
    try:
        clean_json(given)
        return _Reading(standing, action).read(given)
    except (ValidationError, BadInput, ValueError, TypeError, RecursionError):
        return None


class _Reading:
    def __init__(self, standing: LedgerAction, action: Action) -> None:
        self._standing = standing
        self._action = action
        self._shown = masked_arguments(action, standing.arguments)

    def read(self, given: Any) -> ApprovalAnswer | None:  # JSON of somebody else
        if isinstance(given, list):
            if len(given) != 1 or not isinstance(given[0], dict):
                return None
            return self._resumed(given[0]) if "status" in given[0] else self._inbox(given[0])
        if not isinstance(given, dict):
            return None
        if "decision" in given:
            return self._own(given)
        if "approved" in given:
            return self._approved(given)
        if "decisions" in given:
            return self._batched(given)
        return self._decision(given)

    def _own(self, given: Given) -> ApprovalAnswer | None:
        if not set(given) <= _OWN:
            return None
        names = (("digest", "payload_hash"), ("arguments", "edited_args"), ("reason", "message"))
        if any(one in given and other in given for one, other in names):
            return None
        if given.get("approval_id", self._standing.action_id) != self._standing.action_id:
            return None
        answer = {key: given[key] for key in ("decision", "typed", "standing") if key in given}
        for name, alias in names:
            if name in given or alias in given:
                answer[name] = given.get(name, given.get(alias))
        if answer["decision"] in ("reject", "respond"):
            answer.setdefault("digest", self._standing.digest)
        if isinstance(answer.get("arguments"), dict):
            answer["arguments"] = self._uncovered(answer["arguments"])
        return _checked(answer)

    def _inbox(self, given: Given) -> ApprovalAnswer | None:
        """Read A, the answer of Agent Inbox."""
        if not _has(given, {"type", "args"}, _HASH):
            return None
        args = given["args"]
        match given["type"]:
            case "accept":
                if args is None:
                    return self._yes(given)
                return (
                    self._yes({"payload_hash": self._standing.digest})
                    if (
                        self._repeats(args, "action")
                        and given.get("payload_hash", self._standing.digest)
                        == self._standing.digest
                    )
                    else None
                )
            case "edit":
                return self._edit(args, "action")
            case "ignore":
                return self._no(None) if args is None else None
            case "response":
                return self._say(args)
            case _:
                return None

    def _batched(self, given: Given) -> ApprovalAnswer | None:
        """Read B: as many decisions as were asked for, which is one."""
        decisions = given["decisions"]
        if set(given) != {"decisions"} or not isinstance(decisions, list) or len(decisions) != 1:
            return None
        return self._decision(decisions[0]) if isinstance(decisions[0], dict) else None

    def _decision(self, given: Given) -> ApprovalAnswer | None:
        """Read C, one decision of the HITL middleware."""
        match given.get("type"):
            case "approve" if _has(given, {"type"}, _HASH | {"action"}):
                if "action" in given and not self._repeats(given["action"], "name"):
                    return None
                if "action" in given and "payload_hash" not in given:
                    return self._yes({"payload_hash": self._standing.digest})
                return self._yes(given)
            case "edit" if _has(given, {"type", "edited_action"}, set()):
                return self._edit(given["edited_action"], "name")
            case "reject" if _has(given, {"type"}, {"message"}):
                return self._no(given.get("message"))
            case "respond" if _has(given, {"type", "message"}, set()):
                return self._say(given["message"])
            case _:
                return None

    def _resumed(self, given: Given) -> ApprovalAnswer | None:
        """Read E, one entry of AG-UI's `resume`."""
        if not _has(given, {"status"}, {"interruptId", "payload", "metadata"}):
            return None
        if given.get("interruptId", self._standing.action_id) != self._standing.action_id:
            return None  # an answer to another question
        payload = given.get("payload")
        if given["status"] == "cancelled":
            return self._no(None) if payload is None else None
        if given["status"] != "resolved" or not isinstance(payload, dict):
            return None
        return self._approved(payload) if "approved" in payload else None

    def _approved(self, given: Given) -> ApprovalAnswer | None:
        """Read the payload that AG-UI recommends."""
        if not _has(given, {"approved"}, _HASH | {"editedArgs", "reason", "typed"}):
            return None
        edited = given.get("editedArgs")
        if given["approved"] is False:
            return self._no(given.get("reason")) if edited is None else None
        if given["approved"] is not True:
            return None
        if edited is None:
            return self._yes(given)
        if given.get("payload_hash") != self._standing.digest:
            return None  # it names no action: nothing else tells what it is an edit of
        return self._edit({"action": self._standing.action, "args": edited}, "action")

    def _yes(self, given: Given) -> ApprovalAnswer | None:
        if given.get("payload_hash") != self._standing.digest:
            return None
        typed = {"typed": given["typed"]} if "typed" in given else {}
        return _checked({"decision": "approve", "digest": self._standing.digest, **typed})

    def _no(self, message: Any) -> ApprovalAnswer | None:
        answer = {"decision": "reject", "digest": self._standing.digest, "reason": message}
        return _checked(answer)

    def _say(self, message: Any) -> ApprovalAnswer | None:
        if not isinstance(message, str) or not message.strip():
            return None
        answer = {"decision": "respond", "digest": self._standing.digest, "reason": message}
        return _checked(answer)

    def _edit(self, given: Any, name: str) -> ApprovalAnswer | None:
        if not isinstance(given, dict) or not _has(given, {name, "args"}, set()):
            return None
        args = given["args"]
        if given[name] != self._standing.action or not isinstance(args, dict):
            return None
        return _checked(
            {
                "decision": "edit",
                "digest": self._standing.digest,
                "arguments": self._typed(self._uncovered(args)),
            }
        )

    def _repeats(self, given: Any, name: str) -> bool:
        if not isinstance(given, dict) or not _has(given, {name, "args"}, set()):
            return False
        if given[name] != self._standing.action or not isinstance(given["args"], dict):
            return False
        repeated = rfc8785.dumps(given["args"])
        return repeated in (
            rfc8785.dumps(self._shown),
            rfc8785.dumps(dict(self._standing.arguments)),
        )

    def _uncovered(self, args: Given) -> dict[str, Any]:
        return restore_masked(self._action, args, self._standing.arguments)

    def _typed(self, args: Given) -> dict[str, Any]:
        """Read the values that a form sent as text, where the slot is not one of texts."""
        texts = {
            name: value
            for name, value in args.items()
            if isinstance(value, str) and _is_read_from_text(self._action, name)
        }
        return {**args, **parse_slot_values(self._action, texts)}


def _is_read_from_text(action: Action, name: str) -> bool:
    slot = action.slots.get(name)
    return slot is not None and (slot.type in _READ_FROM_TEXT or slot.many)


def _has(given: Given, needed: set[str], allowed: set[str]) -> bool:
    return needed <= set(given) <= needed | allowed


def _checked(answer: Mapping[str, Any]) -> ApprovalAnswer | None:
    read = ApprovalAnswer.model_validate(answer)
    return None if (read.decision == "edit") != (read.arguments is not None) else read
