"""Who asked takes it back in words: their own first, and what is queued as well."""

import pytest

from state.principal import Principal
from state.record import DecisionRecord
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import KEEPER, MASTER, Harbour
from tests.graph.offering import offered

MATE = Principal(user="dora", tenant_id="default", roles=("chief_engineer", "captain"))


async def test_a_no_of_who_asks_and_may_approve_is_about_their_own_first(harbour: Harbour) -> None:
    mine = await harbour.says("close lock LK-12", MASTER)
    theirs = await harbour.says("close lock LK-40", KEEPER)
    told = await harbour.says("no, forget it", MASTER)
    assert told.text == (
        "Withdrawn, and nothing was changed: Close lock LK-12. Ask again if you still want it. "
        "This is still waiting for approval, and a reply in chat is not enough: Close lock LK-40."
    )
    assert "A reply in chat is not enough" in (await harbour.says("no, forget it", MASTER)).text
    states = [
        (await harbour.executive.approvals.get(one or "", "default")).state
        for one in (mine.action_id, theirs.action_id)
    ]
    assert states == ["rejected", "pending"]
    assert harbour.effects() == []


async def test_ones_own_is_found_behind_many_of_others(harbour: Harbour) -> None:
    mine = await harbour.says("close lock LK-12", MASTER)
    for number in range(20, 71):
        await harbour.says(f"close lock LK-{number}", KEEPER)
    told = await harbour.says("no, forget it", MASTER)
    assert told.text.startswith("Withdrawn, and nothing was changed: Close lock LK-12.")
    standing = await harbour.executive.approvals.get(mine.action_id or "", "default")
    assert standing.state == "rejected"


async def test_an_id_means_that_one_and_takes_back_no_other(harbour: Harbour) -> None:
    mine = await harbour.says("close lock LK-12", MASTER)
    theirs = await harbour.says("close lock LK-40", KEEPER)
    told = await harbour.says(f"reject {(theirs.action_id or '')[:8]}", MASTER)
    assert "A reply in chat is not enough" in told.text
    for one in (mine, theirs):
        standing = await harbour.executive.approvals.get(one.action_id or "", "default")
        assert standing.state == "pending"


async def _queued(harbour: Harbour) -> DecisionRecord:
    """Ask for more than may be asked in an hour; give the first that is queued."""
    for number in range(10, 60):
        asked = await harbour.says(f"close lock LK-{number}")
        if asked.text.startswith("Queued"):
            return asked
    raise AssertionError("nothing was queued")


async def test_what_is_queued_is_taken_back_in_words_and_never_asked(harbour: Harbour) -> None:
    asked = await _queued(harbour)
    assert "A reply in chat is not enough" in (await harbour.says("no, forget it", MASTER)).text
    assert "A reply in chat is not enough" in (await harbour.says("no", relayed=True)).text
    queued = await harbour.executive.approvals.get(asked.action_id or "", "default")
    assert queued.state == "proposed"

    told = await harbour.says("no, forget it")
    assert told.text.startswith(f"Withdrawn, and nothing was changed: {queued.summary}.")
    standing = await harbour.executive.approvals.get(asked.action_id or "", "default")
    assert (standing.state, standing.decided_by) == ("rejected", KEEPER.user)
    await harbour.executive.approvals.settle_answered()
    assert (await harbour.record(asked.decision_id)).outcome == "refused"
    harbour.alter("update ledger_action set asked_at = 1 where asked_at is not null")
    await harbour.executive.approvals.settle_answered()
    assert (
        await harbour.executive.approvals.get(asked.action_id or "", "default")
    ).state == "rejected"
    assert harbour.effects() == []


@pytest.mark.parametrize(
    "text",
    [
        "take it back", "take that back", "please withdraw that", "call it off", "abort",
        "undo that", "undo", "can you call it off?", "could you take that back?",
        "would you withdraw my request?", "can we call the whole thing off?",
    ],
)  # fmt: skip
async def test_what_waits_is_taken_back_by_whatever_calls_it_off(harbour: Harbour, text) -> None:
    asked = await harbour.says("close lock LK-12", KEEPER)
    told = await harbour.says(text, KEEPER)
    assert told.text.startswith("Withdrawn, and nothing was changed: Close lock LK-12.")
    standing = await harbour.executive.approvals.get(asked.action_id or "", "default")
    assert (standing.state, standing.decided_by) == ("rejected", KEEPER.user)
    assert harbour.effects() == []


@pytest.mark.parametrize(
    "text",
    ["undo that", "take it back", "abort", "call it off", "can you call it off?"],
)
async def test_nobody_else_and_no_service_calls_it_off(harbour: Harbour, text: str) -> None:
    asked = await harbour.says("close lock LK-12", KEEPER)
    await harbour.says(text, MASTER)
    await harbour.says(text, KEEPER, relayed=True)
    standing = await harbour.executive.approvals.get(asked.action_id or "", "default")
    assert standing.state == "pending"


@pytest.mark.parametrize("text", ['"no, forget it"', "> no, forget it", "no?", "abort?"])
async def test_what_is_quoted_or_asked_leaves_it_waiting(harbour: Harbour, text: str) -> None:
    asked = await harbour.says("close lock LK-12", KEEPER)
    assert "Withdrawn" not in (await harbour.says(text, KEEPER)).text
    standing = await harbour.executive.approvals.get(asked.action_id or "", "default")
    assert standing.state == "pending"


async def test_a_no_that_comes_late_is_told_that_it_has_run(harbour: Harbour) -> None:
    await harbour.answers((await harbour.says("close lock LK-12", KEEPER)).action_id)
    done = harbour.effects()
    told = await harbour.says("no, forget it", KEEPER)
    assert told.text.startswith("Too late, it has already run: Close lock LK-12.")
    assert "Too late" not in (await harbour.says("no, forget it", MASTER)).text
    assert "Too late" not in (await harbour.says("no?", KEEPER)).text
    harbour.alter("drop trigger ledger_entry_stays_on_update")
    harbour.alter("update ledger_entry set at = at - 301")
    assert "Too late" not in (await harbour.says("no, forget it", KEEPER)).text
    assert harbour.effects() == done


async def test_a_no_behind_a_no_is_told_that_it_is_off(harbour: Harbour) -> None:
    await harbour.answers((await harbour.says("close lock LK-12", KEEPER)).action_id, "reject")
    told = await harbour.says("call it off", KEEPER)
    assert told.text == "It is already rejected, and nothing was changed: Close lock LK-12."


@pytest.mark.parametrize(
    "text", ["call it off", "abort", "never mind, abort", "can you call it off?", "scrap that"]
)
async def test_where_nothing_waits_no_action_is_reached_for(open_harbour: OpenHarbour, text: str):
    async with open_harbour(packs=("vessel",)) as ship:
        told = await ship.says(text, MATE)
    assert (told.action, told.outcome) == (None, "spoke")
    assert told.text.startswith("I didn't ask anything")


async def test_chips_are_declined_by_whatever_calls_them_off(harbour: Harbour) -> None:
    await offered(harbour)
    assert (await harbour.says("can you call it off?")).text == "OK, I'll leave it."
    assert await harbour.executive.offers.list("default") == []


# `Undo that` means what came last: what was done, or what still waits for a yes.


ANN = Principal(user="ann", tenant_id="default", roles=("engineer",))
CLOSE = "close WO-1042, the filter is changed"


async def test_undo_means_what_waits_only_where_it_was_asked_after(open_harbour: OpenHarbour):
    async with open_harbour(packs=("vessel",)) as ship:
        before = await ship.says(CLOSE, ANN)
        noted = await ship.says("add a note to WO-1042: filter changed", ANN)
        done = await ship.executive.offers.choose(noted.offer_id or "", "chip-1", ANN)
        assert done.outcome == "executed"
        assert "Withdrawn" not in (await ship.says("undo that", ANN)).text
        asked = await ship.says(CLOSE.replace("WO-1042", "WO-1043"), ANN)
        assert (await ship.says("undo that", ANN)).text.startswith("Withdrawn")
        states = [
            (await ship.executive.approvals.get(one.action_id or "", "default")).state
            for one in (before, asked)
        ]
    assert states == ["pending", "rejected"]
