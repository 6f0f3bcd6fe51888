"""Request and response types of the query log and of metrics, with their examples."""

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from state.cursor import Cursor
from state.event import Instant
from state.noun import Noun
from state.query import Query

Json = dict[str, Any]  # a document shown, never read

OBSERVATION: Json = {"action": "add_note_to_work_order", "arguments": {"work_order": "WO-1042"}}
QUERY: Json = {
    "timestamp": "2026-02-07T14:32:00Z",
    "session_id": "engine-room",
    "yacht_id": "mv-aurora",
    "user_role": "engineer",
    "query": {
        "raw_text": "add note filter replaced on generator",
        "normalized": "add note filter replaced on generator",
        "tokens": ["add", "note", "filter", "replaced", "on", "generator"],
    },
    "routing": {
        "verb_family": "add",
        "predicted_action": "add_note_to_work_order",
        "confidence": 0.87,
        "alternatives": [{"action": "add_note", "confidence": 0.72}],
        "execution_class": "suggest",
        "reasons": [],
        "collision": "none",
        "phase": "general",
    },
    "entities": [{"type": "part", "value": "filter", "confidence": 0.85, "span": [9, 15]}],
    "outcome": {
        "chips_shown": ["add_note_to_work_order", "add_note"],
        "action_executed": "add_note_to_work_order",
        "execution_method": "chip_click",
        "time_to_action_ms": 1200.0,
        "undo_triggered": False,
        "chip_chosen": "add_note_to_work_order",
        "chip_position": 1,
        "chip_ordering": "confidence",
        "action_observed": "add_note_to_work_order",
        "collision_observed": "none",
        "decision": "offered",
    },
    "decision_id": "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
    "user": "amir",
    "action_id": "8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e",
    "offer_id": "offer-2f6f0a",
}
QUERIES: Json = {
    "queries": [QUERY],
    "next_cursor": "1770474720.0/0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
}
GAPS: Json = {
    "known": 40,
    "agreed": 37,
    "gaps": [
        {
            "predicted": "show_equipment_overview",
            "done": "show_equipment_history",
            "by": "observed",
            "collision": "suggestion_worthy",
            "count": 3,
            "share": 0.075,
            "examples": ["how was the generator lately"],
        }
    ],
}
_REGRETTED: Json = {
    "events": 240,
    "spoken": 31,
    "utterances": 3,
    "silences": 1,
    "utterances_per_100": 1.25,
    "silences_per_100": 0.42,
}
REGRETS: Json = {
    "total": _REGRETTED,
    "weeks": [{**_REGRETTED, "week": "2026-02-02"}],
    "sources": [{**_REGRETTED, "source": "tank_sensor"}],
    "newest": [
        {
            "decision_id": "7c1f0f0e-2a52-5d1e-8a10-0d2f6a7b9c11",
            "session_id": "engine-room",
            "source": "tank_sensor",
            "kind": "silence",
            "cause": "should_have_told",
            "decided_at": "2026-02-07T14:32:00Z",
            "at": "2026-02-07T14:40:00Z",
        }
    ],
}
_RATE: Json = {"value": 0.75, "n": 20, "low": 0.53, "high": 0.89}
METRICS: Json = {
    "queries": 120,
    "by_class": {"auto": 70, "suggest": 30, "confirm": 20},
    "by_phase": {"general": 120},
    "offers": 30,
    "chosen": {"value": 0.667, "n": 30, "low": 0.49, "high": 0.81},
    "said": {"value": 0.25, "n": 20, "low": 0.11, "high": 0.47},
    "primary_chosen": _RATE,
    "positions": {"1": _RATE},
    "time_to_action_ms": {"median": 900.0, "p95": 5200.0},
    "executions": {"auto": 70, "chip_click": 11, "chip_said": 4, "confirmation": 16},
    "undone": {"add_note": {"value": 0.1, "n": 10, "low": 0.02, "high": 0.4}},
    "accepted": {"close_work_order": {"value": 0.8, "n": 20, "low": 0.58, "high": 0.92}},
    "collisions": {"none": 110, "suggestion_worthy": 10},
    "collisions_observed": {"none": 37, "suggestion_worthy": 3},
    "orderings": {"confidence": _RATE},
    "hard_false_positives": 0,
}
_ALWAYS: Json = {"value": 1.0, "n": 42, "low": 0.92, "high": 1.0}
_RATES: Json = {
    "turns": 120,
    "direct_search_tool_call_rate": {"value": 0.976, "n": 42, "low": 0.88, "high": 1.0},
    "clarification_first_rate": {"value": 0.024, "n": 42, "low": 0.0, "high": 0.12},
    "recency_filter_compliance_rate": _ALWAYS,
    "stage_transition_success_rate": _ALWAYS,
}
QUALITY: Json = {
    **_RATES,
    "pack": "research",
    "since": "2026-02-01T00:00:00Z",
    "intents": {"analysis": 18, "direct_search": 42, "general": 60},
    "missed": [
        {
            "decision_id": "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
            "at": "2026-02-07T14:32:00Z",
            "intent": "direct_search",
            "action": "search_papers",
            "misses": ["clarified_first"],
        }
    ],
}
QUALITY_HISTORY: Json = {
    "pack": "research",
    "aggregate_minutes": 60,
    "buckets": [{**_RATES, "start": "2026-02-07T14:00:00Z"}],
}
SCRAPED = """\
# HELP prefrontal_direct_search_tool_call_ratio Turns that force a read, and called it.
# TYPE prefrontal_direct_search_tool_call_ratio gauge
prefrontal_direct_search_tool_call_ratio{tenant="default",pack="research"} 0.976
"""


_SECONDS = re.compile(r"(?![0-9]{8}\Z)[0-9]{1,12}(\.[0-9]{1,9})?", re.ASCII)
"""Eight digits are a day in ISO 8601; any other number counts seconds."""


def _number_of(value: object) -> object:
    """Read a number that was sent as text: in an address everything is text."""
    if isinstance(value, str) and _SECONDS.fullmatch(value):
        return float(value)
    return value


Since = Annotated[Instant, BeforeValidator(_number_of)]


class QueryFilter(Noun):
    """Which queries to list."""

    since: Since | None = Field(default=None, description="ISO time, or seconds since 1970")
    limit: int = Field(default=100, ge=1, le=500)
    cursor: str | None = Field(
        default=None,
        pattern=r"^[0-9]{1,12}(\.[0-9]{1,9})?/[0-9a-f-]{36}$",
        description="`next_cursor` of the page before",
    )


class SinceFilter(Noun):
    """From when on to count."""

    since: Since | None = Field(default=None, description="ISO time, or seconds since 1970")


class HistoryFilter(SinceFilter):
    """How to cut the past into spans."""

    aggregate_minutes: int = Field(
        default=60, ge=1, le=527_040, description="length of a span; the longest is a year"
    )


class QueryPage(Noun):
    """Queries, oldest first."""

    queries: tuple[Query, ...]
    next_cursor: str | None = Field(description="null on the last page")


def seconds_of(since: Instant | None) -> float:
    """Give a moment in seconds since 1970; none: from the first on."""
    return since.timestamp() if since else 0.0


def written(place: Cursor) -> str:
    """Write a place down as a cursor."""
    return f"{place.recorded_at!r}/{place.decision_id}"
