"""What moves attention by request or by habit: listed, proposed before it is learnt, taken back."""

import pytest

from state.errors import Forbidden, NotFound
from state.principal import Principal
from state.talk import TalkRequest
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import HARBOUR, KEEPER, Harbour

GOAL = {"goal_relevance": 0.9}
CRANE = [{"value": "crane"}]


async def held(harbour: Harbour) -> dict[str, str]:
    found = await harbour.executive.controls.modulations("default", "default")
    return {one.modulation_id: one.origin for one in found}


async def let_pass(harbour: Harbour, times: int) -> None:
    """Let somebody who is here hear the same again and again, and say nothing to it."""
    for _ in range(times):
        assert (await harbour.happens("The crane squeaks", salience=GOAL, entities=CRANE)).spoke
        harbour.pass_seconds(1_000)


async def test_what_is_let_go_by_three_times_is_asked_about_and_left_alone_after_a_yes(
    harbour: Harbour,
) -> None:
    await harbour.happens("a gull")
    await harbour.says("hello")
    harbour.pass_seconds(10)
    await let_pass(harbour, 4)
    assert "suppress:crane" not in await held(harbour)
    harbour.pass_seconds(-400)
    await harbour.executive.release_due()
    asked = (await harbour.records())[0]
    assert asked.text == (
        "You ignored the last 3 events about crane. Shall I mute them? Say yes or no."
    )
    await harbour.says("yes")
    assert (await held(harbour))["suppress:crane"] == "proposed"
    again = await harbour.happens("The crane squeaks", salience=GOAL, entities=CRANE)
    assert again.reason == "suppressed"
    threat = {"threat": 0.9}
    assert (await harbour.happens("The crane falls", salience=threat, entities=CRANE)).spoke


async def test_a_source_that_tells_of_much_is_not_proposed_to_be_left_alone(harbour: Harbour):
    await harbour.happens("The ferry is late", entities=["ferry"])
    await harbour.says("hello")
    harbour.pass_seconds(10)
    for _ in range(4):
        assert (await harbour.happens("The tide turns early", salience=GOAL)).spoke
        harbour.pass_seconds(1_000)
    harbour.pass_seconds(-400)
    await harbour.executive.release_due()
    assert (await harbour.session()).familiar["buoy|ambient|"].ignored >= 3
    assert not any("leave that alone" in one.text for one in await harbour.records())


async def test_what_was_learnt_is_taken_back(harbour: Harbour) -> None:
    attention = harbour.executive.controls
    learned = TalkRequest(kind="suppress", topic="crane", learned=True)
    await attention.change(KEEPER, "default", learned)
    assert await held(harbour) == {"suppress:crane": "proposed"}
    await attention.take_back(KEEPER, "default", "suppress:crane")
    assert await held(harbour) == {}
    with pytest.raises(NotFound):
        await attention.take_back(KEEPER, "default", "suppress:crane")


async def test_a_stream_that_nobody_answers_is_not_ignored(harbour: Harbour) -> None:
    await let_pass(harbour, 4)
    [known] = (await harbour.session()).familiar.values()
    assert known.ignored == 0


async def test_an_answer_begins_the_count_anew(harbour: Harbour) -> None:
    await harbour.says("hello")
    await let_pass(harbour, 2)
    await harbour.happens("The crane squeaks", salience=GOAL, entities=CRANE)
    await harbour.says("good to know")
    harbour.pass_seconds(1_000)
    await let_pass(harbour, 1)
    assert (await harbour.session()).familiar["buoy|ambient|crane"].ignored == 0


async def test_the_third_time_in_a_row_raises_the_bar_a_little(harbour: Harbour) -> None:
    await harbour.says("hello")
    harbour.pass_seconds(10)
    await let_pass(harbour, 3)
    await harbour.happens("The crane squeaks", salience=GOAL, entities=CRANE)
    standing = await harbour.executive.controls.standing("default", "default")
    assert standing.moves["annoyance"] == pytest.approx(0.03, abs=0.001)


async def test_pickier_for_a_time_and_as_usual_again(harbour: Harbour) -> None:
    said = await harbour.says("only tell me important things for an hour")
    assert said.text.startswith("For 1 h I'll mention only what matters more.")
    standing = await harbour.executive.controls.standing("default", "default")
    assert standing.moves["shift"] == 0.15
    assert (standing.reason, standing.until is not None) == ("asked", True)
    await harbour.says("be as picky as usual")
    assert await held(harbour) == {}


async def test_getting_used_to_a_thing_makes_it_boring_until_it_is_taken_back(harbour: Harbour):
    await harbour.happens("The crane squeaks", salience={"novelty": 0.3}, entities=CRANE)
    await harbour.says("get used to the crane")
    assert await held(harbour) == {"habituate:buoy|ambient|crane": "implicit"}
    bored = await harbour.happens("The crane squeaks", salience={"novelty": 0.4}, entities=CRANE)
    assert bored.relevance is None or bored.relevance < 0.05
    await harbour.executive.controls.take_back(KEEPER, "default", "habituate:buoy|ambient|crane")
    assert await held(harbour) == {}


async def test_who_may_change_nothing_cuts_no_voice_off(open_harbour: OpenHarbour) -> None:
    guest = Principal(user="gus", tenant_id="default", roles=("guest",))
    async with open_harbour(packs=(str(HARBOUR.parent / "shelf"),)) as shelf:
        with pytest.raises(Forbidden):
            shelf.executive.controls.interrupt(guest, None)


def test_who_may_change_something_may_cut_the_voice_off(harbour: Harbour) -> None:
    assert harbour.executive.controls.interrupt(KEEPER, None) == 0
