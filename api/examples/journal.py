"""The examples of the journal shown in OpenAPI."""

from typing import Any

Json = dict[str, Any]  # a document shown, never read

IMPORT: Json = {
    "messages": [
        {"message_id": "m1", "session_id": "mess", "speaker": "ann", "content": "Shall we sail?"},
        {"message_id": "m2", "session_id": "mess", "speaker": "bo", "content": "Agreed."},
    ]
}
IMPORTED: Json = {
    "messages": [
        {
            "message_id": "m2",
            "is_decision": True,
            "confidence": 0.94,
            "decision_id": "dec-0f3a5b7c9d1e2f40",
            "reasons": ["accepts +5.5"],
        }
    ],
    "records": [],
    "added": 1,
    "changed": 0,
    "same": 0,
}
DECISION: Json = {
    "id": "dec-0f3a5b7c9d1e2f40",
    "timestamp": "2026-06-14T12:00:00Z",
    "session_id": "mess",
    "tenant_id": "mv-aurora",
    "title": "sail",
    "decision": "sail",
    "confidence": 0.94,
    "decision_maker": "ann",
    "stakeholders": ["ann", "bo"],
    "evidence": {"decision": [{"message_id": "m1", "start": 9, "end": 13}]},
}
FOUND: Json = {
    "decisions": [
        {
            "decision": DECISION,
            "score": 1.0,
            "lexical": 1.0,
            "similarity": 0.71,
            "snippet": "‹sail›",
        }
    ]
}
EXPORTED = '{"id": "dec-0f3a5b7c9d1e2f40", "title": "sail", "decision": "sail", "…": "…"}\n'
CHAIN: Json = {
    "original": DECISION,
    "revisions": [],
    "current": DECISION,
    "links": [],
    "left_out": 0,
}
DRIFT: Json = {
    "entries": 120,
    "without_vectors": 0,
    "text_is_whole": True,
    "dated_ahead": 0,
    "dates_mended": 0,
    "index": {
        "vectors": 240,
        "missing": 0,
        "surplus": 0,
        "behind": 0,
        "sampled": 40,
        "unfound": 0,
        "problem": "",
    },
}
NEW_LINK: Json = {
    "newer": "dec-9c7d1e2f400f3a5b",
    "older": "dec-0f3a5b7c9d1e2f40",
    "reason": "the tide was misread",
    "scope": "full",
}
LINK: Json = {
    **NEW_LINK,
    "link_id": 3,
    "standing": "accepted",
    "source": "person",
    "confidence": 1.0,
    "made_by": "ann",
    "made_at": "2026-06-15T08:00:00Z",
    "settled_by": "ann",
    "settled_at": "2026-06-15T08:00:00Z",
}
LINKS: Json = {"links": [LINK]}
SETTLE: Json = {"accept": True}
