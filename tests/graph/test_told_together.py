"""One utterance a break: what is told together, what waits on, what is dropped, nothing twice."""

from typing import Any

import pytest

from state.record import DecisionRecord
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import Harbour

GOAL = {"goal_relevance": 0.9}
LESS = {"goal_relevance": 0.8}
URGENT = {"goal_relevance": 0.9, "threat": 0.5}


async def happens_at(harbour: Harbour, text: str, place: str, **fields: Any) -> DecisionRecord:
    given = {"source": f"sensor-{place}", "entities": [place], "salience": GOAL, **fields}
    return await harbour.happens(text, **given)


async def told(harbour: Harbour) -> list[str]:
    """List what was said of events, oldest first."""
    await harbour.executive.resume_unfinished()
    records = [one for one in await harbour.records() if one.spoke and one.reason != "addressed"]
    return [one.text for one in reversed(records)]


async def outcomes(harbour: Harbour, *held: DecisionRecord) -> list[tuple[str, str]]:
    now = [await harbour.record(one.decision_id) for one in held]
    return [(one.outcome, one.reason.partition(":")[0]) for one in now]


async def test_a_break_hears_all_that_waits_for_it_and_the_best_first(harbour: Harbour) -> None:
    await harbour.says("be quiet for 60 minutes")
    muted = await happens_at(harbour, "Weed on the grating", "grating")
    await harbour.says("you can talk again")
    before = await told(harbour)
    harbour.pass_seconds(5)
    await harbour.signals(busy="call")
    lesser = await happens_at(harbour, "The ferry is early", "ferry", salience=LESS)
    best = await happens_at(harbour, "The sluice is stuck", "sluice")
    await harbour.signals("call_ended")
    heard = [one for one in await told(harbour) if one not in before]  # of one instant, any order
    assert heard == ["The sluice is stuck. Also: The ferry is early"]
    assert await outcomes(harbour, best, lesser) == [("spoke", "relevant"), ("merged", "told_with")]
    assert await outcomes(harbour, muted) == [("spoke", "relevant")]


async def test_what_is_about_one_thing_is_told_in_one_utterance(harbour: Harbour) -> None:
    await harbour.signals(busy="call")
    stuck = await happens_at(harbour, "Sluice gate does not close", "sluice")
    leak = await happens_at(harbour, "Water behind the second door", "sluice", source="probe")
    await harbour.signals("call_ended")
    assert await told(harbour) in (
        ["Water behind the second door. Also: Sluice gate does not close"],
        ["Sluice gate does not close. Also: Water behind the second door"],
    )
    endings = await outcomes(harbour, stuck, leak)
    assert sorted(endings) == [("merged", "told_with"), ("spoke", "relevant")]


async def test_what_happens_within_a_breath_is_told_in_two_utterances(harbour: Harbour) -> None:
    for place in ("ferry", "sluice", "quay", "crane", "pier"):
        await happens_at(harbour, f"News of the {place}", place)
    assert await told(harbour) == ["News of the ferry"]
    harbour.pass_seconds(30)
    await harbour.executive.release_due()
    _first, rest = await told(harbour)
    assert sorted(line.removeprefix("- ") for line in rest.splitlines() if line != "Also:") == [
        "News of the crane",
        "News of the pier",
        "News of the quay",
        "News of the sluice",
    ]


async def test_of_one_thing_in_other_figures_the_newest_is_told(harbour: Harbour) -> None:
    await harbour.signals(busy="call")
    older = await happens_at(harbour, "Sluice level 31 cm", "sluice")
    newer = await happens_at(harbour, "Sluice level 44 cm", "sluice")
    assert await outcomes(harbour, older, newer) == [("merged", "superseded_by"), ("held", "busy")]
    await harbour.signals("call_ended")
    assert await told(harbour) == ["Sluice level 44 cm"]


async def test_when_the_best_stays_silent_the_next_is_told_at_the_same_break(harbour: Harbour):
    await harbour.signals(busy="call")
    best = await happens_at(harbour, "The sluice is stuck", "sluice")
    lesser = await happens_at(harbour, "The ferry is early", "ferry", salience=LESS)
    await harbour.says("stop telling me about the sluice")
    await harbour.signals("call_ended")
    assert await told(harbour) == ["The ferry is early"]
    assert await outcomes(harbour, best, lesser) == [
        ("passed", "suppressed"),
        ("spoke", "relevant"),
    ]


async def test_a_pause_in_typing_is_no_break_in_a_call(harbour: Harbour) -> None:
    await harbour.signals(busy="call")
    held = await happens_at(harbour, "The sluice is stuck", "sluice")
    await harbour.signals("typing_pause")
    assert await outcomes(harbour, held) == [("held", "busy")]


async def test_after_a_mute_one_digest_tells_what_is_still_true(harbour: Harbour) -> None:
    await harbour.says("be quiet for 60 minutes")
    kept = [await happens_at(harbour, f"Gate {n} is stuck", f"gate {n}") for n in range(3)]
    over = await happens_at(harbour, "The ferry leaves", "ferry", expires_in_seconds=3_590)
    joke = await harbour.happens("A seal in a hat", source="cam", salience={"humor": 0.95})
    assert (joke.outcome, joke.reason) == ("passed", "muted")
    harbour.pass_seconds(3_601)
    await harbour.executive.release_due()
    (digest,) = await told(harbour)
    assert digest.startswith("While it was quiet, 3 things happened:")
    assert all(f"Gate {n} is stuck" in digest for n in range(3))
    endings = await outcomes(harbour, *kept)
    assert sorted(endings) == [("merged", "told_with")] * 2 + [("spoke", "relevant")]
    assert await outcomes(harbour, over) == [("passed", "expired")]
    assert await harbour.executive.initiative.next_due() is None


async def test_a_mute_with_nothing_true_any_more_ends_in_silence(harbour: Harbour) -> None:
    await harbour.says("be quiet for 60 minutes")
    for n in range(3):
        await happens_at(harbour, f"Gate {n} is stuck", f"gate {n}", expires_in_seconds=60)
    harbour.pass_seconds(3_601)
    while await harbour.executive.release_due():
        pass
    assert await told(harbour) == []
    assert await harbour.executive.initiative.next_due() is None


async def test_who_ends_the_quiet_hears_what_was_kept(harbour: Harbour) -> None:
    await harbour.says("be quiet for 60 minutes")
    await happens_at(harbour, "The sluice is stuck", "sluice")
    harbour.pass_seconds(60)
    await harbour.says("you can talk again")
    assert await told(harbour) == ["While it was quiet: The sluice is stuck"]


async def test_who_asks_what_was_missed_is_told_everything(harbour: Harbour) -> None:
    assert (await harbour.says("what did I miss?")).text == "You missed nothing."
    await harbour.signals(busy="call")
    held = []
    for n in range(2):
        held.append(await happens_at(harbour, f"Gate {n} is stuck", f"gate {n}"))
        harbour.pass_seconds(1)
    assert (await harbour.says("What did I miss?")).text == "- Gate 0 is stuck\n- Gate 1 is stuck"
    assert await outcomes(harbour, *held) == [("merged", "told_with")] * 2
    await harbour.signals("call_ended")
    assert await told(harbour) == []


async def test_what_comes_close_together_is_told_together(harbour: Harbour) -> None:
    first = await happens_at(harbour, "The sluice is stuck", "sluice")
    harbour.pass_seconds(4)
    second = await happens_at(harbour, "Water on the quay", "sluice", source="quay")
    harbour.pass_seconds(4)
    third = await happens_at(harbour, "Power is gone too", "sluice", source="power")
    assert [one.outcome for one in (first, second, third)] == ["spoke", "held", "held"]
    assert (second.timing, third.reason) == ("batched", "batch")
    harbour.pass_seconds(9)
    assert await harbour.executive.release_due() == 0
    harbour.pass_seconds(2)
    await harbour.executive.release_due()
    assert len(await told(harbour)) == 2
    assert sorted(await outcomes(harbour, second, third)) == [
        ("merged", "told_with"),
        ("spoke", "relevant"),
    ]


async def test_an_alarm_takes_its_batch_with_it(harbour: Harbour) -> None:
    await happens_at(harbour, "The sluice is stuck", "sluice")
    await happens_at(harbour, "Water on the quay", "sluice", source="quay")
    alarm = await happens_at(
        harbour, "The sluice bursts", "sluice", source="power", salience={"threat": 0.9}
    )
    assert alarm.text == "The sluice bursts. Also: Water on the quay"


@pytest.mark.parametrize("seconds", [3_600, 36_000])
async def test_hours_later_a_session_hears_one_utterance(harbour: Harbour, seconds: int) -> None:
    await harbour.signals(busy="call")
    held = [
        await happens_at(harbour, f"Gate {n} is stuck", f"gate {n}", salience=URGENT)
        for n in range(9)
    ]
    harbour.pass_seconds(seconds)
    while await harbour.executive.release_due():
        pass
    (said,) = await told(harbour)
    assert "- and 1 more" in said
    assert {ending for ending, _reason in await outcomes(harbour, *held)} == {"spoke", "merged"}


async def test_talk_waits_until_the_person_speaks(harbour: Harbour) -> None:
    await harbour.happens("A seal in a hat", salience={"humor": 0.95})
    assert await told(harbour) == []
    harbour.pass_seconds(20)
    await harbour.says("the tide is lovely tonight")
    # At the same instant as the answer.
    assert any(one.startswith("A seal in a hat") for one in await told(harbour))


async def test_talk_that_waited_too_long_has_faded(harbour: Harbour) -> None:
    joke = await harbour.happens("A seal in a hat", salience={"humor": 0.95})
    harbour.pass_seconds(150)
    await harbour.signals("prompt")
    await harbour.executive.resume_unfinished()
    assert await outcomes(harbour, joke) == [("passed", "faded")]


async def test_what_waits_outlives_a_restart_and_is_told_once(open_harbour: OpenHarbour) -> None:
    async with open_harbour() as before:
        await before.signals(busy="call")
        held = [await happens_at(before, f"Gate {n} is stuck", "gates") for n in range(3)]
    async with open_harbour() as after:
        for _time in range(2):
            await after.signals("call_ended")
            await after.executive.resume_unfinished()
        assert len(await told(after)) == 1
        endings = [ending for ending, _reason in await outcomes(after, *held)]
        assert "held" not in endings


async def test_a_release_that_came_to_nothing_holds_up_the_others_for_a_minute(harbour: Harbour):
    await harbour.signals(busy="call")
    stuck = await happens_at(harbour, "The sluice is stuck", "sluice", salience=URGENT)
    ferry = await happens_at(harbour, "The ferry is early", "ferry", salience=URGENT)
    harbour.pass_seconds(1_000)
    now = harbour.clock.now().timestamp()
    # As a process leaves it that died between the release and its own end.
    harbour.alter(
        f"update hold set released_at = {now}, released_by = 'expiry' "
        f"where decision_id = '{stuck.decision_id}'"
    )
    assert await harbour.executive.release_due() == 0
    harbour.pass_seconds(61)
    assert await harbour.executive.release_due() == 1
    assert await outcomes(harbour, ferry) == [("spoke", "relevant")]


async def test_a_second_joke_shortly_after_is_told_as_nothing_else(harbour: Harbour) -> None:
    first = await harbour.happens("A seal in a hat", salience={"humor": 0.95})
    await harbour.signals("prompt")
    await harbour.executive.resume_unfinished()
    harbour.pass_seconds(60)
    second = await harbour.happens(
        "Cat sat on the keyboard", source="cam", salience={"humor": 0.95}
    )
    await harbour.signals("prompt")
    await harbour.executive.resume_unfinished()
    assert await outcomes(harbour, first) == [("spoke", "relevant")]
    assert await outcomes(harbour, second) == [("silent", "recently_quipped")]
