"""The journal's nouns refuse what they cannot mean."""

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from state.errors import BadInput
from state.journal import Decision, DecisionFilters, DecisionStatus

NOON = datetime(2026, 6, 14, 12, tzinfo=UTC)


def test_a_decision_is_active_until_something_supersedes_it() -> None:
    made = Decision(id="d", session_id="s", title="Sail", decision="sail at noon", confidence=0.9)
    assert made.status is DecisionStatus.ACTIVE
    assert Decision.model_validate_json(made.model_dump_json()) == made


def test_a_decision_says_something() -> None:
    with pytest.raises(ValidationError, match="decision"):
        Decision(id="d", session_id="s", title="Sail", decision="", confidence=0.9)


def test_a_span_of_time_goes_forward() -> None:
    with pytest.raises(BadInput, match="must be before"):
        DecisionFilters(since=NOON, until=NOON)
