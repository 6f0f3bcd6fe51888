"""What waits is told to whoever asks what was missed, quiet or not."""

import pytest

from tests.graph.harbour import Harbour
from tests.graph.test_told_together import happens_at, outcomes, told


@pytest.mark.parametrize("hush", ["be quiet for 60 minutes", "quiet hours from 15:00 to 18:00"])
async def test_no_quiet_keeps_what_was_missed_from_who_asks(harbour: Harbour, hush: str) -> None:
    await harbour.says(hush)
    strong = await happens_at(harbour, "The sluice is stuck", "sluice")
    weak = await happens_at(
        harbour, "Weed on the grating", "grating", salience={"goal_relevance": 0.5}
    )
    over = await happens_at(harbour, "The ferry leaves", "ferry", expires_in_seconds=10)
    harbour.pass_seconds(60)
    answer = await harbour.says("What did I miss?")
    assert sorted(answer.text.splitlines()) == ["- The sluice is stuck", "- Weed on the grating"]
    assert await outcomes(harbour, strong, weak) == [("merged", "told_with")] * 2
    assert await outcomes(harbour, over) == [("passed", "expired")]
    standing = await harbour.executive.controls.standing("default", "default")
    assert (standing.is_quiet, standing.waiting) == (True, ())


async def test_a_signal_asks_nothing_and_the_quiet_holds(harbour: Harbour) -> None:
    await harbour.signals(busy="call")
    queued = await happens_at(harbour, "The ferry is early", "ferry")
    await harbour.says("be quiet for 60 minutes")
    kept = await happens_at(harbour, "The sluice is stuck", "sluice")
    await harbour.signals("prompt")
    assert await told(harbour) == []
    assert {outcome for outcome, _reason in await outcomes(harbour, queued, kept)} == {"held"}
