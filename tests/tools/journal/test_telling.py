"""A decision is told in one sentence, in the words it was taken in."""

import pytest

from state.note import NotedDecision
from tools.journal.searching.telling import told


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
    assert told(note) == "use oak, because it lasts"
