"""Examples shown in OpenAPI that several resources share: one story of an engine room."""

import json
from typing import Any

from api.http.problems import CONFLICT, INVALID, INVALID_ARGUMENTS, NOT_READY, Fault, Kind, Problem

Json = dict[str, Any]  # a document shown, never read

_DECISION_ID = "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001"
_ACTION_ID = "8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e"
_OFFER_ID = "offer-2f6f0a"
_DIGEST = "5d2c7b0a9f1e4c3386d1f0a2b4c6d8e0f1a3b5c7d9e1f3a5b7c9d1e3f5a7b9c1"

EVENT: Json = {
    "event_id": "alarm-7f3a",
    "kind": "ambient",
    "source": "engine_monitoring",
    "text": "Main engine cylinder 3 exhaust temperature 420 °C, rising",
    "session_id": "engine-room",
    "occurred_at": "2026-02-07T14:32:00Z",
    "salience": {"threat": 0.86, "novelty": 0.6, "actionability": 0.8},
    "entities": [{"type": "equipment", "value": "main engine"}],
}
EVENT_LINES = "\n".join(
    json.dumps(event)
    for event in (
        {"event_id": "a-1", "source": "engine_monitoring", "text": "Bilge level normal"},
        {"event_id": "a-2", "source": "engine_monitoring", "text": "Smoke in the purifier room"},
    )
)
ALERTS: Json = {
    "version": "4",
    "status": "firing",
    "receiver": "prefrontal",
    "alerts": [
        {
            "status": "firing",
            "labels": {"alertname": "DiskFull", "severity": "critical", "instance": "db-1"},
            "annotations": {"summary": "Disk of db-1 is 98 % full"},
            "startsAt": "2026-02-07T14:32:00Z",
            "endsAt": "0001-01-01T00:00:00Z",
            "fingerprint": "5ef77f1f8a3ecf8d",
        }
    ],
}
MESSAGE: Json = {"text": "close WO-1042, the filter is changed", "session_id": "engine-room"}
ACK: Json = {
    "event_id": "alarm-7f3a",
    "decision_id": _DECISION_ID,
    "duplicate": False,
    "status": "accepted",
}
RECORD: Json = {
    "event_id": "alarm-7f3a",
    "decision_id": _DECISION_ID,
    "outcome": "spoke",
    "spoke": True,
    "relevance": 0.58,
    "threshold": 0.524,
    "threat": 0.86,
    "timing": "immediate",
    "response_type": "alert",
    "output": "text",
    "path": "policy",
    "execution_class": None,
    "action": None,
    "arguments": None,
    "confidence": 0.8,
    "alternatives": [],
    "reason": "threat",
    "counterfactual": "below threat 0.8, relevance would decide",
    "text": "Cylinder 3 exhaust is at 420 °C and rising.",
    "elapsed_ms": 14.2,
    "session_id": "engine-room",
    "tenant_id": "default",
    "action_id": None,
    "offer_id": None,
    "recorded_at": "2026-02-07T14:32:00.120000Z",
}
TRACE: Json = {
    "record": RECORD,
    "event": EVENT,
    "stages": {"relevance": {"score": 0.58, "threshold": 0.524, "verdict": "alert"}},
    "thread_id": _DECISION_ID,
}
APPROVAL: Json = {
    "action_id": _ACTION_ID,
    "tenant_id": "default",
    "decision_id": _DECISION_ID,
    "action": "close_work_order",
    "pack": "vessel",
    "execution_class": "C",
    "arguments": {"work_order": "WO-1042", "note": "the filter is changed"},
    "digest": _DIGEST,
    "summary": "Close work order WO-1042",
    "state": "pending",
    "requester": "amir",
    "requester_roles": ["engineer"],
    "approver_roles": ["chief_engineer", "captain"],
    "quorum": 1,
    "four_eyes": False,
    "approvals": 0,
    "proposed_at": "2026-02-07T14:33:00Z",
    "expires_at": "2026-02-07T14:48:00Z",
    "started_at": None,
    "finished_at": None,
    "replaced_by": None,
    "decided_by": None,
    "reason": None,
    "result": None,
}
DIALOG: Json = {
    "title": "Close work order WO-1042",
    "headline": "",
    "words": '"close WO-1042, the filter is changed"',
    "words_of": "amir, 2026-02-07 14:33:00 UTC",
    "decision_id": _DECISION_ID,
    "facts": [{"label": "equipment", "value": '"main engine"'}],
    "changes": [{"label": "WO-1042, state", "value": '"open" → "closed"'}],
    "arguments": [{"label": "work order", "value": '"WO-1042"'}],
    "raised": [],
    "asked_by": "amir (engineer)",
    "may_answer": "chief_engineer or captain",
    "expires": "2026-02-07 14:48:00 UTC",
    "long": [],
    "type_to_approve": None,
    "digest": _DIGEST,
    "lines": [
        "Close work order WO-1042",
        'request: "close WO-1042, the filter is changed"',
        "said by: amir, 2026-02-07 14:33:00 UTC",
        'about: equipment: "main engine"',
        'changes: WO-1042, state: "open" → "closed"',
        'arguments: work order: "WO-1042"',
        f"decision: {_DECISION_ID}",
        f"digest: {_DIGEST}",
    ],
}
SHOWN: Json = APPROVAL | {"dialog": DIALOG}
SETTLED: Json = APPROVAL | {
    "state": "succeeded",
    "approvals": 1,
    "decided_by": "ingrid",
    "started_at": "2026-02-07T14:34:10Z",
    "finished_at": "2026-02-07T14:34:10Z",
    "result": {"text": "WO-1042 is closed.", "changed": ["WO-1042: open → closed"]},
}
APPROVE: Json = {"decision": "approve", "digest": _DIGEST}
REJECT: Json = {"decision": "reject", "digest": _DIGEST, "reason": "the filter is still on order"}
EDIT: Json = {
    "decision": "edit",
    "digest": _DIGEST,
    "arguments": {"work_order": "WO-1043", "note": "the filter is changed"},
}
RESPOND: Json = {"decision": "respond", "digest": _DIGEST, "reason": "order the filter first"}
EVIDENCE: Json = {"happened": True, "evidence": "WO-1042 is closed in the planning system"}
SHOWN_SETTLED: Json = SETTLED | {"dialog": DIALOG}
FINISHED: Json = SHOWN_SETTLED | {"settled_by": "ingrid", "evidence": EVIDENCE["evidence"]}
BATCH: Json = {"answers": [{"action_id": _ACTION_ID, **APPROVE}]}
BATCH_ANSWERED: Json = {
    "results": [
        {"action_id": _ACTION_ID, "status": 200, "approval": SHOWN_SETTLED, "problem": None}
    ]
}
NEW_REFUSAL: Json = {
    "action": "close_work_order",
    "arguments": {"work_order": "WO-1042"},
    "reason": "the filter is still on order",
    "minutes": 1440,
}
REFUSAL: Json = {
    "refusal_id": "5b8e6c0e-9d51-4b0e-b2b3-2f7f6f0f6c11",
    "tenant_id": "default",
    "action": "close_work_order",
    "arguments": {"work_order": "WO-1042"},
    "requester": None,
    "reason": "the filter is still on order",
    "created_by": "ingrid",
    "created_at": "2026-02-07T14:34:10Z",
    "until": "2026-02-08T14:34:10Z",
    "withdrawn_by": None,
    "withdrawn_at": None,
}
WITHDRAWN: Json = REFUSAL | {
    "withdrawn_by": "ingrid",
    "withdrawn_at": "2026-02-07T15:00:00Z",
}
OFFER: Json = {
    "offer_id": _OFFER_ID,
    "decision_id": _DECISION_ID,
    "tenant_id": "default",
    "session_id": "engine-room",
    "chips": [
        {
            "chip_id": "chip-1",
            "action": "add_note_to_work_order",
            "arguments": {"work_order": "WO-1042"},
            "missing_slots": ["note"],
            "summary": "Add a note to WO-1042",
            "confidence": 0.74,
        }
    ],
    "reason": "class_B",
    "found": "",
    "expires_at": "2026-02-07T15:03:00Z",
    "shown_to": "amir",
    "chosen": None,
    "chosen_by": None,
}
CHOICE: Json = {"chip_id": "chip-1", "arguments": {"note": "the filter is changed"}}
PAGE: Json = {
    "decisions": [RECORD],
    "next_cursor": f"1770474720.12/{_DECISION_ID}",
}
ASKED: Json = RECORD | {
    "event_id": "msg-19",
    "outcome": "awaiting_approval",
    "execution_class": "C",
    "action": "close_work_order",
    "arguments": APPROVAL["arguments"],
    "spoke": False,
    "response_type": None,
    "output": "silent",
    "reason": "class_C",
    "counterfactual": "approval by chief engineer or captain runs it; "
    "rejection or silence does not",
    "text": "Approval required: Close work order WO-1042: the filter is changed",
    "action_id": _ACTION_ID,
    "offer": None,
    "approval": APPROVAL,
}
NOTICES = f'id: 41\nevent: approval\ndata: {{"action_id":"{_ACTION_ID}","state":"pending"}}\n\n'


def problem_example(kind: Kind) -> Json:
    """Show a problem of a kind."""
    faults = (
        [Fault("text", "is missing")]
        if kind is INVALID
        else [Fault("arguments", "work_order: WO-9 is not known")]
        if kind is INVALID_ARGUMENTS
        else []
    )
    members: Json = {}
    if kind is CONFLICT:
        members = {"standing": "rejected"}
    elif kind is NOT_READY:
        members = {"reasons": ["the database does not answer"]}
    problem = Problem(kind, kind.title, faults=faults, members=members)
    return problem.body(instance="/v1/…", request_id="3f0c2a")
