"""It speaks unasked: on occasion, within bounds, never while busy or quiet, and a yes binds."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import Connection

from state.personality import Mood, Profile
from state.record import DecisionRecord
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import MASTER, Harbour
from tools.storage.database import Database
from tools.storage.sessions import save_profile, save_session

QUARRY = str(Path(__file__).parents[1] / "quarry")


@pytest.fixture
async def quarry(open_harbour: OpenHarbour) -> AsyncIterator[Harbour]:
    async with open_harbour((QUARRY,), embedder="none") as opened:
        yield opened


async def ticks(quarry: Harbour, seconds: int) -> list[DecisionRecord]:
    """Let seconds pass, one by one; return what was begun in them, oldest first."""
    before = {one.decision_id for one in await quarry.records()}
    for _ in range(seconds):
        quarry.pass_seconds(1)
        await quarry.executive.initiative.tick()
    begun = [one for one in await quarry.records() if one.decision_id not in before]
    return begun[::-1]


async def digs(quarry: Harbour, times: int, text: str = "dug stone") -> None:
    for _ in range(times):
        await quarry.happens(text)


async def test_nothing_is_said_in_the_first_five_minutes(quarry: Harbour) -> None:
    await digs(quarry, 6)
    assert await ticks(quarry, 299) == []
    [said] = await ticks(quarry, 1)
    assert (said.reason, said.spoke) == ("observation", True)
    assert said.text == "You have been digging for a while."


async def test_an_observation_is_not_made_again_soon(quarry: Harbour) -> None:
    await digs(quarry, 6)
    await ticks(quarry, 300)
    await digs(quarry, 6)
    assert [one.reason for one in await ticks(quarry, 120)] in ([], ["check_in"])


async def test_nobody_is_asked_while_busy_quiet_or_away(quarry: Harbour) -> None:
    await digs(quarry, 6)
    await quarry.signals(busy="combat")
    assert await ticks(quarry, 310) == []
    await quarry.signals("combat_ended")
    await quarry.says("be quiet for 20 minutes")
    assert await ticks(quarry, 100) == []


async def test_a_check_in_comes_by_chance_and_ends_when_nobody_is_there(quarry: Harbour) -> None:
    said = []
    for _quarter in range(6):
        await quarry.happens("a bird")
        said += await ticks(quarry, 899)
    assert [one.reason for one in said] == ["check_in"]
    assert said[0].text in ("Still going strong?", "How is the dig?")
    assert said[0].response_type == "check_in"


async def test_a_milestone_is_told_once_also_to_whoever_is_busy_and_after_a_restart(
    open_harbour: OpenHarbour,
) -> None:
    async with open_harbour((QUARRY,), embedder="none") as quarry:
        await quarry.signals(busy="combat")
        await digs(quarry, 3, "diamond found")
        [held] = await ticks(quarry, 3)
        assert (held.outcome, held.reason) == ("held", "busy:combat")
    async with open_harbour((QUARRY,), embedder="none") as quarry:
        assert await ticks(quarry, 2) == []
        await quarry.signals("combat_ended")
        await quarry.executive.resume_unfinished()
        told = await quarry.record(held.decision_id)
        assert (told.spoke, told.text) == (True, "Diamond number 2!")
        assert await ticks(quarry, 2) == []


async def test_a_milestone_that_is_not_to_be_told_keeps_nothing_else_from_being_said(
    quarry: Harbour,
) -> None:
    await quarry.says("stop telling me about diamonds")
    await digs(quarry, 2, "diamond found")
    [left] = await ticks(quarry, 3)
    assert (left.outcome, left.reason) == ("passed", "suppressed")
    await digs(quarry, 6)
    assert [one.reason for one in await ticks(quarry, 300)] == ["observation"]


async def test_a_milestone_is_told_in_each_tenant_that_has_a_session_of_that_name(quarry: Harbour):
    await digs(quarry, 2, "diamond found")
    for _ in range(2):
        await quarry.happens("diamond found", tenant_id="other")
    await ticks(quarry, 2)
    for tenant in ("default", "other"):
        told = await quarry.executive.records.newest(tenant)
        assert [one.text for one in told if one.spoke] == ["Diamond number 2!"]


async def test_a_signal_that_asks_for_no_time_there_is_changes_nothing(quarry: Harbour) -> None:
    await quarry.signals()
    before = await quarry.executive.controls.standing("default", "default")
    for kind in ("mute", "suppress", "threshold", "goal", "remind"):
        for seconds in (1e308, -1.0):
            talk = {"kind": kind, "topic": "crane", "seconds": seconds}
            assert (await quarry.signals(talk=talk)).reason == "signal_noted"
    assert await quarry.executive.controls.modulations("default", "default") == ()
    after = await quarry.executive.controls.standing("default", "default")
    assert after.model_dump(exclude={"at"}) == before.model_dump(exclude={"at"})


async def test_missed_ticks_are_not_made_up_for(quarry: Harbour) -> None:
    await digs(quarry, 6)
    quarry.pass_seconds(5 * 3600)
    assert await ticks(quarry, 5) == []


async def test_a_yes_does_what_was_proposed_and_nothing_later(quarry: Harbour) -> None:
    await digs(quarry, 6, "obsidian placed")
    [asked] = await ticks(quarry, 300)
    assert asked.text.startswith("Is it your goal to finish the portal?")
    assert (await quarry.says("yes")).text == "Got it: I'll watch for anything about the portal."
    standing = await quarry.executive.controls.standing("default", "default")
    assert standing.goals == ("finish the portal",)
    assert "proposal_taken" not in (await quarry.says("yes", MASTER)).text


async def test_a_no_and_another_word_let_it_go(quarry: Harbour) -> None:
    await digs(quarry, 6, "obsidian placed")
    await ticks(quarry, 300)
    await quarry.says("what's up")
    await quarry.says("yes")
    assert (await quarry.executive.controls.standing("default", "default")).goals == ()


async def test_a_tick_that_somebody_else_sends_is_an_event_like_any_other(quarry: Harbour):
    payload = {"initiative": {"kind": "proposal", "proposes": {"kind": "mute", "seconds": 60}}}
    sent = await quarry.happens("Shall I?", kind="tick", source="initiative", payload=payload)
    assert sent.outcome == "passed"
    await quarry.says("yes")
    assert not (await quarry.executive.controls.standing("default", "default")).is_quiet


async def test_a_mood_that_lasts_is_commented_on_to_somebody_it_knows_well(quarry: Harbour):
    await quarry.happens("a bird")
    await quarry.says("hello")
    known = Profile(rapport=0.6, rapport_at=quarry.clock.now().timestamp())
    low = Mood(valence=-0.95, arousal=0.5, at=quarry.clock.now().timestamp())
    await keep(quarry, mood=low, profile=known, person="amir")
    [said] = await ticks(quarry, 301)
    assert (said.reason, said.text) == ("mood_comment", "Rough session?")


async def test_a_mood_is_nothing_to_say_to_a_stranger(quarry: Harbour) -> None:
    await quarry.happens("a bird")
    await keep(quarry, mood=Mood(valence=-0.95, arousal=0.5, at=quarry.clock.now().timestamp()))
    assert "mood_comment" not in {one.reason for one in await ticks(quarry, 301)}


async def keep(quarry: Harbour, **fields: object) -> None:
    """Put something into the session, as if it had come to be."""
    database = Database(quarry.executive.settings.database)
    known = await quarry.session()

    def work(connection: Connection) -> None:
        session = known.model_copy(update=fields)
        save_session(connection, session, quarry.clock.now().timestamp())
        save_profile(connection, session, known, quarry.clock.now().timestamp())

    await database.write(work)
    await database.close()
