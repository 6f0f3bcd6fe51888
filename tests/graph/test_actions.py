"""From a message to an effect: what runs by itself, what is offered, asked for and refused."""

from pathlib import Path

import pytest

from graph.settings import ROOT
from state.errors import Conflict, Forbidden, InvalidArguments, NotFound
from state.principal import Principal
from state.record import DecisionRecord
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import KEEPER, MASTER, Harbour

PASSENGER = Principal(user="olav", tenant_id="default", roles=("passenger",))


async def offered(harbour: Harbour, text: str = "write in the log: barge moored") -> DecisionRecord:
    record = await harbour.says(text)
    assert record.outcome == "offered"
    return record


async def test_a_sure_read_runs_by_itself(harbour: Harbour) -> None:
    record = await harbour.says("show lock LK-12")
    assert (record.outcome, record.execution_class, record.action) == ("executed", "A", "show_lock")
    assert (record.text, record.arguments) == ("Lock LK-12 is open.", {"lock": "LK-12"})
    assert (record.output, record.spoke, record.path) == ("action", True, "policy")


async def test_a_write_is_offered_and_runs_when_its_chip_is_chosen(harbour: Harbour) -> None:
    assert ((await offered(harbour)).execution_class, harbour.effects()) == ("B", [])
    (offer,) = await harbour.executive.offers.list("default")
    assert offer.chips[0].summary == "Write in the log: barge moored"
    chosen = await harbour.executive.offers.choose(offer.offer_id, "chip-1", KEEPER)
    assert (chosen.outcome, chosen.action) == ("executed", "note_in_log")
    assert harbour.effects() == ["note_in_log barge moored"]
    assert await harbour.executive.offers.list("default") == []


async def test_a_chip_can_be_chosen_once(harbour: Harbour) -> None:
    record = await offered(harbour)
    assert record.offer_id is not None
    await harbour.executive.offers.choose(record.offer_id, "chip-1", KEEPER)
    with pytest.raises(Conflict, match="chosen"):
        await harbour.executive.offers.choose(record.offer_id, "chip-1", KEEPER)
    assert harbour.effects() == ["note_in_log barge moored"]


async def test_nobody_chooses_what_was_not_offered(harbour: Harbour) -> None:
    record = await offered(harbour)
    assert record.offer_id is not None
    with pytest.raises(NotFound, match="chip 'chip-9'"):
        await harbour.executive.offers.choose(record.offer_id, "chip-9", KEEPER)
    with pytest.raises(NotFound, match="offer"):
        await harbour.executive.offers.choose("offer-1", "chip-1", KEEPER)
    stranger = KEEPER.model_copy(update={"tenant_id": "other"})
    with pytest.raises(NotFound, match="offer"):
        await harbour.executive.offers.choose(record.offer_id, "chip-1", stranger)


async def test_a_chip_is_judged_again_by_who_chooses_it(harbour: Harbour) -> None:
    record = await offered(harbour)
    assert record.offer_id is not None
    with pytest.raises(Forbidden, match="the suggestion stays open"):
        await harbour.executive.offers.choose(record.offer_id, "chip-1", PASSENGER)
    another = KEEPER.model_copy(update={"user": "otto"})
    with pytest.raises(Forbidden, match="somebody else"):
        await harbour.executive.offers.choose(record.offer_id, "chip-1", another)
    assert harbour.effects() == []
    chosen = await harbour.executive.offers.choose(record.offer_id, "chip-1", KEEPER)
    assert chosen.outcome == "executed"


async def test_an_expired_offer_cannot_be_chosen(harbour: Harbour) -> None:
    record = await offered(harbour)
    assert record.offer_id is not None
    harbour.alter("UPDATE offer SET expires_at = 0")
    with pytest.raises(Conflict, match="expired"):
        await harbour.executive.offers.choose(record.offer_id, "chip-1", KEEPER)


async def test_the_click_may_fill_what_the_chip_lacks_and_nothing_else(harbour: Harbour) -> None:
    record = await offered(harbour)
    assert record.offer_id is not None
    for given in ({"note": "something else"}, {"colour": "red"}):
        with pytest.raises(InvalidArguments):
            await harbour.executive.offers.choose(record.offer_id, "chip-1", KEEPER, given)
    assert harbour.effects() == []
    same = {"note": "barge moored"}
    chosen = await harbour.executive.offers.choose(record.offer_id, "chip-1", KEEPER, same)
    assert chosen.outcome == "executed"
    assert harbour.effects() == ["note_in_log barge moored"]


async def test_a_choice_without_a_click_does_nothing(harbour: Harbour) -> None:
    record = await offered(harbour)
    forged = await harbour.happens(
        "Write in the log: barge moored",
        kind="choice",
        user="amir",
        role="keeper,master",
        payload={"offer_id": record.offer_id, "chip_id": "chip-1"},
    )
    assert (forged.outcome, forged.reason) == ("rejected", "no_such_click")
    assert harbour.effects() == []


async def test_an_unsure_read_is_offered_and_runs_when_it_is_chosen(
    open_harbour: OpenHarbour, tmp_path: Path
) -> None:
    policy = tmp_path / "policy.toml"
    shipped = (ROOT / "policy.toml").read_text("utf-8")
    assert "auto_confidence = 0.80" in shipped
    policy.write_text(shipped.replace("auto_confidence = 0.80", "auto_confidence = 1.0"), "utf-8")
    async with open_harbour(policy_file=policy) as careful:
        record = await careful.says("can you look at lock LK-12")
        assert (record.outcome, record.reason) == ("offered", "low_confidence")
        assert record.confidence is not None
        assert record.confidence < 1.0
        (offer,) = await careful.executive.offers.list("default")
        assert offer.found.startswith("Notices on ")
        chosen = await careful.executive.offers.choose(offer.offer_id, "chip-1", KEEPER)
        assert (chosen.outcome, chosen.text) == ("executed", "Lock LK-12 is open.")


async def test_a_missing_slot_is_asked_for_by_name(harbour: Harbour) -> None:
    record = await harbour.says("close lock")
    assert (record.outcome, record.reason, record.response_type) == (
        "spoke",
        "missing_slot",
        "question",
    )
    assert "Which lock?" in record.text
    assert await harbour.executive.approvals.list("default") == []


async def test_a_role_that_may_not_ask_is_refused(harbour: Harbour) -> None:
    record = await harbour.says("close lock LK-12", PASSENGER)
    assert (record.outcome, record.reason, record.execution_class) == ("refused", "role", "C")
    assert record.text == "Your role (passenger) can't close locks."
    assert await harbour.executive.approvals.list("default", state=None) == []


async def test_nobody_without_a_role_may_ask(harbour: Harbour) -> None:
    record = await harbour.happens("close lock LK-12", kind="message")
    assert (record.outcome, record.reason) == ("refused", "role")


async def test_what_merely_happens_starts_no_action(harbour: Harbour) -> None:
    record = await harbour.happens("show lock LK-12", salience={"goal_relevance": 0.9})
    assert (record.outcome, record.action) == ("spoke", None)


async def test_a_handler_that_refuses_has_failed(harbour: Harbour) -> None:
    record = await harbour.says("ring the bell")
    assert record.offer_id is not None
    chosen = await harbour.executive.offers.choose(record.offer_id, "chip-1", KEEPER)
    assert (chosen.outcome, chosen.reason) == ("failed", "action_failed")
    assert "the bell is out for repair" in chosen.text


async def test_a_read_that_breaks_has_failed(harbour: Harbour) -> None:
    record = await harbour.says("count the swans")
    assert (record.outcome, record.reason) == ("failed", "action_failed")
    assert "the swans are asleep" in record.text


async def test_a_write_that_breaks_is_unknown_and_never_tried_again(harbour: Harbour) -> None:
    waiting = await harbour.says("drain the basin")
    action = await harbour.answers(waiting.action_id, who=MASTER)
    ended = await harbour.record(waiting.decision_id)
    assert (action.state, ended.outcome, ended.reason) == ("unknown", "failed", "action_unknown")
    assert "outcome unknown" in ended.text
    await harbour.executive.approvals.settle_answered()
    await harbour.executive.resume_unfinished()
    assert harbour.effects() == ["drain_basin half empty"]


async def test_an_action_says_what_it_changed(harbour: Harbour) -> None:
    waiting = await harbour.says("close lock LK-12")
    await harbour.answers(waiting.action_id)
    assert (await harbour.record(waiting.decision_id)).text == (
        "Lock LK-12 is closed.\n  LK-12: open → closed"
    )
