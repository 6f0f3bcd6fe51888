"""Chips answered in words: a yes takes the one that was shown to who says it."""

import sqlite3
from contextlib import closing

import pytest

from state.errors import Conflict
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import KEEPER, MASTER, Harbour
from tests.graph.offering import NOTHING_WAITS, WRITTEN, offered
from tools.dialogue import OfferReplies


async def offered_two(harbour: Harbour) -> None:
    """Have two chips offered: show lock LK-12, and close it."""
    record = await harbour.says("lock LK-12")
    offer = await harbour.executive.offers.get(record.offer_id or "", "default")
    assert [chip.action for chip in offer.chips] == ["show_lock", "close_lock"]


@pytest.mark.parametrize("text", ["yes", "ok, go ahead", "1", "the first one", "chip-1"])
async def test_a_yes_takes_the_chip(harbour: Harbour, text: str) -> None:
    offer_id = await offered(harbour)
    record = await harbour.says(text)
    assert (record.outcome, record.action, record.intent) == ("executed", "note_in_log", "choice")
    assert harbour.effects() == WRITTEN
    chosen = await harbour.executive.offers.get(offer_id, "default")
    assert (chosen.chosen, chosen.chosen_by) == ("chip-1", "amir")


@pytest.mark.parametrize(
    "text", ["approve", "approved", "I approve", "approve it", "accept", "granted", "yes, note it"]
)
async def test_an_approval_of_chips_is_asked_which_and_they_stay_open(
    harbour: Harbour, text: str
) -> None:
    await offered(harbour)
    asked = await harbour.says(text)
    assert (asked.outcome, asked.text.split("\n")[0]) == ("spoke", "Do you mean this? Then say 1.")
    assert harbour.effects() == []
    assert (await harbour.says("1")).outcome == "executed"
    assert harbour.effects() == WRITTEN


async def test_a_yes_counts_as_a_choice_in_words_and_not_as_a_query(harbour: Harbour) -> None:
    await offered(harbour)
    await harbour.says("yes")
    metrics = await harbour.executive._box.queries.metrics("default")
    assert (metrics.queries, metrics.offers, metrics.chosen.value) == (1, 1, 1.0)
    assert metrics.executions == {"chip_said": 1}
    assert (metrics.said.value, metrics.said.n) == (1.0, 1)
    assert metrics.hard_false_positives == 0


async def test_a_no_lets_the_chips_run_out(harbour: Harbour) -> None:
    await offered(harbour)
    record = await harbour.says("never mind")
    assert (record.outcome, record.text) == ("spoke", "OK, I'll leave it.")
    assert await harbour.executive.offers.list("default") == []
    assert (await harbour.says("yes")).text == NOTHING_WAITS
    assert harbour.effects() == []


async def test_of_several_chips_a_yes_is_asked_which(harbour: Harbour) -> None:
    await offered_two(harbour)
    asked = await harbour.says("yes")
    assert asked.text == "Which one?\n  chip-1: Show lock LK-12\n  chip-2: Close lock LK-12"
    assert (await harbour.says("5")).text == asked.text
    record = await harbour.says("the first one")
    assert (record.outcome, record.action) == ("executed", "show_lock")


async def test_a_chosen_chip_of_class_c_still_asks_for_its_approval(harbour: Harbour) -> None:
    await offered_two(harbour)
    record = await harbour.says("2")
    assert (record.outcome, record.action) == ("awaiting_approval", "close_lock")
    assert (await harbour.says("yes")).outcome == "spoke"
    assert harbour.effects() == []


async def test_a_chip_that_lacks_something_is_asked_about(harbour: Harbour) -> None:
    await harbour.says("ring the bell and note it in the log")
    asked = await harbour.says("the second")
    assert (asked.action, asked.text) == ("note_in_log", "Which note? (Write in the log)")
    assert (await harbour.says("two cygnets")).outcome == "offered"
    await harbour.says("yes")
    assert harbour.effects() == ["note_in_log two cygnets"]


@pytest.mark.parametrize("text", ["both", "all of them", "pick one"])
async def test_an_answer_that_names_no_chip_is_asked_which(harbour: Harbour, text: str) -> None:
    await offered_two(harbour)
    assert ((await harbour.says(text)).text or "").startswith("Which one?")
    assert harbour.effects() == []
    assert (await harbour.says("1)")).outcome == "executed"


@pytest.mark.parametrize(
    "text", ["yes", "do it", "go ahead", "approve it", "yes, close it", "no, approve it", "wait"]
)
async def test_an_approval_is_not_answered_in_words(harbour: Harbour, text: str) -> None:
    asked = await harbour.says("close lock LK-12", MASTER)
    assert asked.outcome == "awaiting_approval"
    for who in (KEEPER, MASTER):
        record = await harbour.says(text, who)
        told = record.text or ""
        if who is MASTER:
            assert f"prefrontal approvals approve {asked.action_id}" in told
            assert "approvers: master" in told
    standing = await harbour.executive.approvals.get(asked.action_id or "", "default")
    assert (standing.state, standing.approvals) == ("pending", 0)
    assert harbour.effects() == []


@pytest.mark.parametrize(
    "text", ["no", "no, forget it", "cancel that", "don't close it", "I reject it", "👎"]
)
async def test_who_asked_takes_it_back_in_words_and_nobody_else_does(harbour: Harbour, text: str):
    asked = await harbour.says("close lock LK-12")
    assert "A reply in chat is not enough" in ((await harbour.says(text, MASTER)).text or "")
    standing = await harbour.executive.approvals.get(asked.action_id or "", "default")
    assert standing.state == "pending"

    told = await harbour.says(text)
    assert (told.text or "").startswith("Withdrawn, and nothing was changed: Close lock LK-12.")
    standing = await harbour.executive.approvals.get(asked.action_id or "", "default")
    assert (standing.state, standing.decided_by) == ("rejected", KEEPER.user)
    with pytest.raises(Conflict):
        await harbour.answers(asked.action_id)
    await harbour.executive.approvals.settle_answered()
    assert (await harbour.record(asked.decision_id)).outcome == "refused"
    assert harbour.effects() == []


async def test_what_is_taken_back_is_the_newest_of_ones_own(harbour: Harbour) -> None:
    mine = await harbour.says("close lock LK-12")
    theirs = await harbour.says("close lock LK-40", MASTER)
    await harbour.says("no", KEEPER)
    states = {
        one: (await harbour.executive.approvals.get(one or "", "default")).state
        for one in (mine.action_id, theirs.action_id)
    }
    assert states == {mine.action_id: "rejected", theirs.action_id: "pending"}


async def test_a_no_to_chips_tells_what_still_waits_and_another_takes_it_back(harbour: Harbour):
    asked = await harbour.says("close lock LK-12")
    await offered(harbour)
    told = await harbour.says("never mind")
    assert told.text == (
        "OK, I'll leave it. This is still waiting for approval: Close lock LK-12. "
        "Say no again to withdraw it."
    )
    await harbour.says("no")
    assert (
        await harbour.executive.approvals.get(asked.action_id or "", "default")
    ).state == "rejected"


async def test_what_a_service_passes_on_takes_nothing_back(harbour: Harbour) -> None:
    asked = await harbour.says("close lock LK-12")
    assert "A reply in chat is not enough" in ((await harbour.says("no", relayed=True)).text or "")
    assert (
        await harbour.executive.approvals.get(asked.action_id or "", "default")
    ).state == "pending"


async def test_a_run_that_was_broken_off_takes_back_no_second_one(
    open_harbour: OpenHarbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks_off(*_given: object) -> None:
        raise RuntimeError("broken off")

    async with open_harbour() as harbour:
        first = await harbour.says("close lock LK-12")
        second = await harbour.says("close lock LK-40")
        with monkeypatch.context() as broken:
            broken.setattr("tools.dialogue.conversation.on_retracted", breaks_off)
            with pytest.raises(RuntimeError):
                await harbour.says("no", event_id="the-no")
    async with open_harbour() as harbour:
        assert "Withdrawn" in ((await harbour.says("no", event_id="the-no")).text or "")
        states = [
            (await harbour.executive.approvals.get(one.action_id or "", "default")).state
            for one in (first, second)
        ]
        assert states == ["pending", "rejected"]


async def test_an_approval_is_meant_by_its_id(harbour: Harbour) -> None:
    first = await harbour.says("close lock LK-12", MASTER)
    second = await harbour.says("close lock LK-40", MASTER)
    assert first.outcome == second.outcome == "awaiting_approval"
    told = await harbour.says(f"approve {first.action_id}", MASTER)
    assert (told.text or "").startswith("Approval required: Close lock LK-12")
    assert harbour.effects() == []


async def test_a_run_that_was_broken_off_finds_its_click_again(open_harbour: OpenHarbour):
    async with open_harbour() as harbour:
        await offered(harbour)
        event = harbour.event("yes", user=KEEPER.user, role="keeper")
        await harbour.executive.accept(event)
        said = await OfferReplies(harbour.executive._box.database).take(event.decision_id)
        assert said is not None
        assert said.standing == "pressed"
    async with open_harbour() as harbour:
        await harbour.executive.resume_unfinished()
        assert harbour.effects() == WRITTEN


async def test_an_answer_to_nothing_makes_up_no_request(harbour: Harbour) -> None:
    assert (await harbour.says("show lock LK-12")).outcome == "executed"
    assert ((await harbour.says("confirm")).action, harbour.effects()) == (None, [])


# Of several chips a yes takes the one that the question named, and once asked again none.


@pytest.fixture
async def offer_id(harbour: Harbour) -> str:
    """Have two chips offered, of which the question named the first."""
    record = await harbour.says("lock LK-12")
    assert record.offer_id is not None
    with closing(sqlite3.connect(harbour.data_dir / "prefrontal.sqlite")) as connection:
        connection.execute("UPDATE offer SET body = json_set(body, '$.yes_means', 'chip-1')")
        connection.commit()
    return record.offer_id


async def test_a_yes_takes_the_one_that_was_named(harbour: Harbour, offer_id: str) -> None:
    record = await harbour.says("yes please")

    assert (record.outcome, record.action) == ("executed", "show_lock")
    chosen = await harbour.executive.offers.get(offer_id, "default")
    assert (chosen.chosen, chosen.chosen_by) == ("chip-1", "amir")


async def test_asked_again_which_one_a_yes_takes_none(harbour: Harbour, offer_id: str) -> None:
    assert ((await harbour.says("pick one")).text or "").startswith("Which one?")

    assert ((await harbour.says("yes")).text or "").startswith("Which one?")
    assert (await harbour.executive.offers.get(offer_id, "default")).chosen is None


async def test_another_persons_yes_takes_none(harbour: Harbour, offer_id: str) -> None:
    await harbour.says("yes", MASTER)

    assert (await harbour.executive.offers.get(offer_id, "default")).chosen is None
