"""A decision is told in one sentence, in the words it was taken in."""

import pytest

from state.journal import DecisionStatus
from state.note import NotedDecision
from tools.journal.decision_recall import decision_line


@pytest.mark.parametrize("rationale", ["it lasts", "Because it lasts", " because\nit lasts"])
def test_a_reason_is_given_once(rationale: str) -> None:
    note = NotedDecision(
        note_id="n",
        decision_id="d",
        decision="use oak",
        rationale=rationale,
        confidence=1.0,
        decided_at=None,
    )
    assert decision_line(note) == "use oak, because it lasts"


def test_a_decision_of_unknown_status_is_told_as_one() -> None:
    note = NotedDecision(
        note_id="n",
        decision_id="d",
        decision="use oak",
        confidence=1.0,
        decided_at=None,
        origin="record",
        status=DecisionStatus.UNKNOWN,
        source="a.md",
    )
    assert decision_line(note) == "use oak (read from a.md, status unknown)"
