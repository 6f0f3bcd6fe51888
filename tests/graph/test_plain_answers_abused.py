"""Whatever is not the plain yes of who was shown the chips, there and then, takes nothing."""

from datetime import timedelta

import pytest

from state.event import Event
from state.principal import Principal
from tests.graph.harbour import KEEPER, MASTER, Harbour
from tests.graph.offering import NOTE, NOTHING_WAITS, WRITTEN, offered
from tools.access.permissions import attribute_event


async def test_somebody_elses_yes_takes_nothing(harbour: Harbour) -> None:
    await offered(harbour)
    assert (await harbour.says("yes", MASTER)).text == NOTHING_WAITS
    assert (await harbour.says("yes", user=None, role=None, kind="message")).text == NOTHING_WAITS
    assert harbour.effects() == []


async def test_a_yes_in_another_session_takes_nothing(harbour: Harbour) -> None:
    await offered(harbour)
    assert (await harbour.says("yes", session_id="other")).text == NOTHING_WAITS
    assert harbour.effects() == []


async def test_a_yes_of_another_tenant_takes_nothing(harbour: Harbour) -> None:
    await offered(harbour)
    assert (await harbour.says("yes", tenant_id="other")).text == NOTHING_WAITS
    assert harbour.effects() == []


async def test_a_yes_after_the_end_takes_nothing(harbour: Harbour) -> None:
    await offered(harbour)
    harbour.alter("update offer set expires_at = 1")
    assert (
        await harbour.says("yes")
    ).text == "These suggestions have expired. Ask again for new ones."
    assert harbour.effects() == []


async def test_a_second_yes_takes_nothing(harbour: Harbour) -> None:
    await offered(harbour)
    await harbour.says("yes")
    assert (await harbour.says("yes")).text == NOTHING_WAITS
    assert harbour.effects() == WRITTEN


async def test_the_same_yes_delivered_twice_is_one(harbour: Harbour) -> None:
    await offered(harbour)
    first = await harbour.says("yes", event_id="yes-1")
    again = await harbour.says("yes", event_id="yes-1")
    assert (first.outcome, again.decision_id) == ("executed", first.decision_id)
    assert harbour.effects() == WRITTEN


@pytest.mark.parametrize(
    "text",
    [
        "> yes",
        '"yes"',
        "she said yes",
        "yes?",
        "yes, and what about the swans",
        "yes but not now",
        "no, yes",
        "I did not say yes",
        "---- forwarded ----\nyes",
        "ok, thanks",
        "no one",
        "ok no one",
        "no 1",
        "pick one",
        "y\u200bes",
    ],
)
async def test_what_is_no_plain_yes_takes_nothing(harbour: Harbour, text: str) -> None:
    await offered(harbour)
    await harbour.says(text)
    assert harbour.effects() == []


async def test_what_was_said_in_between_is_what_a_yes_answers(harbour: Harbour) -> None:
    await offered(harbour)
    await harbour.says("count the swans")
    assert (await harbour.says("yes")).text == NOTHING_WAITS
    assert not any(effect.startswith("note_in_log") for effect in harbour.effects())


async def test_a_question_for_a_yes_in_between_is_not_passed_over(harbour: Harbour) -> None:
    """The session is written when that decision ends: only the rows tell that it was asked."""
    await offered(harbour)
    assert (await harbour.says("close lock LK-12")).outcome == "awaiting_approval"
    record = await harbour.says("yes")
    assert "Close lock LK-12. A reply in chat is not enough" in (record.text or "")
    assert harbour.effects() == []


async def test_another_offer_in_between_is_the_one_that_is_answered(harbour: Harbour) -> None:
    await offered(harbour)
    await harbour.says("write in the log: fog since six")
    await harbour.says("yes")
    assert harbour.effects() == ["note_in_log fog since six"]


async def test_what_we_said_in_between_makes_us_ask_again(harbour: Harbour) -> None:
    await offered(harbour)
    harbour.pass_seconds(1)
    assert (await harbour.happens("the flood gate gives way", salience={"threat": 0.95})).spoke
    asked = await harbour.says("yes")
    assert asked.text == "Do you mean this? Then say 1.\n  chip-1: Write in the log: barge moored"
    assert harbour.effects() == []
    harbour.pass_seconds(1)
    await harbour.says("1")
    assert harbour.effects() == WRITTEN


@pytest.mark.parametrize("answer", ["yes", "1"])
async def test_a_yes_from_before_the_chips_were_there_makes_us_ask(harbour: Harbour, answer: str):
    asks, early = (harbour.event(text, user=KEEPER.user, role="keeper") for text in (NOTE, answer))
    await harbour.executive.accept(asks)
    await harbour.executive.accept(early)
    assert (await harbour.executive.submit(asks)).outcome == "offered"
    asked = await harbour.executive.submit(early)
    assert asked.text == "Do you mean this? Then say 1.\n  chip-1: Write in the log: barge moored"
    assert harbour.effects() == []
    await harbour.says("1")
    assert harbour.effects() == WRITTEN


async def test_a_yes_that_was_said_before_the_chips_makes_us_ask(harbour: Harbour) -> None:
    await offered(harbour)
    before = harbour.clock.now() - timedelta(seconds=1)
    asked = await harbour.says("yes", occurred_at=before)
    assert (asked.text or "").startswith("Do you mean this?")
    assert harbour.effects() == []


async def test_a_yes_without_a_time_is_when_it_was_accepted(harbour: Harbour) -> None:
    await offered(harbour)
    await harbour.says("yes", occurred_at=None)
    assert harbour.effects() == WRITTEN


@pytest.mark.parametrize("told", ["do you want 1 or 2 coffees?", "no! do not do that"])
async def test_what_others_said_in_between_makes_us_ask_again(harbour: Harbour, told: str) -> None:
    await offered(harbour)
    await harbour.says(told, MASTER)
    asked = await harbour.says("1")
    assert asked.text == "Do you mean this? Then say 1.\n  chip-1: Write in the log: barge moored"
    assert harbour.effects() == []
    await harbour.says("1")
    assert harbour.effects() == WRITTEN


async def test_what_others_said_in_another_session_is_not_in_between(harbour: Harbour) -> None:
    await offered(harbour)
    await harbour.says("do you want 1 or 2 coffees?", MASTER, session_id="other")
    await harbour.says("1")
    assert harbour.effects() == WRITTEN


async def test_what_others_words_brought_up_has_to_be_clicked(harbour: Harbour) -> None:
    await harbour.says("ring the bell\n> and do it now")
    assert "have to choose this one directly" in ((await harbour.says("yes")).text or "")
    assert harbour.effects() == []


async def test_a_bridge_says_no_yes_for_anybody(harbour: Harbour) -> None:
    await offered(harbour)
    bridge = Principal(user="slack", tenant_id="default", roles=("integrator",), kind="service")
    event = Event.model_validate(
        {
            "event_id": "bridged",
            "kind": "message",
            "source": "slack",
            "text": "yes",
            "user": KEEPER.user,
            "role": "keeper",
            "relayed": False,
            "occurred_at": harbour.clock.now(),
        }
    )
    record = await harbour.executive.submit(attribute_event(event, bridge))
    assert "have to choose this one directly" in (record.text or "")
    assert harbour.effects() == []


async def test_a_role_that_was_laid_down_meanwhile_may_not(harbour: Harbour) -> None:
    await offered(harbour)
    assert (await harbour.says("yes", role="visitor")).outcome == "refused"
    assert harbour.effects() == []


async def test_a_chip_that_was_clicked_meanwhile_is_not_taken_again(harbour: Harbour) -> None:
    await harbour.executive.offers.choose(await offered(harbour), "chip-1", KEEPER)
    await harbour.says("yes")
    assert harbour.effects() == WRITTEN
