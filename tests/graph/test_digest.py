"""What was passed over is in reach of who asks what they missed; what is over drops out."""

import json
from typing import Any

import pytest

from tests.graph.harbour import Harbour

WORTH = {"goal_relevance": 0.4}
"""Too little for a word at once, and enough for a digest."""
NOTHING = {"goal_relevance": 0.15}


async def _asked(harbour: Harbour) -> list[str]:
    answer = await harbour.says("what did I miss?")
    return [line.removeprefix("- ") for line in answer.text.splitlines()]


async def _happens(harbour: Harbour, *texts: str, **fields: Any) -> None:
    for text in texts:
        harbour.pass_seconds(20)
        record = await harbour.happens(text, **{"salience": WORTH, **fields})
        assert not record.spoke


async def test_who_asks_hears_what_was_passed_over_best_first_and_once(harbour: Harbour) -> None:
    await _happens(harbour, "The price of ice rose")
    await _happens(harbour, "The crane is free", salience={"goal_relevance": 0.45})
    await _happens(harbour, "A gull passed", salience=NOTHING)
    assert await _asked(harbour) == ["The crane is free", "The price of ice rose"]
    assert await _asked(harbour) == ["You missed nothing."]


@pytest.mark.parametrize(
    ("happened", "left"),
    [
        (("Ice at 40 boxes", "Ice at 12 boxes"), ["Ice at 12 boxes"]),
        (("Bilge pump stuck", "Bilge pump stuck: resolved"), []),
        (("Bilge pump stuck", "Mail for the harbour resolved"), ["Bilge pump stuck"]),
    ],
)
async def test_of_one_matter_only_how_it_stands_now_is_told(
    harbour: Harbour, happened: tuple[str, ...], left: list[str]
) -> None:
    first, second = happened
    await _happens(harbour, first)
    is_end = second.endswith("resolved")
    await _happens(
        harbour,
        second,
        salience=NOTHING if is_end else WORTH,
        payload={"alert": {"status": "resolved"}} if is_end else {},
    )
    assert await _asked(harbour) == (left or ["You missed nothing."])


async def test_after_a_day_nobody_asks_and_of_many_the_best_are_kept(harbour: Harbour) -> None:
    await _happens(harbour, "The price of ice rose")
    harbour.pass_seconds(86_400)
    names = [f"Boat {chr(97 + n % 26)}{chr(97 + n // 26)} is in" for n in range(40)]
    for n, name in enumerate(names):
        await _happens(harbour, name, salience={"goal_relevance": 0.3 + n / 500})
    session = await harbour.session()
    assert {one.text for one in session.missed} == set(names[-30:])


async def test_what_was_told_and_what_was_left_alone_is_not_missed(harbour: Harbour) -> None:
    await harbour.happens("The sluice is stuck", salience={"goal_relevance": 0.9})
    await harbour.says("stop telling me about weed")
    await _happens(harbour, "Weed on the grating")
    harbour.pass_seconds(5)
    await _happens(harbour, "The sluice is stuck", salience={"goal_relevance": 0.9})
    assert await _asked(harbour) == ["You missed nothing."]


async def test_what_waited_and_has_become_dull_ends_there(harbour: Harbour) -> None:
    await harbour.signals(busy="call")
    waiting = await harbour.happens("The ferry is early", salience={"goal_relevance": 0.8})
    assert waiting.outcome == "held"
    now = harbour.clock.now().timestamp()
    bored = json.dumps(
        {"buoy|ambient|": {"level": 0.9, "at": now, "seen": {"goal_relevance": 0.8}}}
    )
    harbour.alter(f"update session set state = json_set(state, '$.familiar', json('{bored}'))")
    harbour.pass_seconds(5)
    await harbour.signals("call_ended")
    ended = await harbour.executive.decide(waiting.decision_id)
    assert (ended.outcome, ended.reason) == ("passed", "dull")
