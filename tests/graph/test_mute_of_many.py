"""An hour's mute over fifty topics ends in one digest of what is still true."""

from tests.graph.harbour import Harbour
from tests.graph.test_told_together import happens_at, told

TOPICS = 50
OVER = 10
"""So many are over before the mute is: they are true for five minutes."""


def _of(topic: int) -> str:
    return f"Gate {chr(65 + topic % 26) * (1 + topic // 26)} stands at"


async def test_an_hours_mute_over_fifty_topics_ends_in_one_digest(harbour: Harbour) -> None:
    await harbour.says("be quiet for an hour")
    for metres in (3, 5):
        for n in range(TOPICS):
            await happens_at(
                harbour,
                f"{_of(n)} {metres} m",
                f"gate {n}",
                salience={"goal_relevance": 0.8 + n / 1_000},
                expires_in_seconds=300 if n < OVER else 7_200,
            )
        harbour.pass_seconds(1_200)
        await harbour.executive.release_due()
    assert await told(harbour) == []
    await harbour.says("you can talk again")
    (digest,) = await told(harbour)
    first, *shown, last = digest.splitlines()
    assert first == f"While it was quiet, {TOPICS - OVER} things happened:"
    best = range(TOPICS - 1, TOPICS - 1 - len(shown), -1)
    assert shown == [f"- {_of(n)} 5 m" for n in best]
    assert last == f"- and {TOPICS - OVER - len(shown)} more"
    assert await harbour.executive.initiative.next_due() is None
    harbour.pass_seconds(3_600)
    await harbour.executive.release_due()
    assert await told(harbour) == [digest]
