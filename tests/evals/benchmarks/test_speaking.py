from pathlib import Path

import pytest

from evals.benchmarks import attention as speaking


async def test_stages_tick_stream_and_flood_are_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speaking, "HOLDS", 20)
    measured = [one async for one in speaking.measure(tmp_path, runs=3)]

    assert [one.goal for one in measured] == ["p95 ≤ 3", "≤ 1", "≥ 100", "≥ 150"]
    assert all(one.p50 > 0 for one in measured)


def test_a_day_is_the_same_each_time_and_lasts_a_day() -> None:
    events = list(speaking.day())
    assert events[:500] == list(speaking.day(500))
    assert events[0].occurred_at is not None
    assert events[-1].occurred_at is not None
    assert 0.9 < (events[-1].occurred_at - events[0].occurred_at).total_seconds() / 86_400 < 1.1
