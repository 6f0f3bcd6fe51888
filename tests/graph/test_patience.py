"""What fails again and again is tried ever later, and one that went well is forgotten."""

from graph.execution.retry import AT_ONCE, LONGEST_SECONDS, Backoff


def test_a_decision_that_fails_is_tried_ever_later_and_counted() -> None:
    now = 0.0
    patience = Backoff(read=lambda: now)
    tries: list[float] = []
    while now < 3 * 3600:
        if patience.is_due("poisoned"):
            tries.append(now)
            assert patience.note("poisoned") == len(tries)
        assert patience.is_due("another")
        now += 1.0
    assert tries[:AT_ONCE] == [0.0, 1.0, 2.0]
    assert len(tries) < 200
    assert 3 * 3600 - tries[-1] <= LONGEST_SECONDS
    patience.forget("poisoned")
    assert patience.is_due("poisoned")
