"""Why is it silent now, until when, and how is that ended?"""

from datetime import timedelta

import pytest

from state.attention import QuietHours
from state.talk import TalkRequest
from tests.graph.harbour import KEEPER, Harbour
from tests.stages import NOW

GOAL = {"goal_relevance": 0.9}


async def test_nothing_keeps_it_silent_at_first(harbour: Harbour) -> None:
    standing = await harbour.executive.attention.standing("default", "default")
    assert (standing.is_quiet, standing.reason, standing.until) == (False, "free", None)
    assert standing.threshold == standing.usual_threshold == 0.5
    assert "relevance 0.50 would be told now" in standing.counterfactual


async def test_a_mute_says_until_when_what_waits_and_how_to_end_it(harbour: Harbour) -> None:
    await harbour.says("be quiet for 20 minutes")
    held = await harbour.happens("The ferry is early", salience=GOAL)
    standing = await harbour.executive.attention.standing("default", "default")
    assert (standing.is_quiet, standing.reason) == (True, "muted")
    assert standing.until == NOW + timedelta(minutes=20)
    assert [one.decision_id for one in standing.waiting] == [held.decision_id]
    assert standing.waiting[0].ends_on == ("quiet_ended",)
    assert 'say "you can talk"' in standing.counterfactual


async def test_ending_a_mute_by_verb_tells_what_was_kept(harbour: Harbour) -> None:
    await harbour.says("be quiet for 20 minutes")
    held = await harbour.happens("The ferry is early", salience=GOAL)
    attention = harbour.executive.attention
    standing = await attention.change(KEEPER, "default", TalkRequest(kind="talk"))
    assert not standing.is_quiet
    told = await harbour.executive.decide(held.decision_id)
    assert told.text == "While it was quiet: The ferry is early"
    changed = [one for one in await harbour.records() if one.reason == "signal_noted"]
    assert len(changed) == 1


async def test_be_quiet_says_when_it_is_forgotten(harbour: Harbour) -> None:
    await harbour.says("be quiet")
    standing = await harbour.executive.attention.standing("default", "default")
    assert (standing.is_quiet, standing.reason, standing.moves["quiet"]) == (False, "asked", 0.35)
    assert standing.until is not None
    harbour.pass_seconds((standing.until - NOW).total_seconds() + 1)
    later = await harbour.executive.attention.standing("default", "default")
    assert later.reason == "free"


async def test_quiet_hours_hold_by_the_clock_and_end(harbour: Harbour) -> None:
    hours = QuietHours(starts="15:00", ends="18:00")
    attention = harbour.executive.attention
    request = TalkRequest(kind="quiet_hours", hours=hours)
    standing = await attention.change(KEEPER, "default", request)
    assert (standing.reason, standing.until) == ("quiet_hours", NOW + timedelta(hours=2))
    ended = await attention.change(KEEPER, "default", TalkRequest(kind="no_quiet_hours"))
    assert (ended.is_quiet, ended.quiet_hours) == (False, None)


async def test_what_was_asked_for_is_listed(harbour: Harbour) -> None:
    await harbour.says("stop telling me about the ferry for an hour")
    await harbour.says("watch for seals")
    await harbour.says("my goal is to dredge the channel")
    standing = await harbour.executive.attention.standing("default", "default")
    rules = [(one.topic, one.kind, one.until) for one in standing.topics]
    assert rules == [
        ("ferry", "suppress", NOW + timedelta(hours=1)),
        ("seals", "watch", None),
    ]
    assert standing.goals == ("dredge the channel",)
    await harbour.says("you can tell me about the ferry again")
    again = await harbour.executive.attention.standing("default", "default")
    assert [one.topic for one in again.topics] == ["seals"]


async def test_a_topic_left_alone_for_an_hour_is_told_after_it(harbour: Harbour) -> None:
    await harbour.says("stop telling me about the ferry for an hour")
    assert (await harbour.happens("The ferry is early", salience=GOAL)).reason == "suppressed"
    harbour.pass_seconds(3_601)
    assert (await harbour.happens("The ferry is late", salience=GOAL)).outcome == "spoke"


async def test_what_is_boring_is_listed_until_it_is_fresh_again(harbour: Harbour) -> None:
    for _time in range(3):
        await harbour.happens("The ferry is early", salience={"novelty": 0.3})
    (pattern,) = (await harbour.executive.attention.standing("default", "default")).used_to
    assert pattern.level > 0.2
    harbour.pass_seconds(1_200)
    assert (await harbour.executive.attention.standing("default", "default")).used_to == ()


@pytest.mark.parametrize("talk", [{"kind": "shout"}, "quiet", {"kind": "mute", "x": 1}, None])
async def test_a_signal_with_an_odd_request_changes_nothing(harbour: Harbour, talk: object) -> None:
    before = await harbour.executive.attention.standing("default", "default")
    await harbour.signals(talk=talk)
    after = await harbour.executive.attention.standing("default", "default")
    assert before == after
